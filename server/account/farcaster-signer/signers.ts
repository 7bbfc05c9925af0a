/**
 * A key of the user's wallet that writes for their Farcaster account, once they have approved it on their phone.
 *
 *     release    the wallet's share, verified, for the public key alone; names the key, and the operation that says it
 *     init       that operation says the public key; Farcaster is asked in the name of the operator's account
 *     status     what Farcaster says of the request, and the key registry of the key: only the registry makes it approved
 *     sign       the wallet's share again, for one hash
 *
 * A key that was removed from its account can not be added again, so the next release names another.
 */

import { LatchkeyError } from '@latchkey/protocol'
import { type farcasterSignerRoutes, type RouteOutput, signerLimits } from '@latchkey/protocol/api'
import type { SignerStatus } from '@latchkey/protocol/wallet'
import type { App } from '../../identity/apps/apps.ts'
import { recordAudit } from '../../identity/audit/audit.ts'
import { describeAccount, holdUser, ownAccount, ownAccountsOf } from '../../identity/users/users.ts'
import { chains } from '../../integrations/chains/chains.ts'
import { consume, tooManyRequests } from '../../kernel/attempts/attempts.ts'
import { isOwnAddress } from '../../kernel/config.ts'
import type { DialogToken, ServerContext, WalletToken } from '../../kernel/context.ts'
import { nowSeconds, type Trx } from '../../kernel/ports.ts'
import {
  farcasterClientLimits,
  requireFarcasterLogin,
  serviceRefusal,
} from '../../login/farcaster/farcaster.ts'
import { authorizeRelease, requireCustody } from '../../wallet/wallets/wallets.ts'
import { type AppAccount, signerEnvironment } from './environment.ts'
import { farcasterApi, type Requested } from './farcaster-api.ts'
import { keyStateOf } from './key-registry.ts'
import * as store from './store.ts'

/** What a user may have asked of Farcaster in the name of the operator's account. */
const signerRequestLimits = { perDay: 30, daySeconds: 24 * 60 * 60 } as const

type Owner = { appId: string; userId: string }

/** This is stored as the outcome of a release; a repeated call gets the share sealed anew. */
export type ReleasedSigner = { walletId: string; keyIndex: number }

function requireApp(context: ServerContext, app: App): AppAccount {
  requireFarcasterLogin(context, app)
  const account = signerEnvironment.read(context.config).FARCASTER_APP
  if (account) return account
  throw new LatchkeyError('not_supported', 'This server has no account at Farcaster to ask in the name of', {
    details: { setting: 'FARCASTER_APP' },
  })
}

async function requireFid(trx: Trx, owner: Owner): Promise<number> {
  const [fid] = await ownAccountsOf(trx, owner, 'farcaster')
  if (fid === undefined)
    throw new LatchkeyError('linked_account_not_found', 'The user has no Farcaster account')
  return Number(fid)
}

/** An imported key is a key: nothing else is derived from it. */
async function requireEntropy(trx: Trx, caller: WalletToken): Promise<string> {
  const { wallet } = await requireCustody(trx, caller, caller.step.walletId)
  if (wallet.kind === 'entropy') return wallet.id
  throw new LatchkeyError('not_supported', 'A wallet from an imported key has no Farcaster signer')
}

export async function releaseForKey(
  trx: Trx,
  context: ServerContext,
  app: App,
  caller: WalletToken,
  mfaToken: string | undefined,
): Promise<ReleasedSigner> {
  requireApp(context, app)
  // Two at once would each name a key.
  await holdUser(trx, caller)
  const fid = await requireFid(trx, caller)
  const walletId = await requireEntropy(trx, caller)
  await authorizeRelease(trx, context, app, caller, mfaToken)
  const operation = caller.step.operation.id
  const present = await store.latestSigner(trx, caller, walletId, fid)
  if (present && present.status !== 'revoked') {
    await store.changeSigner(trx, present, { operation })
    return { walletId, keyIndex: present.key_index }
  }
  const keyIndex = await store.nextIndex(trx, walletId)
  await store.addSigner(trx, {
    wallet_id: walletId,
    key_index: keyIndex,
    app_id: caller.appId,
    user_id: caller.userId,
    fid,
    operation,
    public_key: null,
    status: 'pending_approval',
    request_token: null,
    approval_url: null,
    deadline: 0,
    created_at: nowSeconds(context.clock),
  })
  return { walletId, keyIndex }
}

export async function releaseToSign(
  trx: Trx,
  context: ServerContext,
  app: App,
  caller: WalletToken,
  { hash, fid, mfaToken }: { hash: string; fid: number; mfaToken?: string },
): Promise<ReleasedSigner> {
  requireFarcasterLogin(context, app)
  if ((await requireFid(trx, caller)) !== fid) throw notTheirs()
  const walletId = await requireEntropy(trx, caller)
  const signer = await store.latestSigner(trx, caller, walletId, fid)
  if (signer?.status !== 'approved') {
    throw new LatchkeyError('not_found', 'The user has not approved a Farcaster signer')
  }
  await authorizeRelease(trx, context, app, caller, mfaToken)
  const { appId, userId, sessionId } = caller
  await recordAudit(trx, context.clock, {
    event: 'farcaster.message_signed',
    appId,
    userId,
    sessionId,
    details: { wallet: walletId, fid, hash, key_index: signer.key_index },
  })
  return { walletId, keyIndex: signer.key_index }
}

/** What is asked of Farcaster, or looked up there, once the operation has said its key. */
export type SignerToAsk = { signer: NamedSigner } & (
  | { ask: 'nothing' | 'state' }
  | { ask: 'approval'; deadline: number }
)
/** One whose public key is known. */
export type NamedSigner = store.Signer & { public_key: string }
export type SignerAnswer = { requested?: Requested; state?: SignerStatus }

export async function reserveInit(
  trx: Trx,
  context: ServerContext,
  app: App,
  caller: WalletToken,
  { ed25519PublicKey, deadline }: { ed25519PublicKey: string; deadline?: number },
): Promise<SignerToAsk> {
  requireApp(context, app)
  await holdUser(trx, caller)
  const fid = await requireFid(trx, caller)
  const { operation, walletId } = caller.step
  const found = await store.signerOfOperation(trx, caller, walletId ?? '', operation.id)
  if (found?.fid !== fid) {
    throw new LatchkeyError('insufficient_scope', 'Nothing was released for a signer in this operation')
  }
  if ((found.public_key ?? ed25519PublicKey) !== ed25519PublicKey) {
    throw new LatchkeyError('invalid_data', 'This signer has another key', {
      details: { path: 'ed25519_public_key' },
    })
  }
  await store.changeSigner(trx, found, { public_key: ed25519PublicKey })
  const signer: NamedSigner = { ...found, public_key: ed25519PublicKey }
  if (signer.status === 'revoked') return { signer, ask: 'nothing' }
  const now = nowSeconds(context.clock)
  const { requestSeconds, requestLeftSeconds } = signerLimits
  if (signer.status === 'approved' || signer.deadline - now > requestLeftSeconds) {
    return { signer, ask: 'state' }
  }
  const latest = now + requestSeconds
  const until = Math.min(deadline ?? latest, latest)
  if (until <= now) {
    throw new LatchkeyError('invalid_data', 'The deadline is over', { details: { path: 'deadline' } })
  }
  const allowance = await consume(trx, {
    key: `farcaster-signer:${caller.userId}`,
    quotas: [{ limit: signerRequestLimits.perDay, windowSeconds: signerRequestLimits.daySeconds }],
    nowSeconds: now,
  })
  if (!allowance.allowed) throw tooManyRequests(allowance.retryAfterSeconds)
  return { signer, ask: 'approval', deadline: until }
}

export async function askForSigner(
  context: ServerContext,
  app: App,
  asked: SignerToAsk,
  signal: AbortSignal,
): Promise<SignerAnswer> {
  switch (asked.ask) {
    case 'nothing':
      return {}
    case 'state':
      return { state: await presentStatus(context, asked.signer, signal) }
    case 'approval': {
      const { signer, deadline } = asked
      const api = farcasterApi.get(context.ports)
      const requested = await api.request(signer.public_key, deadline, requireApp(context, app), signal)
      if (requested.type !== 'requested') throw serviceRefusal(context, 'The API of Farcaster', requested)
      if (isOwnAddress(context.config, requested.approvalUrl)) {
        throw serviceRefusal(context, 'The API of Farcaster', { type: 'failed', why: 'an address of ours' })
      }
      return { requested }
    }
    default:
      return asked satisfies never
  }
}

export async function decideInit(
  trx: Trx,
  context: ServerContext,
  caller: WalletToken,
  asked: SignerToAsk,
  { requested, state }: SignerAnswer,
): Promise<InitiatedSigner> {
  const { signer } = asked
  if (asked.ask === 'approval' && requested?.type === 'requested') {
    const { token, approvalUrl } = requested
    await store.changeSigner(trx, signer, {
      request_token: token,
      approval_url: approvalUrl,
      deadline: asked.deadline,
    })
    return initiated({ ...signer, approval_url: approvalUrl }, 'pending_approval')
  }
  const status = state ?? signer.status
  await keepStatus(trx, context, caller, signer, status)
  return initiated(signer, status)
}

export type InitiatedSigner = RouteOutput<typeof farcasterSignerRoutes.initSigner>
export type SignerState = RouteOutput<typeof farcasterSignerRoutes.signerStatus>

function initiated(signer: NamedSigner, status: SignerStatus): InitiatedSigner {
  const { approval_url: signerApprovalUrl } = signer
  return {
    ...stateOf(signer, status),
    ...(status === 'pending_approval' && signerApprovalUrl !== null && { signerApprovalUrl }),
  }
}

const stateOf = ({ public_key: publicKey, fid }: NamedSigner, status: SignerStatus): SignerState => ({
  publicKey,
  status,
  ...(status === 'approved' && { fid }),
})

export async function signerStatus(
  context: ServerContext,
  app: App,
  caller: DialogToken,
  publicKey: string,
): Promise<SignerState> {
  requireFarcasterLogin(context, app)
  const found = await store.signerOfKey(context.db, caller, publicKey)
  if (found === undefined) throw new LatchkeyError('not_found', 'The user has no such signer')
  const signer: NamedSigner = { ...found, public_key: publicKey }
  const signal = AbortSignal.timeout(farcasterClientLimits.pollDeadlineMs)
  const status = await presentStatus(context, signer, signal)
  await context.transaction(async (trx) => {
    if ((await requireFid(trx, caller)) !== signer.fid) throw notTheirs()
    await keepStatus(trx, context, caller, signer, status)
  })
  return stateOf(signer, status)
}

/** Farcaster's API says who approved; that the key is theirs, or not any more, the registry alone. */
async function presentStatus(
  context: ServerContext,
  signer: NamedSigner,
  signal: AbortSignal,
): Promise<SignerStatus> {
  const { status, fid, public_key: publicKey, request_token: token } = signer
  if (status === 'revoked' || token === null) return status
  if (status === 'pending_approval') {
    const looked = await farcasterApi.get(context.ports).look(token, signal)
    if (looked.type === 'waiting') return status
    if (looked.type !== 'completed') throw serviceRefusal(context, 'The API of Farcaster', looked)
    if (looked.key !== publicKey)
      throw serviceRefusal(context, 'The API of Farcaster', { type: 'failed', why: 'another key' })
    // Somebody else scanned it: the key writes for them, and this wallet has no account that it could be used for.
    if (looked.fid !== fid) return 'revoked'
  }
  const state = await keyStateOf(chains.get(context.ports), { fid, publicKey }, signal)
  switch (state.type) {
    case 'added':
      return 'approved'
    case 'removed':
      return 'revoked'
    case 'unknown':
      return status
    case 'failed':
      context.log.error({ why: state.why }, 'The key registry of Farcaster did not answer')
      throw new LatchkeyError('unavailable', 'The chain did not answer. Please try again.')
    default:
      return state satisfies never
  }
}

/** The account of the user says which key writes for it. */
async function keepStatus(
  trx: Trx,
  context: ServerContext,
  { appId, userId, sessionId }: Owner & { sessionId: string },
  signer: NamedSigner,
  status: SignerStatus,
): Promise<void> {
  if (status === 'pending_approval') return
  if (await store.setStatus(trx, signer, status)) {
    await recordAudit(trx, context.clock, {
      event: status === 'approved' ? 'farcaster.signer_approved' : 'farcaster.signer_revoked',
      appId,
      userId,
      sessionId,
      details: { wallet: signer.wallet_id, fid: signer.fid, key: signer.public_key },
    })
  }
  await describeSigner(trx, { appId, userId }, signer.fid)
}

/** The account is described even if the signer was approved before: an account that was linked anew has no key yet. */
async function describeSigner(trx: Trx, owner: Owner, fid: number): Promise<void> {
  const account = { type: 'farcaster', identifier: String(fid) } as const
  const profile = await ownAccount(trx, owner, account)
  const signerPublicKey = (await store.approvedSigner(trx, owner, fid))?.public_key ?? undefined
  const { signerPublicKey: before, ...rest } = Object(profile)
  if (profile === undefined || before === signerPublicKey) return
  await describeAccount(trx, owner, {
    ...account,
    profile: { ...rest, ...(signerPublicKey !== undefined && { signerPublicKey }) },
  })
}

const notTheirs = () =>
  new LatchkeyError('linked_account_not_found', 'The signer is of another Farcaster account')
