import { registryKey } from '../../kernel/registry.ts'

export type Mail = {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  /** The mail shows them by `cid:`, so that opening it tells no server. */
  readonly images: readonly MailImage[]
}
export type MailImage = { readonly cid: string; readonly contentType: string; readonly bytes: Uint8Array }

/** Rejects where the mail was not taken, or nobody knows. */
export type Mailer = { send(mail: Mail): Promise<void> }

export const mailer = registryKey<Mailer>('the mailer')
