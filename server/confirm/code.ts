/**
 * A request whose page is cut off from the app that asked, by that page's opener policy: nothing of this browser's can
 * vouch for who approves it. So its user is mailed a code that names what it approves, and the one hostname where it
 * may be typed. It counts for this request alone.
 */
import { emailLimits, LatchkeyError } from '@latchkey/protocol'
import {
  type Caller,
  type CodeKey,
  type CodeOrder,
  type CodePurpose,
  codeOf,
  giveBackOrder,
  orderCode,
  takeCode,
  wrongCode,
} from '../codes/codes.ts'
import type { ServerContext } from '../context.ts'
import type { Language } from '../languages.ts'
import { mailer } from '../mail/mail.ts'
import { userSince } from '../new-methods/new-methods.ts'
import { type App, nowSeconds, type Reader, type Trx } from '../ports.ts'
import { mailAddressesOf } from '../users/users.ts'
import { codeMail } from './code-mail.ts'
import type { ConfirmationRow } from './tables.ts'

export const confirmationCodes: CodePurpose = {
  name: 'confirmation',
  digits: emailLimits.codeLength,
  seconds: emailLimits.codeSeconds,
}

type Approving = { readonly app: App; readonly row: ConfirmationRow }

/** The operator says so of the app, as of its logins in windows: elsewhere the device of the session approves. */
export function requireCutOff({ config }: App): void {
  if (config.crossOriginOpenerPolicy === 'same-origin') return
  throw new LatchkeyError('not_supported', 'The pages of this app are not cut off from their windows')
}

/**
 * Where the code goes: to the address that the user has had longest, and which is no new one, for whoever holds a
 * session for a moment could link an address of their own. The address that the user began with is never new.
 */
async function addressFor(reader: Reader, context: ServerContext, { app, row }: Approving): Promise<string> {
  const [addresses, since] = await Promise.all([
    mailAddressesOf(reader, row.user_id),
    userSince(reader, row.user_id),
  ])
  const [oldest] = addresses.toSorted((one, other) => one.linkedAt - other.linkedAt)
  if (oldest === undefined) {
    throw new LatchkeyError('linked_account_not_found', 'The user has no e-mail address')
  }
  const until = oldest.linkedAt + app.login.newMethodHours * 3_600
  if (oldest.linkedAt === since || until <= nowSeconds(context.clock)) return oldest.address
  throw new LatchkeyError('method_too_new', 'The e-mail address is new to the account', {
    details: { until },
  })
}

/** A code of another request is another one, as that of another browser is. */
async function keyFor(reader: Reader, context: ServerContext, approving: Approving): Promise<CodeKey> {
  const { app, row } = approving
  const identifier = await addressFor(reader, context, approving)
  return { appId: app.id, purpose: confirmationCodes, identifier, binding: row.id }
}

export type OrderedCode = { readonly key: Omit<CodeKey, 'purpose'>; readonly order: CodeOrder }

export async function orderConfirmationCode(
  trx: Trx,
  context: ServerContext,
  approving: Approving,
  caller: Caller,
  before: OrderedCode | undefined,
): Promise<OrderedCode> {
  const { purpose: _, ...key } = await keyFor(trx, context, approving)
  const order = await orderCode(trx, context, { ...key, purpose: confirmationCodes }, caller, before?.order)
  return { key, order }
}

export async function mailConfirmationCode(
  context: ServerContext,
  { app, row }: Approving,
  language: Language,
  { key, order }: OrderedCode,
): Promise<void> {
  const mail = await codeMail({
    to: key.identifier,
    code: codeOf(context, { ...key, purpose: confirmationCodes }, order),
    language,
    app,
    row,
    hostname: new URL(context.config.walletOrigin).host,
    ports: context.ports,
  })
  try {
    await mailer.on(context.ports).send(mail)
  } catch (cause) {
    await giveBackOrder(context, order)
    throw new LatchkeyError('email_not_sent', 'The e-mail could not be sent. Please try again.', { cause })
  }
}

/** Each guess is counted before it is compared, and stays counted. */
export async function assertRightCode(
  context: ServerContext,
  approving: Approving,
  guess: Caller & { readonly code: string },
): Promise<void> {
  requireCutOff(approving.app)
  const isRight = await context.transaction(async (trx) =>
    takeCode(trx, context, await keyFor(trx, context, approving), guess),
  )
  if (!isRight) throw wrongCode()
}

/** `a•••@example.com`: whoever has the handle alone learns no address. */
export function maskedAddress(address: string): string {
  const at = address.lastIndexOf('@')
  return `${[...address.slice(0, at)].at(0) ?? ''}•••${address.slice(at)}`
}
