/**
 * Approves a request by a one-time code. An app with the opener policy `same-origin` isolates the confirmation page
 * from the app, so the device key cannot approve there. The code goes by mail, else by SMS, for this request only.
 * The message names the request and the hostname where the code may be entered. A user without such an address enters
 * an authenticator code. That code names no request, so it is the last choice.
 */
import { emailLimits, LatchkeyError } from '@latchkey/protocol'
import { findFixedCode } from '../../../identity/apps/apps.ts'
import {
  type Caller,
  type CodeKey,
  type CodeOrder,
  type CodePurpose,
  consumeCode,
  countSending,
  deriveCode,
  orderCode,
  refundOrder,
  wrongCode,
} from '../../../identity/codes/codes.ts'
import { createSettledCheck, findContacts } from '../../../identity/notices/notices.ts'
import type { Contact } from '../../../identity/users/users.ts'
import { mailer } from '../../../integrations/mail/mail.ts'
import { parsePhoneNumber, type SmsTexter, smsTexter } from '../../../integrations/sms/sms.ts'
import { findTemplate } from '../../../integrations/templates/templates.ts'
import type { ServerContext } from '../../../kernel/context.ts'
import type { Language } from '../../../kernel/languages.ts'
import { type App, nowSeconds, type Reader, type Trx } from '../../../kernel/ports.ts'
import type { ConfirmationRow } from '../tables.ts'
import { authenticatorCodes } from './authenticator-codes.ts'
import { renderCodeMail, renderCodeText } from './code-mail.ts'

const purposes: { readonly [way in Contact['by']]: CodePurpose } = {
  mail: {
    name: 'confirmation',
    channel: 'email',
    digits: emailLimits.codeLength,
    seconds: emailLimits.codeSeconds,
  },
  sms: {
    name: 'confirmation-sms',
    channel: 'sms',
    digits: emailLimits.codeLength,
    seconds: emailLimits.codeSeconds,
    isPaid: true,
  },
}

type Approving = { app: App; row: ConfirmationRow }

/** Whether the app's opener policy isolates its popups. Otherwise the session's device key approves. */
export const isOpenerIsolated = ({ config }: App): boolean => config.crossOriginOpenerPolicy === 'same-origin'

export function requireOpenerIsolation(app: App): void {
  if (isOpenerIsolated(app)) return
  throw new LatchkeyError('not_supported', 'This app does not isolate its popups by an opener policy')
}

/** The source of a code. `totp` sends nothing. */
type CodeChannel = Pick<Contact, 'by' | 'to'> | { by: 'totp' }

/**
 * Chooses the user's oldest e-mail address, else the oldest phone number, else the authenticator app. Skips new ones,
 * because an attacker with a session could link their own. The sign-up account is never new.
 */
async function chooseChannel(
  reader: Reader,
  context: ServerContext,
  { app, row }: Approving,
): Promise<CodeChannel> {
  const { user_id: userId } = row
  const { newMethodHours } = app.login
  const now = nowSeconds(context.clock)
  const [contacts, isSettled, appSince] = await Promise.all([
    findContacts(reader, userId),
    createSettledCheck(reader, { userId, newMethodHours, nowSeconds: now }),
    authenticatorCodes.get(context.ports).since(reader, userId),
  ])
  const reached = contacts.filter(({ by }) => by === 'mail' || smsTexter.get(context.ports) !== undefined)
  const settled = reached.filter(isSettled).toSorted((one, other) => one.since - other.since)
  const contact = settled.find(({ by }) => by === 'mail') ?? settled[0]
  if (contact) return contact
  const times = [...reached.map(({ since }) => since), ...(appSince === undefined ? [] : [appSince])]
  if (appSince !== undefined && isSettled({ source: 'factor totp', since: appSince })) return { by: 'totp' }
  if (times.length === 0) {
    throw new LatchkeyError(
      'linked_account_not_found',
      'The user has no address or number that can receive a code',
    )
  }
  throw new LatchkeyError('method_too_new', 'The addresses that could receive a code are too new', {
    details: { until: Math.min(...times) + newMethodHours * 3_600 },
  })
}

/** Binds the code to the request, so that it is valid for no other one. */
const getCodeKey = ({ app, row }: Approving, { by, to }: Pick<Contact, 'by' | 'to'>): CodeKey => ({
  appId: app.id,
  purpose: purposes[by],
  identifier: to,
  binding: row.id,
})

export type OrderedCode = { by: 'totp' } | (Pick<Contact, 'by' | 'to'> & { order: CodeOrder })

export async function orderConfirmationCode(
  trx: Trx,
  context: ServerContext,
  approving: Approving,
  caller: Caller,
  previous: OrderedCode | undefined,
): Promise<OrderedCode> {
  const channel = await chooseChannel(trx, context, approving)
  if (channel.by === 'totp') return channel
  const { by, to } = channel
  const storedOrder = previous && 'order' in previous && previous.to === to ? previous.order : undefined
  const fixedCode = findFixedCode(approving.app, to)
  return {
    by,
    to,
    order: await orderCode(trx, context, getCodeKey(approving, channel), caller, storedOrder, fixedCode),
  }
}

export async function sendConfirmationCode(
  context: ServerContext,
  approving: Approving,
  language: Language,
  ordered: OrderedCode,
): Promise<{ by: OrderedCode['by']; sentTo: string | null }> {
  if (ordered.by === 'totp') return { by: 'totp', sentTo: null }
  const { by, to, order } = ordered
  const content = {
    ...approving,
    code: deriveCode(context, getCodeKey(approving, { by, to }), order),
    language,
    hostname: new URL(context.config.walletOrigin).host,
    ports: context.ports,
  }
  const sentTo = by === 'mail' ? maskAddress(to) : maskNumber(to)
  if (order.isFixed) return { by, sentTo }
  try {
    const kind = by === 'mail' ? 'confirmation_code' : 'confirmation_code_sms'
    const template = await findTemplate(context.db, approving.app.id, kind, language)
    if (by === 'mail')
      await mailer.get(context.ports).send(await renderCodeMail({ ...content, template, to }))
    else await sendText(context, to, await renderCodeText({ ...content, template }))
    countSending({ appId: approving.app.id, purpose: purposes[by] }, 'accepted')
  } catch (cause) {
    countSending({ appId: approving.app.id, purpose: purposes[by] }, 'failed')
    await refundOrder(context, order)
    if (by === 'sms') throw cause
    throw new LatchkeyError('email_not_sent', 'The e-mail could not be sent. Please try again.', { cause })
  }
  return { by, sentTo }
}

async function sendText({ ports, log }: ServerContext, to: string, text: string): Promise<void> {
  const { e164 } = parsePhoneNumber(to)
  const result = await requireTexter(ports).send({ e164, text })
  if (result.type === 'sent') return
  log.error({ refusal: result }, 'The SMS code was not sent')
  throw new LatchkeyError('twilio_verification_failed', 'The SMS could not be sent. Please try again.')
}

function requireTexter(ports: ServerContext['ports']): SmsTexter {
  const texter = smsTexter.get(ports)
  if (texter) return texter
  throw new LatchkeyError('linked_account_not_found', 'This server has no SMS provider')
}

/** Throws unless the code is correct. Each attempt is counted before the comparison. */
export async function assertCodeCorrect(
  context: ServerContext,
  approving: Approving,
  { code, ...caller }: Caller & { code: string },
): Promise<void> {
  requireOpenerIsolation(approving.app)
  const { row } = approving
  const channel = await chooseChannel(context.db, context, approving)
  const isRight =
    channel.by === 'totp'
      ? await authenticatorCodes
          .get(context.ports)
          .use(context, { appId: row.app_id, userId: row.user_id, id: row.id, code })
      : await context.transaction((trx) =>
          consumeCode(trx, context, getCodeKey(approving, channel), { code, ...caller }),
        )
  if (!isRight) throw wrongCode()
}

/** Masks as `a•••@example.com`, so that the handle alone does not reveal the address. */
export function maskAddress(address: string): string {
  const at = address.lastIndexOf('@')
  return `${[...address.slice(0, at)].at(0) ?? ''}•••${address.slice(at)}`
}

/** Masks as `•••1234`, which the user still recognizes. */
export const maskNumber = (number: string) => `•••${number.slice(-4)}`
