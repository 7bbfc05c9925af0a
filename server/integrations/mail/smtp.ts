/** An SMTP mailer with pooled connections and timeouts. */
import { emailLimits, product } from '@latchkey/protocol'
import { createTransport } from 'nodemailer'
import { callBuckets, histogram } from '../../kernel/telemetry/instruments.ts'
import { endSpan, startSpan } from '../../kernel/telemetry/spans.ts'
import { getErrorType } from '../../kernel/third-party-metrics.ts'
import type { Mail, Mailer } from './mailer.ts'

export type SmtpMailer = Mailer & { close: () => void }

const mailLimits = { connections: 4, messagesPerConnection: 100 } as const

/** Suppresses automatic replies and out-of-office notices. https://www.rfc-editor.org/rfc/rfc3834 */
const headers = { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' }

const { sendTimeoutMs } = emailLimits
const timeouts = {
  dnsTimeout: sendTimeoutMs,
  connectionTimeout: sendTimeoutMs,
  greetingTimeout: sendTimeoutMs,
  socketTimeout: sendTimeoutMs,
}

type SmtpConfig = { smtpUrl: string; mailFrom: string }

export function createSmtpMailer(config: SmtpConfig): SmtpMailer {
  const transport = createTransport(
    {
      pool: true,
      url: config.smtpUrl,
      maxConnections: mailLimits.connections,
      maxMessages: mailLimits.messagesPerConnection,
      ...timeouts,
    },
    noExternalContent,
  )
  return {
    send: (mail) =>
      measureSend(() => withDeadline(transport.sendMail(toMessage(mail, config.mailFrom)), sendTimeoutMs)),
    close: () => transport.close(),
  }
}

const duration = histogram({
  name: `${product.key}.mail.send.duration`,
  unit: 's',
  description: 'Duration of sending a mail, until it is accepted or fails',
  attributes: ['error.type'],
  buckets: callBuckets,
})

async function measureSend(send: () => Promise<void>): Promise<void> {
  const started = performance.now()
  const span = startSpan('SEND mail', { kind: 'client', attributes: { 'server.address': 'mail' } })
  const end = (errorType?: string) => {
    duration.record((performance.now() - started) / 1_000, { 'error.type': errorType })
    endSpan(span, {}, errorType)
  }
  try {
    await send()
    end()
  } catch (error) {
    end(getErrorType(error))
    throw error
  }
}

/** Connects and authenticates to the mail server without sending a mail. */
export async function verifyConnection({ smtpUrl }: Pick<SmtpConfig, 'smtpUrl'>): Promise<void> {
  const transport = createTransport({ url: smtpUrl, ...timeouts })
  try {
    await transport.verify()
  } finally {
    transport.close()
  }
}

/** Prevents nodemailer from reading files or URLs named in a mail's content. */
const noExternalContent = { disableFileAccess: true, disableUrlAccess: true } as const

const toMessage = (mail: Mail, from: string) => ({
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

/** Adds a deadline: nodemailer has no timeout for a mail that waits for a free connection. */
async function withDeadline(sending: Promise<unknown>, deadlineMs: number): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('The mail server did not accept the mail in time')), deadlineMs)
  })
  try {
    await Promise.race([sending, deadline])
  } finally {
    clearTimeout(timer)
  }
}
