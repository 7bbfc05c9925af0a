import { registryKey } from '../../kernel/registry.ts'

export type Mail = {
  to: string
  subject: string
  text: string
  html: string
  /** Inline images that the mail references by `cid:`, so opening it sends no request to a server. */
  images: readonly MailImage[]
}
export type MailImage = { cid: string; contentType: string; bytes: Uint8Array }

/** Sends mails. Rejects if the mail server refused the mail or the outcome is unknown. */
export type Mailer = { send(mail: Mail): Promise<void> }

export const mailer = registryKey<Mailer>('the mailer')
