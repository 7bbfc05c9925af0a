/**
 * Recovery by a passkey, which is one of its own: it logs nobody in and verifies nobody, so that whoever unlinks the
 * passkey of their login still has their wallet. What it encrypted goes out for its signature of a challenge that this
 * session was given, once; what its PRF gives never comes here.
 */
import { createHash } from 'node:crypto'
import {
  LatchkeyError,
  newRecoveryPasskeyLimits,
  product,
  recoveryAttemptLimits,
  recoveryPasskeyLimits,
} from '@latchkey/protocol'
import type { Assertion, AssertionOptions, Attestation, AttestationOptions } from '@latchkey/protocol/api'
import { createPasskeySaltInput } from '@latchkey/protocol/wallet'
import * as v from 'valibot'
import { livingSession } from '../../../identity/sessions/sessions.ts'
import { nameOfUser } from '../../../identity/users/users.ts'
import { consume, refund, tooManyRequests } from '../../../kernel/attempts/attempts.ts'
import type { DialogToken, ServerContext, WalletToken } from '../../../kernel/context.ts'
import { type App, nowSeconds, type Reader, type Trx } from '../../../kernel/ports.ts'
import {
  askedByWallet,
  assertionOptionsOf,
  challengeOfRecovery,
  checkAnswer,
  type NewPasskey,
  newPasskeyOptions,
  useUpAnswered,
  type Wrong,
} from '../../../login/passkey/passkey.ts'
import {
  authorizeRelease,
  type Custody,
  committedWallet,
  findWalletSlot,
  type Owner,
  recoveryNotAllowed,
  requireCustody,
  saveNewPasskey,
  sealForStep,
  toCustody,
  updatePasskeyCounter,
  walletNotFound,
} from '../../../wallet/wallets/wallets.ts'
import { requireVerification } from '../../verification/verification.ts'

/** What a wallet has of the passkey that keeps it. What a newer release adds is passed over. */
const keepingSchema = v.object({
  credentialId: v.string(),
  publicKey: v.string(),
  counter: v.number(),
  transports: v.array(v.string()),
  userHandle: v.string(),
  salt: v.string(),
})
type Keeping = v.InferOutput<typeof keepingSchema>

const keepingIn = (text: string): Keeping => v.parse(keepingSchema, JSON.parse(text))
const textOf = (keeping: Keeping) => JSON.stringify(keeping)

/**
 * All is made of the challenge, so that nothing of a new passkey is to be remembered before it is there. Each has a
 * user handle of its own: an authenticator puts a new passkey in the place of the one with the same handle, and the one
 * that keeps the wallet has to stay until the other one does.
 */
function madeOf(challenge: string) {
  const hashOf = (text: string) => createHash('sha256').update(text).digest('base64url')
  return {
    salt: hashOf(createPasskeySaltInput(challenge)),
    userHandle: hashOf(`${product.key}/recovery-passkey/user/1\n${challenge}`),
  }
}

export async function newPasskeyFor(
  context: ServerContext,
  app: App,
  { userId }: DialogToken,
  challenge: string,
): Promise<{ options: AttestationOptions; salt: string }> {
  const { salt, userHandle } = madeOf(challenge)
  const named = await nameOfUser(context.db, { appId: app.id, userId })
  // What its user reads beside the passkeys that they log in with.
  const name = `Wallet recovery: ${named === undefined ? app.name : `${named} (${app.name})`}`
  return {
    options: newPasskeyOptions({ name: app.name, id: askedByWallet(context).rpId }, challenge, {
      id: userHandle,
      name,
      displayName: name,
    }),
    salt,
  }
}

/** Whatever becomes of it: an address for each is kept for a while. */
export async function countNewPasskey(
  trx: Trx,
  context: ServerContext,
  { userId }: DialogToken,
): Promise<void> {
  const allowance = await consume(trx, {
    key: `recovery-passkeys:${userId}`,
    quotas: newRecoveryPasskeyLimits,
    nowSeconds: nowSeconds(context.clock),
  })
  if (!allowance.allowed) throw tooManyRequests(allowance.retryAfterSeconds)
}

export async function registerPasskey(
  trx: Trx,
  context: ServerContext,
  caller: DialogToken,
  challenge: string,
  { credentialId, publicKey, counter }: NewPasskey,
  { response: { transports = [] } }: Attestation,
): Promise<{ credentialId: string }> {
  await livingSession(trx, context, caller.sessionId)
  const keeping = { credentialId, publicKey, counter, transports, ...madeOf(challenge) }
  await saveNewPasskey(trx, caller, {
    credentialId,
    passkey: textOf(keeping),
    expiresAt: nowSeconds(context.clock) + recoveryPasskeyLimits.unusedSeconds,
  })
  return { credentialId }
}

export type KeptByPasskey = Custody & { kept: string }

/** What is kept of the passkey, where one keeps this wallet. */
export function keptIn({ wallet: { recovery_method: method, recovery_access: kept } }: Custody) {
  return method === 'passkey' && kept !== null ? kept : undefined
}

function keptByPasskey(custody: Custody): KeptByPasskey {
  const kept = keptIn(custody)
  if (kept === undefined) throw recoveryNotAllowed()
  return { ...custody, kept }
}

/** A passkey keeps only an Ethereum wallet. */
export async function keptByPasskeyOf(reader: Reader, owner: Owner): Promise<KeptByPasskey> {
  const custody = toCustody(await findWalletSlot(reader, owner, 'ethereum'))
  if (custody === undefined) throw walletNotFound()
  return keptByPasskey(custody)
}

export async function askPasskey(context: ServerContext, caller: DialogToken, challenge: string) {
  const { kept } = await keptByPasskeyOf(context.db, caller)
  return { options: optionsFor(context, kept, challenge), salt: keepingIn(kept).salt }
}

/** It is asked by its name. */
export function optionsFor(context: ServerContext, kept: string, challenge: string): AssertionOptions {
  const { credentialId: id, transports } = keepingIn(kept)
  const allowCredentials = [{ id, type: 'public-key' as const, transports }]
  return { ...assertionOptionsOf(askedByWallet(context).rpId, challenge), allowCredentials }
}

/**
 * What the call keeps between its steps. `challenge` is null where this session was not given the one that was
 * answered.
 */
export type PasskeyTry = {
  taken: readonly string[]
  challenge: string | null
  kept: string
}

/** Who still has to verify has not tried, and their challenge is good. */
export async function countPasskeyTry(
  trx: Trx,
  context: ServerContext,
  app: App,
  caller: WalletToken,
  { authenticatorResponse, mfaToken }: Answered,
): Promise<PasskeyTry> {
  const { wallet, kept } = keptByPasskey(await requireCustody(trx, caller, caller.step.walletId))
  await requireVerification(trx, context, caller, mfaToken)
  const allowance = await consume(trx, {
    key: `recovery-passkey:${wallet.id}`,
    quotas: recoveryAttemptLimits,
    nowSeconds: nowSeconds(context.clock),
  })
  if (!allowance.allowed) throw tooManyRequests(allowance.retryAfterSeconds)
  const of = challengeOfRecovery('recover', { app, caller })
  const challenge = await useUpAnswered(trx, context, of, authenticatorResponse)
  return { taken: allowance.taken, challenge: challenge ?? null, kept }
}
type Answered = { authenticatorResponse: Assertion; mfaToken?: string }

export async function checkPasskey(
  context: ServerContext,
  { challenge, kept }: PasskeyTry,
  assertion: Assertion,
): Promise<{ type: 'right'; counter: number } | Wrong> {
  if (challenge === null) return { type: 'wrong', reason: 'client_data', why: 'no challenge of this session' }
  return checkKept(context, kept, challenge, assertion)
}

export const checkKept = (context: ServerContext, kept: string, challenge: string, assertion: Assertion) =>
  checkAnswer(askedByWallet(context), challenge, { ...keepingIn(kept), isNamed: true }, assertion)

export const countedOn = (kept: string, counter: number): string => textOf({ ...keepingIn(kept), counter })

export type RecoveredByPasskey = { type: 'right'; generation: number } | { type: 'wrong' }

export async function decidePasskeyTry(
  trx: Trx,
  context: ServerContext,
  app: App,
  caller: WalletToken,
  { taken, kept }: PasskeyTry,
  answer: Awaited<ReturnType<typeof checkPasskey>>,
  mfaToken: string | undefined,
): Promise<RecoveredByPasskey> {
  if (answer.type === 'wrong') {
    context.log.info({ reason: answer.reason, why: answer.why }, 'A passkey did not recover a wallet')
    return { type: 'wrong' }
  }
  const { wallet } = await requireCustody(trx, caller, caller.step.walletId)
  const { counter } = answer
  // Another passkey may keep it by now.
  if (!(await updatePasskeyCounter(trx, wallet, kept, countedOn(kept, counter)))) return { type: 'wrong' }
  await authorizeRelease(trx, context, app, caller, mfaToken)
  // The right one is no try.
  await refund(trx, taken)
  return { type: 'right', generation: wallet.generation }
}

export async function recoveredByPasskey(
  outcome: RecoveredByPasskey,
  context: ServerContext,
  caller: WalletToken,
) {
  const custody = await requireCustody(context.db, caller, caller.step.walletId)
  if (outcome.type === 'wrong' || custody.wallet.generation !== outcome.generation) throw wrongPasskey()
  return {
    wallet: committedWallet(custody),
    authShare: await sealForStep(context, caller, custody, 'auth'),
    recoveryShare: await sealForStep(context, caller, custody, 'recovery'),
  }
}

const wrongPasskey = () => new LatchkeyError('invalid_recovery_pin', 'This passkey does not open the wallet')
