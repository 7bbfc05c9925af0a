/** Renders messages with the real renderers and a made-up code, and sends them as tests. */
import { emailAddress } from '@latchkey/protocol'
import type { MessageKind, MessageTemplate } from '@latchkey/protocol/admin'
import * as v from 'valibot'
import { type Mail, messageHook, noticeMail, sendMail, withBanner } from '../../integrations/mail/mail.ts'
import { parsePhoneNumber, smsTexter } from '../../integrations/sms/sms.ts'
import type { ServerContext } from '../../kernel/context.ts'
import { AdminError } from '../../kernel/http/admin-endpoint.ts'
import type { Language } from '../../kernel/languages.ts'
import { type App, nowSeconds } from '../../kernel/ports.ts'
import { loginCodeMail, loginCodeTemplate } from '../../login/email/email.ts'
import { newDeviceNotice } from '../../login/new-device/new-device.ts'
import {
  codeMailTemplate,
  codeTextTemplate,
  renderCodeMail,
  renderCodeText,
} from '../../wallet/confirm/confirm.ts'

/** No code is stored for it, so no login and no confirmation accepts it. */
const madeUpCode = '000000'
const testMark = 'This is a test. The code in it does not work.'

type RenderedMessage = { channel: 'email'; mail: Omit<Mail, 'to'> } | { channel: 'sms'; text: string }
type Message = { app: App; kind: MessageKind; language: Language; template: MessageTemplate | undefined }

/** Returns our words as a template. */
export function getOurTemplate(kind: MessageKind, language: Language): MessageTemplate {
  switch (kind) {
    case 'login_code':
      return loginCodeTemplate(language)
    case 'confirmation_code':
      return codeMailTemplate(language)
    case 'confirmation_code_sms':
      return codeTextTemplate
    case 'notice':
      return { subject: null, heading: null, blocks: [] }
    default:
      return kind satisfies never
  }
}

/** A plain message, because every confirmation describes its request. */
const sampleRow = {
  request: JSON.stringify({ method: 'personal_sign', params: ['0x68656c6c6f', `0x${'1'.repeat(40)}`] }),
  requester: null,
  chain_id: null,
  address: `0x${'1'.repeat(40)}`,
  target: null,
  value: null,
}
const sampleBrowser = { browser: 'Firefox', system: 'Windows' }

export async function renderMessage(
  { config, clock, ports }: ServerContext,
  { app, kind, language, template }: Message,
): Promise<RenderedMessage> {
  const hostname = new URL(config.walletOrigin).host
  const confirmation = { code: madeUpCode, language, app, row: sampleRow, hostname, ports, template }
  switch (kind) {
    case 'login_code': {
      const { dialogOrigin } = config
      const appLook = { name: app.name, logoUrl: app.config.logoUrl }
      const mail = loginCodeMail({
        to: '',
        code: madeUpCode,
        language,
        app: appLook,
        dialogOrigin,
        template,
      })
      return { channel: 'email', mail }
    }
    case 'confirmation_code':
      return { channel: 'email', mail: await renderCodeMail({ ...confirmation, to: '' }) }
    case 'confirmation_code_sms':
      return { channel: 'sms', text: await renderCodeText(confirmation) }
    case 'notice': {
      const notice = newDeviceNotice(sampleBrowser, nowSeconds(clock))
      return {
        channel: 'email',
        mail: noticeMail('', { app, language }, notice, { closing: template?.blocks }),
      }
    }
    default:
      return kind satisfies never
  }
}

/** Sends the message to the address, marked as a test. */
export async function sendTestMessage(
  context: ServerContext,
  { app, kind, language }: Message,
  message: RenderedMessage,
  to: string,
): Promise<void> {
  if (message.channel === 'sms') return sendTestText(context, { app, language }, message.text, to)
  if (!v.is(emailAddress, to))
    throw new AdminError('invalid_data', 'This is no e-mail address', { path: 'to' })
  const { mail } = message
  const marked: Mail = {
    ...mail,
    to,
    subject: `[Test] ${mail.subject}`,
    text: `${testMark}\n\n${mail.text}`,
    html: withBanner(mail.html, testMark),
  }
  try {
    const hookKind = kind === 'login_code' ? 'login_code' : 'notice'
    await sendMail(context, app.id, { kind: hookKind, language, mail: marked })
  } catch (cause) {
    throw new AdminError('message_not_sent', 'The mail server did not accept the mail', { cause })
  }
}

async function sendTestText(
  context: ServerContext,
  { app, language }: Pick<Message, 'app' | 'language'>,
  text: string,
  to: string,
): Promise<void> {
  const e164 = parseNumber(to)
  const { ports } = context
  const texter = smsTexter.get(ports)
  if (!texter) throw new AdminError('not_supported', 'Set TWILIO_MESSAGING_SERVICE_SID to send text messages')
  const marked = `[Test] ${testMark}\n${text}`
  const message = { kind: 'notice', channel: 'sms', language, to: e164, text: marked } as const
  if (await messageHook.get(ports)(context, app.id, message)) return
  const sending = await texter.send({ e164, text: marked })
  if (sending.type !== 'sent') {
    throw new AdminError('message_not_sent', 'The SMS provider did not accept the text', { cause: sending })
  }
}

function parseNumber(to: string): string {
  try {
    return parsePhoneNumber(to).e164
  } catch (cause) {
    throw new AdminError('invalid_data', 'This is no phone number', { path: 'to', cause })
  }
}
