/** Login by a mailed one-time code. */
import { emailLimits, LatchkeyError } from '@latchkey/protocol'
import type { App } from '../../identity/apps/apps.ts'
import {
  type CodeKey,
  type CodeOrder,
  type CodePurpose,
  consumeCode,
  countSending,
  deriveCode,
  type Guess,
  refundOrder,
} from '../../identity/codes/codes.ts'
import { sendMail } from '../../integrations/mail/mail.ts'
import { findTemplate } from '../../integrations/templates/templates.ts'
import type { ServerContext, VerifiedToken } from '../../kernel/context.ts'
import type { ProvenBrowser } from '../../kernel/http/endpoint.ts'
import type { Language } from '../../kernel/languages.ts'
import type { Trx } from '../../kernel/ports.ts'
import { requireLoginMethod } from '../allowed.ts'
import {
  type LinkOutcome,
  type LoginOutcome,
  linkWith,
  loginWith,
  type ProvenByCode,
  type ReplaceOutcome,
  replaceWith,
  requireLinkingSession,
} from '../proven.ts'
import { loginCodeMail } from './login-code.ts'

export { loginCodeMail, loginCodeTemplate } from './login-code.ts'

/** The purpose of mailed codes: they prove an address, for a login or a link. */
export const emailCodes: CodePurpose = {
  name: 'email',
  channel: 'email',
  digits: emailLimits.codeLength,
  seconds: emailLimits.codeSeconds,
  getRecipient: toMailbox,
}

/** Mail servers deliver `ada+anything@` to `ada@`, so sends are limited per mailbox. Accounts use the full address. */
function toMailbox(address: string): string {
  const at = address.lastIndexOf('@')
  const tag = address.indexOf('+')
  return tag > 0 && tag < at ? address.slice(0, tag) + address.slice(at) : address
}

export const requireEmailLogin = (app: App): void => requireLoginMethod(app, 'emailAuth', 'e-mail')

type MailingCall = { app: App; language: Language }

/** Does not check whether a user exists, so that known and unknown addresses can not be told apart. */
export async function mailCode(
  context: ServerContext,
  { app, language }: MailingCall,
  key: CodeKey,
  order: CodeOrder,
): Promise<void> {
  if (order.isFixed) return
  const mail = loginCodeMail({
    to: key.identifier,
    code: deriveCode(context, key, order),
    language,
    app: { name: app.name, logoUrl: app.config.logoUrl },
    dialogOrigin: context.config.dialogOrigin,
    template: await findTemplate(context.db, app.id, 'login_code', language),
  })
  try {
    await sendMail(context, app.id, { kind: 'login_code', language, mail })
    countSending(key, 'accepted')
  } catch (cause) {
    countSending(key, 'failed')
    await refundOrder(context, order)
    throw new LatchkeyError('email_not_sent', 'The e-mail could not be sent. Please try again.', { cause })
  }
}

/** Each guess is charged before it is compared. Only a right one proves the address. */
export async function login(
  trx: Trx,
  context: ServerContext,
  app: App,
  key: CodeKey,
  attempt: Guess & { browser: ProvenBrowser },
): Promise<LoginOutcome> {
  if (!(await consumeCode(trx, context, key, attempt))) return { type: 'wrong_code' }
  return loginWith(trx, context, app, provenBy(key), attempt.browser)
}

export async function link(
  trx: Trx,
  context: ServerContext,
  caller: VerifiedToken,
  key: CodeKey,
  guess: Guess,
): Promise<LinkOutcome> {
  await requireLinkingSession(trx, context, caller)
  if (!(await consumeCode(trx, context, key, guess))) return { type: 'wrong_code' }
  return linkWith(trx, context, caller, provenBy(key))
}

export async function update(
  trx: Trx,
  context: ServerContext,
  caller: VerifiedToken,
  key: CodeKey,
  { oldAddress, ...guess }: Guess & { oldAddress: string },
): Promise<ReplaceOutcome> {
  await requireLinkingSession(trx, context, caller)
  if (!(await consumeCode(trx, context, key, guess))) return { type: 'wrong_code' }
  return replaceWith(trx, context, caller, provenBy(key), oldAddress)
}

const provenBy = (key: CodeKey): ProvenByCode => ({
  key,
  method: 'email',
  account: { type: 'email', identifier: key.identifier, profile: { address: key.identifier } },
})
