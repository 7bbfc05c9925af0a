/**
 * Enrols and removes second factors. A user with a second factor verifies before a change: when the enrolment begins,
 * or when it ends if another session enrolled a method meanwhile.
 */
import { LatchkeyError, type MfaMethodType, mfaLimits } from '@latchkey/protocol'
import type { App } from '../../identity/apps/apps.ts'
import { recordAudit } from '../../identity/audit/audit.ts'
import { requireOlderMethod } from '../../identity/new-methods/new-methods.ts'
import { requireLivingSession } from '../../identity/sessions/sessions.ts'
import { lockUser } from '../../identity/users/users.ts'
import type { DialogToken, ServerContext, WalletToken } from '../../kernel/context.ts'
import { randomId } from '../../kernel/ids.ts'
import { nowSeconds, type Reader, type Trx } from '../../kernel/ports.ts'
import { consumeConfirmation } from '../../wallet/confirm/confirm.ts'
import * as store from './method-store.ts'
import { consumeVerification, requireFactorIfEnrolled, requireVerification } from './verification.ts'

export type EnrollingCaller = DialogToken | WalletToken
/** The data that a method stores. */
export type MethodData = {
  id?: string
  secret?: string
  phoneNumber?: string
}

export function requireOffered(app: App, method: MfaMethodType): void {
  if (app.config.mfaMethods.includes(method)) return
  throw new LatchkeyError('not_supported', `This app does not offer the second factor ${method}`)
}

/** Locks the user, so that the second factors cannot change during the transaction. */
export async function holdMethods(trx: Trx, context: ServerContext, caller: EnrollingCaller): Promise<void> {
  await requireLivingSession(trx, context, caller.sessionId)
  await lockUser(trx, caller)
}

/**
 * Begins an enrolment, or continues this session's pending one without a second verification. Replaces a pending
 * enrolment of another session. The caller has locked the user.
 */
export async function beginEnrolment(
  trx: Trx,
  context: ServerContext,
  caller: EnrollingCaller,
  { method, kept, mfaToken }: { method: MfaMethodType; kept: MethodData; mfaToken: string | undefined },
): Promise<string> {
  const now = nowSeconds(context.clock)
  const existing = await store.findMethod(trx, caller.userId, method)
  if (existing?.status === 'enrolled') {
    throw new LatchkeyError('not_supported', 'The user already has this method')
  }
  const open = isOpen(existing, caller, now) ? existing : undefined
  if (open && open.phone_number === (kept.phoneNumber ?? null)) return open.id
  // Changing the number continues the same enrolment.
  const isVerified = open?.is_verified === 1 || (await verifiedBy(trx, context, caller, mfaToken))
  const id = kept.id ?? randomId()
  await store.upsertPendingMethod(trx, {
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

/** Verifies the user if required. A page has no verification, so the wallet frame must begin the enrolment then. */
async function verifiedBy(
  trx: Trx,
  context: ServerContext,
  caller: EnrollingCaller,
  mfaToken: string | undefined,
): Promise<boolean> {
  if (caller.scope === 'wallet') {
    return (await consumeVerification(trx, context, caller, mfaToken)) !== undefined
  }
  return requireFactorIfEnrolled(trx, caller, undefined)
}

const isOpen = (
  row: store.MfaMethod | undefined,
  { sessionId }: EnrollingCaller,
  now: number,
): row is store.MfaMethod =>
  row?.status === 'pending' && row.session_id === sessionId && (row.expires_at ?? 0) > now

/** Returns this session's pending enrolment, or throws. */
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

/** Requires the verification that the end of the enrolment needs, before the code is compared. */
export async function requireReady(
  trx: Trx,
  context: ServerContext,
  caller: WalletToken,
  enrolment: store.MfaMethod,
  mfaToken: string | undefined,
): Promise<void> {
  if (!enrolment.is_verified) await requireVerification(trx, context, caller, mfaToken)
}

/** Stored as the outcome of the call. The notification is created from it. */
export type Changed = {
  type: 'changed'
  change: 'added' | 'removed' | 'replaced'
  method: MfaMethodType
}
export type Unchanged = { type: 'unchanged' }
export const unchanged: Unchanged = { type: 'unchanged' }

/** Completes the enrolment. The caller has locked the user. */
export async function endEnrolment(
  trx: Trx,
  context: ServerContext,
  caller: WalletToken,
  enrolment: Pick<store.MfaMethod, 'id' | 'method' | 'is_verified'>,
  { mfaToken, lastStep = 0 }: { mfaToken: string | undefined; lastStep?: number },
): Promise<Changed> {
  const { id, method } = enrolment
  const by = enrolment.is_verified ? undefined : await consumeVerification(trx, context, caller, mfaToken)
  if (!(await store.enrollMethod(trx, id, { nowSeconds: nowSeconds(context.clock), lastStep }))) {
    throw new LatchkeyError('not_found', 'This enrolment is over. Please begin again.')
  }
  await auditChange(trx, context, caller, 'mfa.enrolled', { method, verified: by ?? null })
  return { type: 'changed', change: 'added', method }
}

/** Removes a method with the user's approval, or does nothing if it is not enrolled. The caller has locked the user. */
export async function removeMethod(
  trx: Trx,
  context: ServerContext,
  { app, caller }: { app: App; caller: WalletToken },
  method: MfaMethodType,
  mfaToken: string | undefined,
): Promise<Changed | Unchanged> {
  const existing = await store.findMethod(trx, caller.userId, method)
  if (existing?.status !== 'enrolled') return unchanged
  await consumeConfirmation(trx, context, app, caller, { method: 'remove-method', params: [method] })
  const by = await consumeVerification(trx, context, caller, mfaToken)
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
