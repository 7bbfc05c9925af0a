/**
 * Manages Farcaster signers: keys of the user's wallet that write for their Farcaster account after an approval on the
 * phone.
 *
 *     release    releases the share to derive the public key, after verification; reserves the key index
 *     init       the same operation registers the public key; the operator's account requests it at Farcaster
 *     status     reads the request state and the key registry; only the registry makes a signer approved
 *     sign       releases the share again, for one hash
 *
 * A key removed from its account cannot be added again, so the next release reserves a new index.
 */

import { LatchkeyError } from '@latchkey/protocol'
import { type farcasterSignerRoutes, type RouteOutput, signerLimits } from '@latchkey/protocol/api'
import type { SignerStatus } from '@latchkey/protocol/wallet'
import type { App } from '../../identity/apps/apps.ts'
import { recordAudit } from '../../identity/audit/audit.ts'
import {
  findOwnIdentifiers,
  findOwnProfile,
  lockUser,
  setAccountProfile,
} from '../../identity/users/users.ts'
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
import { getKeyState } from './key-registry.ts'
import * as store from './store.ts'

/** The quota of signer requests per user. */
const signerRequestLimits = { perDay: 30, daySeconds: 24 * 60 * 60 } as const

type Owner = { appId: string; userId: string }

/** Stored as the outcome of a release. A repeated call seals the share again. */
export type ReleasedSigner = { walletId: string; keyIndex: number }

function requireApp(context: ServerContext, app: App): AppAccount {
  requireFarcasterLogin(context, app)
  const account = signerEnvironment.read(context.config).FARCASTER_APP
  if (account) return account
  throw new LatchkeyError('not_supported', 'This server has no Farcaster account that can request signers', {
    details: { setting: 'FARCASTER_APP' },
  })
}

async function requireFid(trx: Trx, owner: Owner): Promise<number> {
  const [fid] = await findOwnIdentifiers(trx, owner, 'farcaster')
  if (fid === undefined)
    throw new LatchkeyError('linked_account_not_found', 'The user has no Farcaster account')
  return Number(fid)
}

/** Throws for an imported key, because no other keys can be derived from it. */
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
  // Serializes concurrent calls, so that they do not reserve two keys.
  await lockUser(trx, caller)
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
  if ((await requireFid(trx, caller)) !== fid) throw wrongFarcasterAccount()
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

/** The next call to Farcaster after the operation registered its key. */
export type SignerToAsk = { signer: NamedSigner } & (
  | { ask: 'nothing' | 'state' }
  | { ask: 'approval'; deadline: number }
)
/** A signer with a known public key. */
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
  await lockUser(trx, caller)
  const fid = await requireFid(trx, caller)
  const { operation, walletId } = caller.step
  const existing = await store.signerOfOperation(trx, caller, walletId ?? '', operation.id)
  if (existing?.fid !== fid) {
    throw new LatchkeyError('insufficient_scope', 'This operation released no share for a signer')
  }
  if ((existing.public_key ?? ed25519PublicKey) !== ed25519PublicKey) {
    throw new LatchkeyError('invalid_data', 'This signer has another key', {
      details: { path: 'ed25519_public_key' },
    })
  }
  await store.changeSigner(trx, existing, { public_key: ed25519PublicKey })
  const signer: NamedSigner = { ...existing, public_key: ed25519PublicKey }
  if (signer.status === 'revoked') return { signer, ask: 'nothing' }
  const now = nowSeconds(context.clock)
  const { requestSeconds, requestLeftSeconds } = signerLimits
  if (signer.status === 'approved' || signer.deadline - now > requestLeftSeconds) {
    return { signer, ask: 'state' }
  }
  const latest = now + requestSeconds
  const until = Math.min(deadline ?? latest, latest)
  if (until <= now) {
    throw new LatchkeyError('invalid_data', 'The deadline has passed', { details: { path: 'deadline' } })
  }
  const allowance = await consume(trx, {
    key: `farcaster-signer:${caller.userId}`,
    quotas: [{ limit: signerRequestLimits.perDay, windowSeconds: signerRequestLimits.daySeconds }],
    nowSeconds: now,
  })
  if (!allowance.allowed) throw tooManyRequests(allowance.retryAfterSeconds)
  return { signer, ask: 'approval', deadline: until }
}

export async function requestSigner(
  context: ServerContext,
  app: App,
  asked: SignerToAsk,
  signal: AbortSignal,
): Promise<SignerAnswer> {
  switch (asked.ask) {
    case 'nothing':
      return {}
    case 'state':
      return { state: await getCurrentStatus(context, asked.signer, signal) }
    case 'approval': {
      const { signer, deadline } = asked
      const api = farcasterApi.get(context.ports)
      const requested = await api.request(signer.public_key, deadline, requireApp(context, app), signal)
      if (requested.type !== 'requested') throw serviceRefusal(context, 'The API of Farcaster', requested)
      if (isOwnAddress(context.config, requested.approvalUrl)) {
        throw serviceRefusal(context, 'The API of Farcaster', {
          type: 'failed',
          why: 'an address of this server',
        })
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
    return renderInit({ ...signer, approval_url: approvalUrl }, 'pending_approval')
  }
  const status = state ?? signer.status
  await storeStatus(trx, context, caller, signer, status)
  return renderInit(signer, status)
}

export type InitiatedSigner = RouteOutput<typeof farcasterSignerRoutes.initSigner>
export type SignerState = RouteOutput<typeof farcasterSignerRoutes.signerStatus>

function renderInit(signer: NamedSigner, status: SignerStatus): InitiatedSigner {
  const { approval_url: signerApprovalUrl } = signer
  return {
    ...toSignerState(signer, status),
    ...(status === 'pending_approval' && signerApprovalUrl !== null && { signerApprovalUrl }),
  }
}

const toSignerState = ({ public_key: publicKey, fid }: NamedSigner, status: SignerStatus): SignerState => ({
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
  const existing = await store.signerOfKey(context.db, caller, publicKey)
  if (existing === undefined) throw new LatchkeyError('not_found', 'The user has no such signer')
  const signer: NamedSigner = { ...existing, public_key: publicKey }
  const signal = AbortSignal.timeout(farcasterClientLimits.pollDeadlineMs)
  const status = await getCurrentStatus(context, signer, signal)
  await context.transaction(async (trx) => {
    if ((await requireFid(trx, caller)) !== signer.fid) throw wrongFarcasterAccount()
    await storeStatus(trx, context, caller, signer, status)
  })
  return toSignerState(signer, status)
}

/** Returns the current status. The Farcaster API reports the approval. Only the registry proves that the key is active. */
async function getCurrentStatus(
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
    // Another Farcaster account approved the request, so the key is useless for this user.
    if (looked.fid !== fid) return 'revoked'
  }
  const state = await getKeyState(chains.get(context.ports), { fid, publicKey }, signal)
  switch (state.type) {
    case 'added':
      return 'approved'
    case 'removed':
      return 'revoked'
    case 'unknown':
      return status
    case 'failed':
      context.log.error({ why: state.why }, 'The Farcaster key registry could not be read')
      throw new LatchkeyError('unavailable', 'The chain did not answer. Please try again.')
    default:
      return state satisfies never
  }
}

/** Stores a status change and updates the linked account. */
async function storeStatus(
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

/** Writes the signer's key into the account profile. Also needed for an account that was linked again. */
async function describeSigner(trx: Trx, owner: Owner, fid: number): Promise<void> {
  const account = { type: 'farcaster', identifier: String(fid) } as const
  const profile = await findOwnProfile(trx, owner, account)
  const signerPublicKey = (await store.approvedSigner(trx, owner, fid))?.public_key ?? undefined
  const { signerPublicKey: before, ...rest } = Object(profile)
  if (profile === undefined || before === signerPublicKey) return
  await setAccountProfile(trx, owner, {
    ...account,
    profile: { ...rest, ...(signerPublicKey !== undefined && { signerPublicKey }) },
  })
}

const wrongFarcasterAccount = () =>
  new LatchkeyError('linked_account_not_found', 'The signer belongs to another Farcaster account')
