/**
 * Sign In With Farcaster (FIP-11): the user's phone signs a message for the requesting page, and a relay delivers it.
 * The relay is trusted for display data only. This server verifies the signature and the account's owner.
 */
import { createHash } from 'node:crypto'
import { farcasterLimits, LatchkeyError } from '@latchkey/protocol'
import * as v from 'valibot'
import type { Address } from 'viem'
import { decodeFunctionResult, encodeFunctionData, parseAbi } from 'viem/utils'
import type { App } from '../../identity/apps/apps.ts'
import { hashBinding } from '../../identity/codes/codes.ts'
import { findProfile } from '../../identity/users/users.ts'
import { type Chains, chains } from '../../integrations/chains/chains.ts'
import {
  type Challenge,
  type ChallengeKey,
  consumeChallenge,
  findChallenge,
  putChallenge,
  updateChallengeData,
} from '../../kernel/challenges/challenges.ts'
import { isOwnAddress } from '../../kernel/config.ts'
import type { ServerContext } from '../../kernel/context.ts'
import type { Wait } from '../../kernel/http/waits.ts'
import { randomLetters } from '../../kernel/ids.ts'
import { nowSeconds, type Trx } from '../../kernel/ports.ts'
import { requireLoginMethod } from '../allowed.ts'
import type { ProvenLogin } from '../proven.ts'
import { checkSignature, isSigner, requirePage } from '../siwe/siwe.ts'
import { seal, unseal } from '../window/window.ts'
import { farcasterClientLimits } from './limits.ts'
import { farcasterChainId, readFarcasterMessage } from './message.ts'
import { type Approval, approvalSchema, relay } from './relay.ts'
import { serviceRefusal } from './service.ts'

export { farcasterClientLimits } from './limits.ts'
export { farcasterChainId } from './message.ts'
export { answered, askService, refusedWith, type ServiceFailure, serviceRefusal } from './service.ts'

const NONCE_LETTERS = 32

export function requireFarcasterLogin(context: ServerContext, app: App): void {
  requireLoginMethod(app, 'farcasterAuth', 'Farcaster')
  if (chains.get(context.ports).has(farcasterChainId)) return
  throw new LatchkeyError('disallowed_login_method', 'This server can not ask who owns a Farcaster account', {
    details: { setting: 'CHAIN_RPC_URLS' },
  })
}

/** Only the browser that opened the channel has its key. The token is secret, so the key contains its hash. */
export const toChallengeKey = (
  app: App,
  channelToken: string,
  binding: string | undefined,
): ChallengeKey => ({
  appId: app.id,
  purpose: 'farcaster',
  id: createHash('sha256').update(channelToken).digest('base64url'),
  userId: '',
  binding: hashBinding(binding),
})

export type Asking = { origin: string; nonce: string }

export function newAsking(context: ServerContext, app: App, origin: string): Asking {
  requirePage(context, app, origin)
  return { origin, nonce: randomLetters(NONCE_LETTERS) }
}

const openChannelSchema = v.object({ channelToken: v.string(), connectUri: v.string() })
export type OpenChannel = Readonly<v.InferOutput<typeof openChannelSchema>>

export async function openChannel(
  context: ServerContext,
  asking: Asking,
  signal: AbortSignal,
): Promise<OpenChannel> {
  const openedChannel = await relay.get(context.ports).open(asking, signal)
  if (openedChannel.type !== 'opened') throw serviceRefusal(context, 'The Farcaster relay', openedChannel)
  const { channelToken, connectUri } = openedChannel
  if (isOwnAddress(context.config, connectUri)) {
    throw serviceRefusal(context, 'The Farcaster relay', { type: 'failed', why: 'an address of ours' })
  }
  return { channelToken, connectUri }
}

/** The channel in the stored outcome of a call. Sealed, because the token or its URL gives access to the approval. */
export type SealedChannel = { channel: string; sealed: string }

export const sealedChannel = (
  context: ServerContext,
  { id: channel }: ChallengeKey,
  opened: OpenChannel,
): SealedChannel => ({ channel, sealed: seal(context, channel, 'farcaster', JSON.stringify(opened)) })

export const openSealedChannel = (context: ServerContext, { channel, sealed }: SealedChannel): OpenChannel =>
  v.parse(openChannelSchema, JSON.parse(unseal(context, channel, 'farcaster', sealed)))

export async function keepChannel(
  trx: Trx,
  { clock }: ServerContext,
  key: ChallengeKey,
  { origin, nonce }: Asking,
): Promise<void> {
  const life = { nowSeconds: nowSeconds(clock), seconds: farcasterLimits.channelSeconds }
  const channel: Channel = { origin, nonce, approval: null }
  await putChallenge(trx, key, life, channel)
}

const channelSchema = v.object({
  /** The origin of the requesting page. */
  origin: v.string(),
  nonce: v.string(),
  /** The relay's response after the approval, which it returns only once. */
  approval: v.nullable(approvalSchema),
})
type Channel = v.InferOutput<typeof channelSchema>
const channelIn = ({ data }: Challenge): Channel => v.parse(channelSchema, JSON.parse(data))

/** The channel is wrong, used, expired, of another browser, or unknown to the relay. */
const noSuchChannel = () =>
  new LatchkeyError('invalid_credentials', 'This request can not be used, or not any more', {
    details: { reason: 'channel' },
  })

export type ChannelStatus =
  | { state: 'pending'; nonce: string }
  | ({ state: 'completed'; nonce: string } & Approval)

/** Stores the relay's response, which it returns once, until it is used. The browser may not have received it. */
export async function pollStatus(
  context: ServerContext,
  key: ChallengeKey,
  token: string,
  wait: Wait,
): Promise<ChannelStatus> {
  const { db, clock, ports } = context
  const find = async () => {
    const challenge = await findChallenge(db, key, nowSeconds(clock))
    return challenge && channelIn(challenge)
  }
  const channel = await find()
  if (channel === undefined) throw noSuchChannel()
  const { nonce } = channel
  const completed = (approval: Approval): ChannelStatus => ({ state: 'completed', nonce, ...approval })
  if (channel.approval) return completed(channel.approval)
  const polled = await wait.hold(`farcaster|${key.id}`, (ended) =>
    relay
      .get(ports)
      .poll(token, AbortSignal.any([ended, AbortSignal.timeout(farcasterClientLimits.pollDeadlineMs)])),
  )
  // Another call of this browser is polling.
  if (polled === undefined) return { state: 'pending', nonce }
  switch (polled.type) {
    case 'pending':
      return { state: 'pending', nonce }
    case 'approved':
      await updateChallengeData(db, key, { ...channel, approval: polled.approval } satisfies Channel)
      return completed(polled.approval)
    case 'gone': {
      // Another call of this browser may have received it meanwhile.
      const approval = (await find())?.approval
      if (approval) return completed(approval)
      throw noSuchChannel()
    }
    default:
      throw serviceRefusal(context, 'The Farcaster relay', polled)
  }
}

export type SignedByPhone = { message: string; signature: string; fid: number }

/** A valid message with an unverified signature and owner. */
export type Claim = {
  key: ChallengeKey
  custody: Address
  /** The relay's profile data, if it is of the same account. */
  profile: Pick<Approval, 'username' | 'displayName' | 'bio' | 'pfpUrl'>
}

export async function readClaim(
  trx: Trx,
  { clock }: ServerContext,
  key: ChallengeKey,
  { message, fid }: SignedByPhone,
): Promise<Claim> {
  const now = nowSeconds(clock)
  const challenge = await findChallenge(trx, key, now)
  if (challenge === undefined) throw noSuchChannel()
  const { origin, nonce, approval } = channelIn(challenge)
  const nonceMadeAt = challenge.createdAt
  const { address } = readFarcasterMessage(message, { origin, nonce, fid, nonceMadeAt, now })
  return { key, custody: address, profile: approval?.fid === fid ? toProfile(approval) : {} }
}

const toProfile = ({ message, signature, fid, ...profile }: Approval): Claim['profile'] => profile

export type Verdict = 'right' | 'wrong signature' | 'not the owner'

export async function checkOwner(
  context: ServerContext,
  { custody }: Claim,
  signed: SignedByPhone,
  signal: AbortSignal,
): Promise<Verdict> {
  const chainId = farcasterChainId
  const signature = await checkSignature(context, { address: custody, chainId }, signed, signal)
  if (!isSigner(signature)) return 'wrong signature'
  const answer = await readFid(chains.get(context.ports), custody, signal)
  if (answer.type === 'owns') return answer.fid === BigInt(signed.fid) ? 'right' : 'not the owner'
  context.log.error({ why: answer.why }, 'The ID registry of Farcaster did not answer')
  throw new LatchkeyError('unavailable', 'The chain did not answer. Please try again.')
}

export type OwnerOutcome = { type: 'right' } | { type: 'not_proven'; why: Exclude<Verdict, 'right'> | 'used' }

/** Consumes the message, even if it is rejected. Only one of several concurrent calls succeeds. */
export async function decideOwner(trx: Trx, { key }: Claim, verdict: Verdict): Promise<OwnerOutcome> {
  if (!(await consumeChallenge(trx, key, {}))) return { type: 'not_proven', why: 'used' }
  return verdict === 'right' ? { type: 'right' } : { type: 'not_proven', why: verdict }
}

export function ownerRefusal(why: Extract<OwnerOutcome, { type: 'not_proven' }>['why']): LatchkeyError {
  switch (why) {
    case 'used':
      return noSuchChannel()
    case 'wrong signature':
      return new LatchkeyError('invalid_credentials', 'The signature is not of this address', {
        details: { reason: 'signature' },
      })
    case 'not the owner':
      return new LatchkeyError('invalid_credentials', 'This address does not own the Farcaster account', {
        details: { reason: 'owner' },
      })
    default:
      return why satisfies never
  }
}

export const accountIdentifier = (fid: number) => String(fid)

/** Keeps the signer that the account already has, because a login's profile has none. */
export async function knownSigner(
  trx: Trx,
  app: App,
  { fid }: Pick<SignedByPhone, 'fid'>,
): Promise<string | undefined> {
  const identifier = accountIdentifier(fid)
  return Object(await findProfile(trx, app.id, { type: 'farcaster', identifier })).signerPublicKey
}

export const toProvenLogin = (
  { custody, profile }: Claim,
  { fid }: SignedByPhone,
  signerPublicKey: string | undefined,
): ProvenLogin => {
  const { pfpUrl, ...named } = profile
  return {
    method: 'farcaster',
    account: {
      type: 'farcaster',
      identifier: accountIdentifier(fid),
      profile: {
        fid,
        ownerAddress: custody,
        ...named,
        ...(pfpUrl !== undefined && { profilePictureUrl: pfpUrl }),
        ...(signerPublicKey !== undefined && { signerPublicKey }),
      },
    },
  }
}

/**
 * The account owner, from the id registry on OP mainnet.
 * https://docs.farcaster.xyz/reference/contracts/reference/id-registry
 */
const address: Address = '0x00000000Fc6c5F01Fc30151999387Bb99A9f489b'
const abi = parseAbi(['function idOf(address owner) view returns (uint256 fid)'])
const functionName = 'idOf'

type FidAnswer = { type: 'owns'; fid: bigint } | { type: 'failed'; why: string }

/** Returns the Farcaster id that the address owns, or 0 if it owns none. */
async function readFid(chains: Chains, custody: Address, signal: AbortSignal): Promise<FidAnswer> {
  const data = encodeFunctionData({ abi, functionName, args: [custody] })
  const answer = await chains.callContract({ chainId: farcasterChainId, address, data }, signal)
  if (answer.type === 'failed') return answer
  try {
    return { type: 'owns', fid: decodeFunctionResult({ abi, functionName, data: answer.data }) }
  } catch (cause) {
    // No contract, or a different one, is deployed there.
    return { type: 'failed', why: String(cause) }
  }
}
