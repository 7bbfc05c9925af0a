/**
 * A new way in is not at once a way to the wallet. Whoever holds a session for a moment could link an address of their
 * own, and recover the wallet or approve a signature with it later.
 *
 * What a user showed counts from `new_method_hours` on: what their session was logged in with, or the method that
 * verified them. One of the two that is old enough suffices. The account that a user began with is never new.
 */
import { LatchkeyError, type MfaMethodType } from '@latchkey/protocol'
import type { ServerContext, WalletToken } from '../../kernel/context.ts'
import { type App, nowSeconds, type Reader } from '../../kernel/ports.ts'
import { firstAccountId } from '../users/users.ts'

export { accountName, factorName, onDay } from './names.ts'
export {
  type Change,
  findTakeBack,
  readChange,
  type TakeBack,
  takeBackPath,
  tellOfChange,
  useTakeBack,
} from './take-back.ts'

export type MethodEvidence = {
  app: Pick<App, 'login'>
  caller: Pick<WalletToken, 'sessionId' | 'userId'>
  /** `any`: before the user said which, each that they have. */
  verifiedBy: MfaMethodType | 'any' | undefined
}

/** Refuses a user who showed only what is new. */
export async function requireOlderMethod(
  reader: Reader,
  { clock }: Pick<ServerContext, 'clock'>,
  { app, caller, verifiedBy }: MethodEvidence,
): Promise<void> {
  const waitSeconds = app.login.newMethodHours * 3_600
  if (waitSeconds === 0) return
  const login = await loginOf(reader, caller.sessionId)
  if (login?.isFirst) return
  const factors = verifiedBy === undefined ? [] : await factorsOf(reader, caller.userId)
  const shown = factors.filter(({ method }) => verifiedBy === 'any' || method === verifiedBy)
  const since = [...(login?.since === undefined ? [] : [login.since]), ...shown.map((factor) => factor.since)]
  const until = Math.min(...since) + waitSeconds
  if (until <= nowSeconds(clock)) return
  throw tooNew(Number.isFinite(until) ? until : undefined, app.login.newMethodHours)
}

/** `until`: none for a session that does not say what it was logged in with. */
function tooNew(until: number | undefined, hours: number): LatchkeyError {
  const wait = until === undefined ? '' : ` It works from ${new Date(until * 1_000).toISOString()} on.`
  return new LatchkeyError(
    'method_too_new',
    `This was done with a method that is new to the account.${wait} Log in with one that the user had before.`,
    { details: { until: until ?? null, hours } },
  )
}

type Login = {
  /** When what it was logged in with came to its user; undefined for a session that does not say. */
  since: number | undefined
  /** The user began with it. */
  isFirst: boolean
}

async function loginOf(reader: Reader, sessionId: string): Promise<Login | undefined> {
  const session = await reader
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select([
      'sessions.user_id',
      'sessions.account_id',
      'sessions.account_linked_at',
      'users.first_account_id',
    ])
    .where('sessions.id', '=', sessionId)
    .executeTakeFirst()
  if (!session || session.account_id === null) return undefined
  const first = session.first_account_id ?? (await firstAccountId(reader, session.user_id))
  return { since: session.account_linked_at ?? undefined, isFirst: session.account_id === first }
}

/** A list of passkeys that was changed is a new one. */
async function factorsOf(
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
