/** Mail by SMTP, over connections that are kept open, each wait with an end. */
import { emailLimits } from '@latchkey/protocol'
import { createTransport } from 'nodemailer'
import { createFrames, type Encode } from './frames.ts'
import type { Mail, Mailer } from './mailer.ts'

export type SmtpMailer = Mailer & { readonly close: () => void }

export const mailLimits = { connections: 4, messagesPerConnection: 100, frames: 200 } as const

/** Nobody should answer a code, and no holiday notice should either. https://www.rfc-editor.org/rfc/rfc3834 */
const headers = { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' }

export function createSmtpMailer(config: {
  readonly smtpUrl: string
  readonly mailFrom: string
}): SmtpMailer {
  const { sendTimeoutMs } = emailLimits
  const transport = createTransport({
    url: config.smtpUrl,
    pool: true,
    maxConnections: mailLimits.connections,
    maxMessages: mailLimits.messagesPerConnection,
    dnsTimeout: sendTimeoutMs,
    connectionTimeout: sendTimeoutMs,
    greetingTimeout: sendTimeoutMs,
    socketTimeout: sendTimeoutMs,
    // A mail is made of what we pass and of nothing that a text in it may name.
    disableFileAccess: true,
    disableUrlAccess: true,
  })

  const framed = createFrames(encodeFrom(config.mailFrom), mailLimits.frames)

  async function send(mail: Mail): Promise<void> {
    const ready = await framed(mail)
    await transport.sendMail(
      ready
        ? { envelope: { from: ready.sender, to: [mail.to] }, raw: ready.encoded }
        : messageOf(mail, config.mailFrom),
    )
  }

  return {
    send: (mail) => beforeDeadline(send(mail), sendTimeoutMs),
    close: () => transport.close(),
  }
}

/** As it would be sent, without sending it. */
function encodeFrom(from: string): Encode {
  const composer = createTransport({
    streamTransport: true,
    buffer: true,
    newline: 'windows',
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return async ({ messageId, date, baseBoundary, ...mail }) => {
    const { message, envelope } = await composer.sendMail({
      ...messageOf(mail, from),
      messageId,
      date,
      baseBoundary,
    })
    // Whatever is not ASCII was encoded.
    return { encoded: message.toString(), sender: envelope.from || '' }
  }
}

const messageOf = (mail: Mail, from: string) => ({
  from,
  to: { name: '', address: mail.to },
  subject: mail.subject,
  text: mail.text,
  html: mail.html,
  headers,
  attachments: mail.images.map(({ cid, contentType, bytes }) => ({
    cid,
    contentType,
    content: Buffer.from(bytes),
    contentDisposition: 'inline' as const,
    filename: false as const,
  })),
})

/** A mail that waits for a free connection has no timeout of the transport's own. */
async function beforeDeadline(sending: Promise<unknown>, deadlineMs: number): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('The mail server did not take the mail in time')), deadlineMs)
  })
  try {
    await Promise.race([sending, deadline])
  } finally {
    clearTimeout(timer)
  }
}
