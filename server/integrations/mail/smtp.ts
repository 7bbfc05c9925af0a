/** Mail by SMTP, over connections that are kept open, each wait with an end. */
import { Readable } from 'node:stream'
import { emailLimits } from '@latchkey/protocol'
import { createTransport } from 'nodemailer'
import MailMessage from 'nodemailer/lib/mailer/mail-message'
import MimeNode from 'nodemailer/lib/mime-node'
import SMTPPool from 'nodemailer/lib/smtp-pool'
import { createFrames, type Encode, type Framed } from './frames.ts'
import type { Mail, Mailer } from './mailer.ts'

export type SmtpMailer = Mailer & { readonly close: () => void }

const mailLimits = { connections: 4, messagesPerConnection: 100, frames: 200 } as const

/** Nobody should answer a code, and no holiday notice should either. https://www.rfc-editor.org/rfc/rfc3834 */
const headers = { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' }

export function createSmtpMailer(config: {
  readonly smtpUrl: string
  readonly mailFrom: string
}): SmtpMailer {
  const { sendTimeoutMs } = emailLimits
  const pool = new SMTPPool({
    url: config.smtpUrl,
    maxConnections: mailLimits.connections,
    maxMessages: mailLimits.messagesPerConnection,
    dnsTimeout: sendTimeoutMs,
    connectionTimeout: sendTimeoutMs,
    greetingTimeout: sendTimeoutMs,
    socketTimeout: sendTimeoutMs,
  })
  const transport = createTransport(pool, closedToFiles)

  /** What is encoded already goes to the pool as it is: to be composed once more would cost it more than to be sent. */
  const sendWhole = (framed: Framed) =>
    new Promise<void>((resolve, reject) => {
      const message = new MailMessage(transport)
      message.message = new WholeMessage(framed)
      pool.send(message, (error) => (error ? reject(error) : resolve()))
    })

  const framed = createFrames(encodeFrom(config.mailFrom), mailLimits.frames)

  async function send(mail: Mail): Promise<void> {
    const ready = await framed(mail)
    await (ready ? sendWhole(ready) : transport.sendMail(messageOf(mail, config.mailFrom)))
  }

  return {
    send: (mail) => beforeDeadline(send(mail), sendTimeoutMs),
    close: () => transport.close(),
  }
}

/** A mail is made of what we pass and of nothing that a text in it may name. */
const closedToFiles = { disableFileAccess: true, disableUrlAccess: true } as const

/** What the transport asks of a message, answered without composing one. */
class WholeMessage extends MimeNode {
  readonly #framed: Framed

  constructor(framed: Framed) {
    super()
    this.#framed = framed
  }

  override getEnvelope() {
    const { sender, to } = this.#framed
    return { from: sender, to: [to] }
  }

  override messageId() {
    return this.#framed.messageId
  }

  override createReadStream() {
    const bytes = Buffer.from(this.#framed.encoded)
    return new Readable({
      read() {
        this.push(bytes)
        this.push(null)
      },
    })
  }
}

/** As it would be sent, without sending it. */
function encodeFrom(from: string): Encode {
  const composer = createTransport({
    streamTransport: true,
    buffer: true,
    newline: 'windows',
    ...closedToFiles,
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
