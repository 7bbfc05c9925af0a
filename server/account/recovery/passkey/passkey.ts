/**
 * Recovery by passkey. The recovery passkey is separate from login passkeys, so unlinking a login keeps the wallet. The
 * encrypted share is released for one assertion of a challenge that this session received. The PRF output never
 * reaches the server.
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
import { requireLivingSession } from '../../../identity/sessions/sessions.ts'
import { getDisplayName } from '../../../identity/users/users.ts'
import { consume, refund, tooManyRequests } from '../../../kernel/attempts/attempts.ts'
import type { DialogToken, ServerContext, WalletToken } from '../../../kernel/context.ts'
import { type App, nowSeconds, type Reader, type Trx } from '../../../kernel/ports.ts'
import {
  askedByWallet,
  challengeOfRecovery,
  checkAnswer,
  createAssertionOptions,
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

/** The recovery passkey that a wallet stores. Ignores fields that a newer release added. */
const recoveryPasskeySchema = v.object({
  credentialId: v.string(),
  publicKey: v.string(),
  counter: v.number(),
  transports: v.array(v.string()),
  userHandle: v.string(),
  salt: v.string(),
})
type RecoveryPasskey = v.InferOutput<typeof recoveryPasskeySchema>

const parseRecoveryPasskey = (text: string): RecoveryPasskey =>
  v.parse(recoveryPasskeySchema, JSON.parse(text))
const serialize = (keeping: RecoveryPasskey) => JSON.stringify(keeping)

/**
 * Derives salt and user handle from the challenge, so that no state is stored before the passkey exists. Each passkey
 * has its own user handle. Otherwise an authenticator would overwrite the current recovery passkey too early.
 */
function deriveFromChallenge(challenge: string) {
  const hash = (text: string) => createHash('sha256').update(text).digest('base64url')
  return {
    salt: hash(createPasskeySaltInput(challenge)),
    userHandle: hash(`${product.key}/recovery-passkey/user/1\n${challenge}`),
  }
}

export async function renderNewPasskeyOptions(
  context: ServerContext,
  app: App,
  { userId }: DialogToken,
  challenge: string,
): Promise<{ options: AttestationOptions; salt: string }> {
  const { salt, userHandle } = deriveFromChallenge(challenge)
  const displayName = await getDisplayName(context.db, { appId: app.id, userId })
  // Authenticators display this name next to the user's login passkeys.
  const name = `Wallet recovery: ${displayName === undefined ? app.name : `${displayName} (${app.name})`}`
  return {
    options: newPasskeyOptions({ name: app.name, id: askedByWallet(context).rpId }, challenge, {
      id: userHandle,
      name,
      displayName: name,
    }),
    salt,
  }
}

/** Consumes the quota for new recovery passkeys. */
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
  await requireLivingSession(trx, context, caller.sessionId)
  const keeping = { credentialId, publicKey, counter, transports, ...deriveFromChallenge(challenge) }
  await saveNewPasskey(trx, caller, {
    credentialId,
    passkey: serialize(keeping),
    expiresAt: nowSeconds(context.clock) + recoveryPasskeyLimits.unusedSeconds,
  })
  return { credentialId }
}

export type PasskeyWallet = Custody & { kept: string }

/** Returns the stored recovery passkey of the wallet, if it has one. */
export function getStoredPasskey({ wallet: { recovery_method: method, recovery_access: kept } }: Custody) {
  return method === 'passkey' && kept !== null ? kept : undefined
}

function toPasskeyWallet(custody: Custody): PasskeyWallet {
  const storedPasskey = getStoredPasskey(custody)
  if (storedPasskey === undefined) throw recoveryNotAllowed()
  return { ...custody, kept: storedPasskey }
}

/** Returns the user's Ethereum wallet with its recovery passkey, or throws. */
export async function requirePasskeyWallet(reader: Reader, owner: Owner): Promise<PasskeyWallet> {
  const custody = toCustody(await findWalletSlot(reader, owner, 'ethereum'))
  if (custody === undefined) throw walletNotFound()
  return toPasskeyWallet(custody)
}

export async function renderPasskeyChallenge(context: ServerContext, caller: DialogToken, challenge: string) {
  const { kept } = await requirePasskeyWallet(context.db, caller)
  return { options: optionsFor(context, kept, challenge), salt: parseRecoveryPasskey(kept).salt }
}

/** Returns assertion options that name the recovery passkey. */
export function optionsFor(context: ServerContext, kept: string, challenge: string): AssertionOptions {
  const { credentialId: id, transports } = parseRecoveryPasskey(kept)
  const allowCredentials = [{ id, type: 'public-key' as const, transports }]
  return { ...createAssertionOptions(askedByWallet(context).rpId, challenge), allowCredentials }
}

/**
 * The state stored between the steps of the call. `challenge` is null if this session did not receive it.
 */
export type PasskeyAttempt = {
  taken: readonly string[]
  challenge: string | null
  kept: string
}

/** Consumes an attempt and the challenge. A missing second factor throws first and consumes neither. */
export async function countPasskeyAttempt(
  trx: Trx,
  context: ServerContext,
  app: App,
  caller: WalletToken,
  { authenticatorResponse, mfaToken }: Answered,
): Promise<PasskeyAttempt> {
  const { wallet, kept } = toPasskeyWallet(await requireCustody(trx, caller, caller.step.walletId))
  await requireVerification(trx, context, caller, mfaToken)
  const allowance = await consume(trx, {
    key: `recovery-passkey:${wallet.id}`,
    quotas: recoveryAttemptLimits,
    nowSeconds: nowSeconds(context.clock),
  })
  if (!allowance.allowed) throw tooManyRequests(allowance.retryAfterSeconds)
  const target = challengeOfRecovery('recover', { app, caller })
  const challenge = await useUpAnswered(trx, context, target, authenticatorResponse)
  return { taken: allowance.taken, challenge: challenge ?? null, kept }
}
type Answered = { authenticatorResponse: Assertion; mfaToken?: string }

export async function checkPasskey(
  context: ServerContext,
  { challenge, kept }: PasskeyAttempt,
  assertion: Assertion,
): Promise<{ type: 'right'; counter: number } | Wrong> {
  if (challenge === null) return { type: 'wrong', reason: 'client_data', why: 'no challenge of this session' }
  return verifyStoredPasskey(context, kept, challenge, assertion)
}

export const verifyStoredPasskey = (
  context: ServerContext,
  kept: string,
  challenge: string,
  assertion: Assertion,
) =>
  checkAnswer(askedByWallet(context), challenge, { ...parseRecoveryPasskey(kept), isNamed: true }, assertion)

export const withCounter = (kept: string, counter: number): string =>
  serialize({ ...parseRecoveryPasskey(kept), counter })

export type PasskeyRecoveryOutcome = { type: 'right'; generation: number } | { type: 'wrong' }

export async function decidePasskeyAttempt(
  trx: Trx,
  context: ServerContext,
  app: App,
  caller: WalletToken,
  { taken, kept }: PasskeyAttempt,
  answer: Awaited<ReturnType<typeof checkPasskey>>,
  mfaToken: string | undefined,
): Promise<PasskeyRecoveryOutcome> {
  if (answer.type === 'wrong') {
    context.log.info({ reason: answer.reason, why: answer.why }, 'Passkey recovery failed')
    return { type: 'wrong' }
  }
  const { wallet } = await requireCustody(trx, caller, caller.step.walletId)
  const { counter } = answer
  // The recovery passkey may have been replaced meanwhile.
  if (!(await updatePasskeyCounter(trx, wallet, kept, withCounter(kept, counter)))) return { type: 'wrong' }
  await authorizeRelease(trx, context, app, caller, mfaToken)
  // Refunds the attempt, because the assertion was valid.
  await refund(trx, taken)
  return { type: 'right', generation: wallet.generation }
}

export async function renderPasskeyRecovery(
  outcome: PasskeyRecoveryOutcome,
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
