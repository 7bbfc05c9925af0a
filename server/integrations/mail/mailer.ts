import { registryKey } from '../../kernel/registry.ts'

export type Mail = {
  to: string
  subject: string
  text: string
  html: string
  /** The mail shows them by `cid:`, so that opening it tells no server. */
  images: readonly MailImage[]
}
export type MailImage = { cid: string; contentType: string; bytes: Uint8Array }

/** Rejects where the mail was not taken, or nobody knows. */
export type Mailer = { send(mail: Mail): Promise<void> }

export const mailer = registryKey<Mailer>('the mailer')
