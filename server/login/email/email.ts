/** Login by a code that is mailed: sending it, and what a code that comes back is worth. */
import { emailLimits, LatchkeyError } from '@latchkey/protocol'
import type { App } from '../../apps/apps.ts'
import { recordAudit } from '../../audit/audit.ts'
import {
  type CodeKey,
  type CodeOrder,
  type CodePurpose,
  codeOf,
  type Guess,
  giveBackOrder,
  rememberBrowser,
  takeCode,
} from '../../codes/codes.ts'
import type { ServerContext, VerifiedToken } from '../../context.ts'
import { mailer } from '../../mail/mail.ts'
import type { Trx } from '../../ports.ts'
import { type Grant, livingSession, startSession } from '../../sessions/sessions.ts'
import { type AccountRefusal, findOrCreateUser, linkAccount, type ProvenAccount } from '../../users/users.ts'
import { requireLoginMethod } from '../allowed.ts'
import { loginCodeMail } from './login-code.ts'

/** A code that is mailed proves an address: for a login, or to link it. */
export const emailCodes: CodePurpose = {
  name: 'email',
  digits: emailLimits.codeLength,
  seconds: emailLimits.codeSeconds,
}

export const requireEmailLogin = (context: ServerContext, app: App): void =>
  requireLoginMethod(context, app, 'emailAuth', 'e-mail')

/** Known and unknown addresses are one here: nothing looks whether there is a user. */
export async function mailCode(
  context: ServerContext,
  app: App,
  key: CodeKey,
  order: CodeOrder,
): Promise<void> {
  const mail = loginCodeMail({
    to: key.identifier,
    code: codeOf(context, key, order),
    app: { name: app.name, logoUrl: app.config.logoUrl },
    dialogOrigin: context.config.dialogOrigin,
  })
  try {
    await mailer.on(context.ports).send(mail)
  } catch (cause) {
    await giveBackOrder(context, order)
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
  key: CodeKey,
  attempt: Guess & { readonly provenKey: string },
): Promise<LoginOutcome> {
  if (!(await takeCode(trx, context, key, attempt))) return { type: 'wrong_code' }
  const user = await findOrCreateUser(trx, context, app, emailAccount(key))
  if (user.type === 'refused') return user
  const { userId, isNewUser } = user
  const grant = await startSession(trx, context, { appId: app.id, userId }, attempt.provenKey)
  await rememberBrowser(trx, context, key)
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
  key: CodeKey,
  guess: Guess,
): Promise<LinkOutcome> {
  await livingSession(trx, context, caller.sessionId)
  if (!(await takeCode(trx, context, key, guess))) return { type: 'wrong_code' }
  const linked = await linkAccount(trx, context, caller, emailAccount(key))
  if (linked.type === 'linked') await rememberBrowser(trx, context, key)
  return linked
}

const emailAccount = ({ identifier }: CodeKey): ProvenAccount => ({
  type: 'email',
  identifier,
  profile: { address: identifier },
})
