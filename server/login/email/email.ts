/** Login by a code that is mailed: sending it, and what a code that comes back is worth. */
import { emailLimits, LatchkeyError, messages } from '@latchkey/protocol'
import type { App } from '../../apps/apps.ts'
import { refund, tooManyRequests } from '../../attempts/attempts.ts'
import { recordAudit } from '../../audit/audit.ts'
import type { ServerContext, VerifiedToken } from '../../context.ts'
import { loginCodeMail } from '../../mail/mail.ts'
import { nowSeconds, type Trx } from '../../ports.ts'
import { type Grant, livingSession, startSession } from '../../sessions/sessions.ts'
import { type AccountRefusal, findOrCreateUser, linkAccount, type ProvenAccount } from '../../users/users.ts'
import { spend } from './budgets.ts'
import { codeOf, hashOfCode, newSeed, sameHash } from './code.ts'
import { type CodePlace, findCodeHash, putCode, rememberBrowser, takeCode } from './store.ts'

export function requireEmailLogin(app: App): void {
  if (!app.config.emailAuth) {
    throw new LatchkeyError('disallowed_login_method', 'Login with e-mail is not allowed in this app')
  }
}

/** What a call to send was decided to do: it makes the same code whenever it is carried out. */
export type CodeOrder = { readonly seed: string; readonly orderedAt: number }

export const orderCode = (context: ServerContext): CodeOrder => ({
  seed: newSeed(),
  orderedAt: nowSeconds(context.clock),
})

/** Known and unknown addresses are one here: nothing looks whether there is a user. */
export async function sendCode(
  context: ServerContext,
  app: App,
  place: CodePlace,
  order: CodeOrder,
): Promise<void> {
  const code = codeOf(context, order.seed)
  const allowance = await context.transaction(async (trx) => {
    const spent = await spend(trx, 'send', place, nowSeconds(context.clock))
    if (!spent.allowed) return spent
    await putCode(trx, {
      app_id: place.appId,
      address: place.address,
      binding: place.binding,
      code_hash: hashOfCode(context, place, code),
      expires_at: order.orderedAt + emailLimits.codeSeconds,
      sent_at: order.orderedAt,
    })
    return spent
  })
  if (!allowance.allowed) throw tooManyRequests(allowance.retryAfterSeconds)
  const { dialogOrigin } = context.config
  const { name, config } = app
  try {
    await context.mailer.send(
      loginCodeMail({ to: place.address, code, app: { name, logoUrl: config.logoUrl }, dialogOrigin }),
    )
  } catch (cause) {
    await refund(context.db, allowance.taken)
    throw new LatchkeyError('email_not_sent', 'The e-mail could not be sent. Please try again.', { cause })
  }
}

/** Kept as the outcome of the call. A wrong guess is counted even when its answer is lost and asked for again. */
export type LoginOutcome =
  | { readonly type: 'in'; readonly userId: string; readonly isNewUser: boolean; readonly grant: Grant }
  | { readonly type: 'wrong_code' }
  | { readonly type: 'refused'; readonly code: AccountRefusal }

export async function login(
  trx: Trx,
  context: ServerContext,
  app: App,
  place: CodePlace,
  attempt: { readonly code: string; readonly provenKey: string },
): Promise<LoginOutcome> {
  if (!(await useCode(trx, context, place, attempt.code))) return { type: 'wrong_code' }
  const user = await findOrCreateUser(trx, context, app, emailAccount(place))
  if (user.type === 'refused') return user
  const { userId, isNewUser } = user
  const grant = await startSession(trx, context, { appId: app.id, userId }, attempt.provenKey)
  await remember(trx, context, place)
  await recordAudit(trx, context.clock, {
    event: 'session.started',
    appId: app.id,
    userId,
    sessionId: grant.sessionId,
    details: { method: 'email' },
  })
  return { type: 'in', userId, isNewUser, grant }
}

export type LinkOutcome =
  | { readonly type: 'linked' }
  | { readonly type: 'wrong_code' }
  | { readonly type: 'refused'; readonly code: AccountRefusal }

/** A login method outlasts the session that linked it, so that session lives in the transaction that links. */
export async function link(
  trx: Trx,
  context: ServerContext,
  caller: VerifiedToken,
  place: CodePlace,
  code: string,
): Promise<LinkOutcome> {
  await livingSession(trx, context, caller.sessionId)
  if (!(await useCode(trx, context, place, code))) return { type: 'wrong_code' }
  const linked = await linkAccount(trx, context, caller, emailAccount(place))
  if (linked.type === 'linked') await remember(trx, context, place)
  return linked
}

/** Wrong, expired, used, or of another browser: whoever guesses learns none of it. */
export const wrongCode = () => new LatchkeyError('invalid_credentials', messages.invalidVerificationCode)

const emailAccount = ({ address }: CodePlace): ProvenAccount => ({
  type: 'email',
  identifier: address,
  profile: { address },
})

/** The guess is counted before anything is compared; the right one gives its own place back, and no other. */
async function useCode(trx: Trx, context: ServerContext, place: CodePlace, code: string): Promise<boolean> {
  const now = nowSeconds(context.clock)
  const allowance = await spend(trx, 'guess', place, now)
  if (!allowance.allowed) throw tooManyRequests(allowance.retryAfterSeconds)
  const expected = await findCodeHash(trx, place, now)
  const presented = hashOfCode(context, place, code)
  const isRight = sameHash(expected ?? '', presented) && (await takeCode(trx, place, presented))
  if (isRight) await refund(trx, allowance.taken)
  return isRight
}

async function remember(trx: Trx, context: ServerContext, place: CodePlace): Promise<void> {
  if (place.binding !== '') await rememberBrowser(trx, place, nowSeconds(context.clock))
}
