/**
 * Delays wallet access with new login methods. An attacker with a hijacked session could otherwise link their own
 * address, and later recover the wallet or approve signatures with it.
 *
 * A method counts after `new_method_hours`: the account of the session's login, or the second factor of the
 * verification. One old enough method suffices. The sign-up account always counts.
 */
import { LatchkeyError, type MfaMethodType } from '@latchkey/protocol'
import type { ServerContext, WalletToken } from '../../kernel/context.ts'
import { type App, nowSeconds, type Reader } from '../../kernel/ports.ts'
import { invalidToken } from '../sessions/sessions.ts'
import { firstAccountId } from '../users/users.ts'

export { accountName, factorName, formatTime } from './names.ts'
export {
  type Change,
  findTakeBack,
  notifyOfChange,
  readChange,
  type TakeBack,
  takeBackPath,
  useTakeBack,
} from './take-back.ts'

export type MethodEvidence = {
  app: Pick<App, 'login'>
  caller: Pick<WalletToken, 'sessionId' | 'userId'>
  /** `any`: all enrolled factors, before the user has chosen one. */
  verifiedBy: MfaMethodType | 'any' | undefined
}

/** Throws unless the login or the verification used a method that is old enough. */
export async function requireOlderMethod(
  reader: Reader,
  { clock }: Pick<ServerContext, 'clock'>,
  { app, caller, verifiedBy }: MethodEvidence,
): Promise<void> {
  const waitSeconds = app.login.newMethodHours * 3_600
  if (waitSeconds === 0) return
  const login = await findLogin(reader, caller.sessionId)
  if (login.isFirst) return
  const factors = verifiedBy === undefined ? [] : await findFactors(reader, caller.userId)
  const usedFactors = factors.filter(({ method }) => verifiedBy === 'any' || method === verifiedBy)
  const since = [
    ...(login.since === undefined ? [] : [login.since]),
    ...usedFactors.map((factor) => factor.since),
  ]
  const until = Math.min(...since) + waitSeconds
  if (until <= nowSeconds(clock)) return
  throw tooNew(Number.isFinite(until) ? until : undefined, app.login.newMethodHours)
}

/** `until` is undefined if the session has no recorded login account. */
function tooNew(until: number | undefined, hours: number): LatchkeyError {
  const wait = until === undefined ? '' : ` It works from ${new Date(until * 1_000).toISOString()} on.`
  return new LatchkeyError(
    'method_too_new',
    `This was done with a method that is new to the account.${wait} Log in with one that the user had before.`,
    { details: { until: until ?? null, hours } },
  )
}

type Login = {
  /** When the login account was linked. Undefined if the session has no record of it. */
  since: number | undefined
  /** True for the sign-up account. */
  isFirst: boolean
}

/** Throws if the user was deleted after the call was authenticated: the account rows are gone then. */
async function findLogin(reader: Reader, sessionId: string): Promise<Login> {
  const session = await reader
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select([
      'sessions.user_id',
      'sessions.account_id',
      'sessions.account_linked_at',
      'users.first_account_id',
      'users.deleted_at',
    ])
    .where('sessions.id', '=', sessionId)
    .executeTakeFirst()
  if (!session || session.deleted_at !== null) throw invalidToken()
  if (session.account_id === null) return { since: undefined, isFirst: false }
  const first = session.first_account_id ?? (await firstAccountId(reader, session.user_id))
  return { since: session.account_linked_at ?? undefined, isFirst: session.account_id === first }
}

/** Returns the enrolled factors with the time of their last change. A changed passkey list counts as new. */
async function findFactors(
  reader: Reader,
  userId: string,
): Promise<readonly { method: MfaMethodType; since: number }[]> {
  const rows = await reader
    .selectFrom('mfa_methods')
    .select(['method', 'enrolled_at', 'changed_at'])
    .where('user_id', '=', userId)
    .where('status', '=', 'enrolled')
    .execute()
  return rows.flatMap(({ method, enrolled_at, changed_at }) =>
    enrolled_at === null ? [] : [{ method, since: Math.max(enrolled_at, changed_at ?? 0) }],
  )
}
