/**
 * A request whose page is cut off from the app that asked, by that page's opener policy: nothing of this browser's can
 * vouch for who approves it. So its user is sent a code that names what it approves, and the one hostname where it may
 * be typed: by mail, else by SMS. It counts for this request alone. Who can be sent nothing types a code of their
 * authenticator app; it names nothing, so it is the last choice.
 */
import { emailLimits, LatchkeyError } from '@latchkey/protocol'
import { fixedCodeOf } from '../../../identity/apps/apps.ts'
import {
  type Caller,
  type CodeKey,
  type CodeOrder,
  type CodePurpose,
  codeOf,
  countSending,
  giveBackOrder,
  orderCode,
  takeCode,
  wrongCode,
} from '../../../identity/codes/codes.ts'
import { contactsOf, settledContacts } from '../../../identity/notices/notices.ts'
import type { Contact } from '../../../identity/users/users.ts'
import { mailer } from '../../../integrations/mail/mail.ts'
import { parsePhoneNumber, type SmsTexter, smsTexter } from '../../../integrations/sms/sms.ts'
import type { ServerContext } from '../../../kernel/context.ts'
import type { Language } from '../../../kernel/languages.ts'
import { type App, nowSeconds, type Reader, type Trx } from '../../../kernel/ports.ts'
import type { ConfirmationRow } from '../tables.ts'
import { appCodes } from './app-codes.ts'
import { codeMail, codeText } from './code-mail.ts'

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

/** The operator says so of the app, as of its logins in windows: elsewhere the device of the session approves. */
export const isCutOff = ({ config }: App): boolean => config.crossOriginOpenerPolicy === 'same-origin'

export function requireCutOff(app: App): void {
  if (isCutOff(app)) return
  throw new LatchkeyError('not_supported', 'The pages of this app are not cut off from their windows')
}

/** `totp`: nothing is sent. */
type Way = Pick<Contact, 'by' | 'to'> | { by: 'totp' }

/**
 * Where the code goes: to the address that the user has had longest, else to such a number, and to none that is new, for
 * whoever holds a session for a moment could link one of their own. What the user began with is never new.
 */
async function wayFor(reader: Reader, context: ServerContext, { app, row }: Approving): Promise<Way> {
  const { user_id: userId } = row
  const { newMethodHours } = app.login
  const now = nowSeconds(context.clock)
  const [contacts, isSettled, appSince] = await Promise.all([
    contactsOf(reader, userId),
    settledContacts(reader, { userId, newMethodHours, nowSeconds: now }),
    appCodes.on(context.ports).since(reader, userId),
  ])
  const reached = contacts.filter(({ by }) => by === 'mail' || smsTexter.on(context.ports) !== undefined)
  const settled = reached.filter(isSettled).toSorted((one, other) => one.since - other.since)
  const contact = settled.find(({ by }) => by === 'mail') ?? settled[0]
  if (contact) return contact
  const times = [...reached.map(({ since }) => since), ...(appSince === undefined ? [] : [appSince])]
  if (appSince !== undefined && isSettled({ source: 'factor totp', since: appSince })) return { by: 'totp' }
  if (times.length === 0) {
    throw new LatchkeyError('linked_account_not_found', 'The user has nothing that a code could be sent to')
  }
  throw new LatchkeyError('method_too_new', 'What a code could be sent to is new to the account', {
    details: { until: Math.min(...times) + newMethodHours * 3_600 },
  })
}

/** A code of another request is another one, as that of another browser is. */
const keyOf = ({ app, row }: Approving, { by, to }: Pick<Contact, 'by' | 'to'>): CodeKey => ({
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
  before: OrderedCode | undefined,
): Promise<OrderedCode> {
  const way = await wayFor(trx, context, approving)
  if (way.by === 'totp') return way
  const { by, to } = way
  const ordered = before && 'order' in before && before.to === to ? before.order : undefined
  const fixedCode = fixedCodeOf(approving.app, to)
  return { by, to, order: await orderCode(trx, context, keyOf(approving, way), caller, ordered, fixedCode) }
}

export async function sendConfirmationCode(
  context: ServerContext,
  approving: Approving,
  language: Language,
  ordered: OrderedCode,
): Promise<{ by: OrderedCode['by']; sentTo: string | null }> {
  if (ordered.by === 'totp') return { by: 'totp', sentTo: null }
  const { by, to, order } = ordered
  const said = {
    ...approving,
    code: codeOf(context, keyOf(approving, { by, to }), order),
    language,
    hostname: new URL(context.config.walletOrigin).host,
    ports: context.ports,
  }
  const sentTo = by === 'mail' ? maskedAddress(to) : maskedNumber(to)
  if (order.isFixed) return { by, sentTo }
  try {
    if (by === 'mail') await mailer.on(context.ports).send(await codeMail({ ...said, to }))
    else await sendText(context, to, await codeText(said))
    countSending(purposes[by], 'accepted')
  } catch (cause) {
    countSending(purposes[by], 'failed')
    await giveBackOrder(context, order)
    if (by === 'sms') throw cause
    throw new LatchkeyError('email_not_sent', 'The e-mail could not be sent. Please try again.', { cause })
  }
  return { by, sentTo }
}

async function sendText({ ports, log }: ServerContext, to: string, text: string): Promise<void> {
  const { e164 } = parsePhoneNumber(to)
  const sending = await texterOn(ports).send({ e164, text })
  if (sending.type === 'sent') return
  log.error({ refusal: sending }, 'A code by SMS was not sent')
  throw new LatchkeyError('twilio_verification_failed', 'The SMS could not be sent. Please try again.')
}

function texterOn(ports: ServerContext['ports']): SmsTexter {
  const texter = smsTexter.on(ports)
  if (texter) return texter
  throw new LatchkeyError('linked_account_not_found', 'This server sends no texts')
}

/** Each guess is counted before it is compared, and stays counted. */
export async function assertRightCode(
  context: ServerContext,
  approving: Approving,
  { code, ...caller }: Caller & { code: string },
): Promise<void> {
  requireCutOff(approving.app)
  const { row } = approving
  const way = await wayFor(context.db, context, approving)
  const isRight =
    way.by === 'totp'
      ? await appCodes
          .on(context.ports)
          .use(context, { appId: row.app_id, userId: row.user_id, id: row.id, code })
      : await context.transaction((trx) => takeCode(trx, context, keyOf(approving, way), { code, ...caller }))
  if (!isRight) throw wrongCode()
}

/** `a•••@example.com`: whoever has the handle alone learns no address. */
export function maskedAddress(address: string): string {
  const at = address.lastIndexOf('@')
  return `${[...address.slice(0, at)].at(0) ?? ''}•••${address.slice(at)}`
}

/** `•••1234`: enough for its owner to know it by. */
export const maskedNumber = (number: string) => `•••${number.slice(-4)}`
