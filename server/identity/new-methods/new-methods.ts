/**
 * A new way in is not at once a way to the wallet. Whoever holds a session for a moment could link an address of their
 * own, and recover the wallet with it from elsewhere.
 *
 * What a user showed counts from `new_method_hours` on: what their session was logged in with, or the method that
 * verified them. One of the two that is old enough suffices. The account that a user began with is never new.
 */
import { LatchkeyError, type MfaMethodType } from '@latchkey/protocol'
import type { ServerContext, WalletToken } from '../../kernel/context.ts'
import { type App, nowSeconds, type Reader, type Trx } from '../../kernel/ports.ts'
import { factorsOf, loginOf } from './store.ts'

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

export type Shown = {
  readonly app: Pick<App, 'login'>
  readonly caller: Pick<WalletToken, 'sessionId' | 'userId'>
  /** `any`: before the user said which, each that they have. */
  readonly verifiedBy: MfaMethodType | 'any' | undefined
}

/** Refuses a user who showed only what is new. */
export async function requireOlderMethod(
  reader: Reader,
  { clock }: Pick<ServerContext, 'clock'>,
  { app, caller, verifiedBy }: Shown,
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

/**
 * For calls that take the user's approval: only a verification by a method that is new is refused, as it proves
 * nothing by itself.
 */
export async function requireVerifiedByOlder(
  trx: Trx,
  context: Pick<ServerContext, 'clock'>,
  shown: Shown,
): Promise<void> {
  if (shown.verifiedBy !== undefined) await requireOlderMethod(trx, context, shown)
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
