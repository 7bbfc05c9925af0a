/**
 * Login with an external wallet, which signs a message that a page of this origin requested: EIP-4361, or the same
 * message of Solana.
 */
import {
  type ChainType,
  getChainType,
  LatchkeyError,
  siweLimits,
  solanaAddress,
  solanaChain,
} from '@latchkey/protocol'
import { base58 } from '@scure/base'
import * as v from 'valibot'
import type { Hex } from 'viem'
import { getAddress, hexToBytes, isAddress, isHex, recoverMessageAddress } from 'viem/utils'
import { type App, mayEmbed } from '../../identity/apps/apps.ts'
import { hashBinding } from '../../identity/codes/codes.ts'
import { findAccountOwner, toWalletName } from '../../identity/users/users.ts'
import { chains, type SignatureAnswer } from '../../integrations/chains/chains.ts'
import {
  type ChallengeKey,
  consumeChallenge,
  putChallenge,
  releaseChallenge,
  reserveChallenge,
} from '../../kernel/challenges/challenges.ts'
import type { ServerContext } from '../../kernel/context.ts'
import { isEd25519Signature } from '../../kernel/ed25519.ts'
import { randomLetters } from '../../kernel/ids.ts'
import { nowSeconds, type Trx } from '../../kernel/ports.ts'
import { findWalletOwner, isOwnWallet, lockAddress } from '../../wallet/wallets/wallets.ts'
import { requireLoginMethod } from '../allowed.ts'
import type { ProvenLogin } from '../proven.ts'
import { assertExpected, readMessage } from './message.ts'

export { assertExpected, readEthereumMessage, type SignInMessage } from './message.ts'

const NONCE_LETTERS = 32

export function requireWalletLogin(app: App, chainType: ChainType): void {
  requireLoginMethod(app, 'walletAuth', 'a wallet')
  if (chainType === 'solana') requireLoginMethod(app, 'solanaWalletAuth', 'a Solana wallet')
}

/** Returns the canonical address. Mixed-case Ethereum addresses must have a valid checksum. */
export function requireAddress(written: string): string {
  if (isAddress(written)) return getAddress(written)
  if (v.is(solanaAddress, written) && base58.decode(written).length === ED25519_KEY_BYTES) return written
  throw new LatchkeyError('invalid_data', 'This is not an address', { details: { path: 'address' } })
}
const ED25519_KEY_BYTES = 32

/** Requires an origin of the app. A nonce is valid for messages of that origin only. */
export function requirePage({ config }: ServerContext, app: App, origin: string): void {
  if (origin === config.dialogOrigin || mayEmbed(app, origin)) return
  throw new LatchkeyError('origin_not_allowed', 'This page is not one of the app', { details: { origin } })
}

/** Only the browser that requested the nonce can use it. */
const toKey = (app: App, nonce: string, binding: string | undefined): ChallengeKey => ({
  appId: app.id,
  purpose: 'siwe',
  id: nonce,
  userId: '',
  binding: hashBinding(binding),
})

/** The canonical address, and the origin of the requesting page. */
const requestedSchema = v.object({ address: v.string(), origin: v.string() })
type Requested = v.InferOutput<typeof requestedSchema>

export type NewNonce = { nonce: string; address: string; expiresAt: number }

export async function beginSiwe(
  trx: Trx,
  context: ServerContext,
  app: App,
  asked: { address: string; origin: string; binding: string | undefined },
): Promise<NewNonce> {
  const address = requireAddress(asked.address)
  requireWalletLogin(app, getChainType(address))
  requirePage(context, app, asked.origin)
  const now = nowSeconds(context.clock)
  const nonce = randomLetters(NONCE_LETTERS)
  const life = { nowSeconds: now, seconds: siweLimits.nonceSeconds }
  const requested: Requested = { address, origin: asked.origin }
  await putChallenge(trx, toKey(app, nonce, asked.binding), life, requested)
  return { nonce, address, expiresAt: now + life.seconds }
}

export type SignedIn = {
  message: string
  signature: string
  chainId: string
  walletClientType?: string
  connectorType?: string
}

/** A valid message with an unverified signature. */
export type Claim = {
  /** Other calls can not use the nonce until this one releases it. */
  nonce: ChallengeKey & { heldBy: string }
  address: string
  /** Null for Solana. */
  chainId: number | null
}

/** The nonce is wrong, used, expired or of another browser. */
const noSuchNonce = () =>
  new LatchkeyError('invalid_credentials', 'This message can not be used, or not any more', {
    details: { reason: 'nonce' },
  })

/** Verifies and locks the message, so that of several concurrent calls only one queries a chain. */
export async function readClaim(
  trx: Trx,
  context: ServerContext,
  app: App,
  { message: text, chainId }: SignedIn,
  binding: string | undefined,
  before: Claim | undefined,
): Promise<Claim> {
  const chainType = v.is(solanaChain, chainId) ? 'solana' : 'ethereum'
  requireWalletLogin(app, chainType)
  const message = readMessage(chainType, text)
  const nonce = {
    ...toKey(app, message.nonce, binding),
    heldBy: before?.nonce.heldBy ?? randomLetters(NONCE_LETTERS),
  }
  const now = nowSeconds(context.clock)
  const challenge = await reserveChallenge(trx, nonce, nonce.heldBy, now)
  if (challenge === undefined) throw noSuchNonce()
  const { origin, address } = v.parse(requestedSchema, JSON.parse(challenge.data))
  const nonceMadeAt = challenge.createdAt
  assertExpected(message, { origin, address, chainId, nonceMadeAt, now })
  if (await isOwnWallet(trx, app.id, message.address)) {
    throw new LatchkeyError('disallowed_login_method', 'A wallet that is kept here is no way to log in')
  }
  const isEthereum = chainType === 'ethereum'
  return {
    nonce,
    address: message.address,
    chainId: isEthereum ? Number(message.chain.slice(eip155.length)) : null,
  }
}

/** The type of signer: the address's key, or its contract. */
export type Signer = 'key' | 'contract'

/** Verifies a signature. The chain is queried only if the signature is not by the address's key. */
export async function checkSignature(
  { ports, log }: ServerContext,
  { address, chainId }: Pick<Claim, 'address' | 'chainId'>,
  { message, signature }: Pick<SignedIn, 'message' | 'signature'>,
  signal: AbortSignal,
): Promise<SignatureVerdict> {
  if (!isHex(signature)) return 'wrong'
  if (chainId === null) return isSignedBySolana(message, address, signature) ? 'key' : 'wrong'
  if (!isAddress(address)) return 'wrong'
  const signer = await recoverMessageAddress({ message, signature }).catch(() => undefined)
  if (signer === address) return 'key'
  const answer = await chains.get(ports).verifyMessage({ message, signature, address, chainId }, signal)
  if (answer.type === 'right') return 'contract'
  if (answer.type !== 'failed') return answer.type
  log.error({ why: answer.why }, 'A chain did not answer')
  throw new LatchkeyError('unavailable', 'The chain did not answer. Please try again.')
}

/** Verifies the signature of a locked message. If the chain fails, the lock is released for a retry. */
export async function askSignature(
  context: ServerContext,
  claim: Claim,
  signed: Pick<SignedIn, 'message' | 'signature'>,
  signal: AbortSignal,
): Promise<SignatureVerdict> {
  try {
    return await checkSignature(context, claim, signed, signal)
  } catch (cause) {
    await releaseChallenge(context.db, claim.nonce, claim.nonce.heldBy)
    throw cause
  }
}

type NotProven = Exclude<SignatureAnswer['type'], 'right' | 'failed'>
export type SignatureVerdict = Signer | NotProven
export const isSigner = (verdict: SignatureVerdict): verdict is Signer =>
  verdict === 'key' || verdict === 'contract'
export type SignatureOutcome =
  | { type: 'right'; wallet: ProvenWallet }
  | { type: 'not_proven'; why: NotProven | 'used' }
/** The account name of the wallet. */
type ProvenWallet = ReturnType<typeof toWalletName>

/** Consumes the message, even if it is rejected. */
export async function decideSignature(
  trx: Trx,
  { nonce, address, chainId }: Claim,
  verdict: SignatureVerdict,
): Promise<SignatureOutcome> {
  if (!(await consumeChallenge(trx, nonce, { heldBy: nonce.heldBy })))
    return { type: 'not_proven', why: 'used' }
  if (!isSigner(verdict)) return { type: 'not_proven', why: verdict }
  const wallet = verdict === 'key' ? toWalletName(address) : toWalletName(address, `${eip155}${chainId}`)
  return { type: 'right', wallet }
}

const eip155 = 'eip155:'

/** Verifies Ed25519 over the UTF-8 bytes of the message. */
function isSignedBySolana(message: string, address: string, signature: Hex): boolean {
  return isEd25519Signature(Buffer.from(message), base58.decode(address), hexToBytes(signature))
}

/**
 * Refuses a wallet whose key another user has imported. That user's embedded wallet can not be used to log in by
 * others, and a login would create a second user for the same wallet. A user who linked it before keeps it.
 */
export async function refusedForItsKeeper(
  trx: Trx,
  { clock }: ServerContext,
  appId: string,
  { address }: Claim,
  wallet: ProvenWallet,
  userId?: string,
): Promise<{ type: 'refused'; code: 'linked_to_another_user' } | undefined> {
  await lockAddress(trx, clock, appId, address)
  const keeper = await findWalletOwner(trx, appId, address)
  if (keeper === undefined || keeper === userId) return undefined
  if ((await findAccountOwner(trx, appId, wallet)) !== undefined) return undefined
  return { type: 'refused', code: 'linked_to_another_user' }
}

export function signatureRefusal(
  why: Extract<SignatureOutcome, { type: 'not_proven' }>['why'],
): LatchkeyError {
  switch (why) {
    case 'used':
      return noSuchNonce()
    case 'wrong':
      return new LatchkeyError('invalid_credentials', 'The signature is not of this wallet', {
        details: { reason: 'signature' },
      })
    case 'unknown-chain':
      return new LatchkeyError(
        'unsupported_chain_id',
        'The signature is not of the key of this address, and contracts of its chain can not be asked here',
        { details: { setting: 'CHAIN_RPC_URLS' } },
      )
    default:
      return why satisfies never
  }
}

export const toProvenLogin = (
  { address, chainId: ethereumChain }: Claim,
  wallet: ProvenWallet,
  { chainId, walletClientType, connectorType }: SignedIn,
): ProvenLogin => ({
  method: 'wallet',
  account: {
    ...wallet,
    profile: {
      address,
      ...(ethereumChain === null ? { chainType: 'solana' } : { chainType: 'ethereum', chainId }),
      walletClient: 'unknown',
      ...(walletClientType !== undefined && { walletClientType }),
      ...(connectorType !== undefined && { connectorType }),
    },
  },
})
