/**
 * How methods come and go. A user who has one verifies before that changes: at the beginning of an enrolment, which
 * then is its session's to end; else at its end, where another session enrolled a method meanwhile.
 */
import { LatchkeyError, type MfaMethodType, mfaLimits } from '@latchkey/protocol'
import type { App } from '../../identity/apps/apps.ts'
import { recordAudit } from '../../identity/audit/audit.ts'
import { requireOlderMethod } from '../../identity/new-methods/new-methods.ts'
import { livingSession } from '../../identity/sessions/sessions.ts'
import { holdUser } from '../../identity/users/users.ts'
import type { DialogToken, ServerContext, WalletToken } from '../../kernel/context.ts'
import { randomId } from '../../kernel/ids.ts'
import { nowSeconds, type Reader, type Trx } from '../../kernel/ports.ts'
import { consumeConfirmation } from '../../wallet/confirm/confirm.ts'
import * as store from './method-store.ts'
import { requireAny, requireVerification, useVerification } from './verification.ts'

export type EnrollingCaller = DialogToken | WalletToken
/** What the method keeps. */
export type Kept = {
  id?: string
  secret?: string
  phoneNumber?: string
}

export function requireOffered(app: App, method: MfaMethodType): void {
  if (app.config.mfaMethods.includes(method)) return
  throw new LatchkeyError('not_supported', `This app has no verification by ${method}`)
}

/** Locks the user, so that their methods stay as they are until the end of the transaction that decides by them. */
export async function holdMethods(trx: Trx, context: ServerContext, caller: EnrollingCaller): Promise<void> {
  await livingSession(trx, context, caller.sessionId)
  await holdUser(trx, caller)
}

/**
 * The enrolment of this session, under the user's hold: the one that is there, which costs no second verification, or
 * a new one in the place of another session's.
 */
export async function beginEnrolment(
  trx: Trx,
  context: ServerContext,
  caller: EnrollingCaller,
  { method, kept, mfaToken }: { method: MfaMethodType; kept: Kept; mfaToken: string | undefined },
): Promise<string> {
  const now = nowSeconds(context.clock)
  const there = await store.findMethod(trx, caller.userId, method)
  if (there?.status === 'enrolled') {
    throw new LatchkeyError('not_supported', 'The user has this method already')
  }
  const open = isOpen(there, caller, now) ? there : undefined
  if (open && open.phone_number === (kept.phoneNumber ?? null)) return open.id
  // Another number in the same enrolment is no second one.
  const isVerified = open?.is_verified === 1 || (await verifiedBy(trx, context, caller, mfaToken))
  const id = kept.id ?? randomId()
  await store.putMethod(trx, {
    id,
    app_id: caller.appId,
    user_id: caller.userId,
    method,
    status: 'pending',
    secret: kept.secret ?? null,
    last_step: 0,
    phone_number: kept.phoneNumber ?? null,
    session_id: caller.sessionId,
    is_verified: isVerified ? 1 : 0,
    begun_at: now,
    enrolled_at: null,
    changed_at: null,
    expires_at: now + mfaLimits.enrolmentSeconds,
  })
  return id
}

/** A page has no verification to bring: where one is due, the wallet frame begins. */
async function verifiedBy(
  trx: Trx,
  context: ServerContext,
  caller: EnrollingCaller,
  mfaToken: string | undefined,
): Promise<boolean> {
  if (caller.scope === 'wallet') {
    return (await useVerification(trx, context, caller, mfaToken)) !== undefined
  }
  return requireAny(trx, caller, undefined)
}

const isOpen = (
  row: store.MfaMethod | undefined,
  { sessionId }: EnrollingCaller,
  now: number,
): row is store.MfaMethod =>
  row?.status === 'pending' && row.session_id === sessionId && (row.expires_at ?? 0) > now

/** The enrolment that this session began and that is not over. */
export async function openEnrolment(
  reader: Reader,
  { clock }: ServerContext,
  caller: EnrollingCaller,
  method: MfaMethodType,
): Promise<store.MfaMethod> {
  const row = await store.findMethod(reader, caller.userId, method)
  if (isOpen(row, caller, nowSeconds(clock))) return row
  throw new LatchkeyError('not_found', 'This enrolment is over. Please begin again.')
}

/** Before a code is compared: the end of the enrolment will find the verification that it needs. */
export async function requireReady(
  trx: Trx,
  context: ServerContext,
  caller: WalletToken,
  enrolment: store.MfaMethod,
  mfaToken: string | undefined,
): Promise<void> {
  if (!enrolment.is_verified) await requireVerification(trx, context, caller, mfaToken)
}

/** This is stored as the outcome of the call; the user is told of the change from it. */
export type Changed = {
  type: 'changed'
  change: 'added' | 'removed' | 'replaced'
  method: MfaMethodType
}
export type Unchanged = { type: 'unchanged' }
export const unchanged: Unchanged = { type: 'unchanged' }

/** Under the user's hold: from here on the method verifies. */
export async function endEnrolment(
  trx: Trx,
  context: ServerContext,
  caller: WalletToken,
  enrolment: Pick<store.MfaMethod, 'id' | 'method' | 'is_verified'>,
  { mfaToken, lastStep = 0 }: { mfaToken: string | undefined; lastStep?: number },
): Promise<Changed> {
  const { id, method } = enrolment
  const by = enrolment.is_verified ? undefined : await useVerification(trx, context, caller, mfaToken)
  if (!(await store.enrollMethod(trx, id, { nowSeconds: nowSeconds(context.clock), lastStep }))) {
    throw new LatchkeyError('not_found', 'This enrolment is over. Please begin again.')
  }
  await auditChange(trx, context, caller, 'mfa.enrolled', { method, verified: by ?? null })
  return { type: 'changed', change: 'added', method }
}

/** Under the user's hold, with what they approved. Nothing happens to a user who does not have the method. */
export async function removeMethod(
  trx: Trx,
  context: ServerContext,
  { app, caller }: { app: App; caller: WalletToken },
  method: MfaMethodType,
  mfaToken: string | undefined,
): Promise<Changed | Unchanged> {
  const own = await store.findMethod(trx, caller.userId, method)
  if (own?.status !== 'enrolled') return unchanged
  await consumeConfirmation(trx, context, app, caller, { method: 'remove-method', params: [method] })
  const by = await useVerification(trx, context, caller, mfaToken)
  await requireOlderMethod(trx, context, { app, caller, verifiedBy: by })
  await store.removeMethod(trx, caller.userId, method)
  await auditChange(trx, context, caller, 'mfa.unenrolled', { method, verified: by ?? null })
  return { type: 'changed', change: 'removed', method }
}

export const auditChange = (
  trx: Trx,
  { clock }: ServerContext,
  { appId, userId, sessionId }: WalletToken,
  event: 'mfa.enrolled' | 'mfa.unenrolled' | 'mfa.passkeys_changed',
  details: Readonly<Record<string, string | number | null>>,
) => recordAudit(trx, clock, { event, appId, userId, sessionId, details })
