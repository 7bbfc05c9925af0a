import PostalMime, { type Attachment } from 'postal-mime'

/** A mail as it arrived: the envelope says who gets it, the parsed parts say what it reads. */
export type Mail = {
  from: string
  /** Envelope recipients, in lower case: what the sender asked for, not what the header claims. */
  to: readonly string[]
  subject: string
  text: string
  html: string | null
  headers: readonly { name: string; value: string }[]
  attachments: readonly { name: string; type: string; bytes: number }[]
  raw: Uint8Array
}

export type Envelope = { from: string; to: readonly string[] }

export const normalAddress = (address: string): string => address.trim().toLowerCase()

const bytesOf = (content: Attachment['content']): Uint8Array =>
  typeof content === 'string' ? new TextEncoder().encode(content) : new Uint8Array(content)

/** Pictures that the mail carries are inlined, so that the page needs no second address for them. */
const inlinePictures = (html: string, attachments: readonly Attachment[]): string =>
  attachments.reduce((shown, { contentId, mimeType, content }) => {
    if (contentId === undefined || !mimeType.startsWith('image/')) return shown
    const data = `data:${mimeType};base64,${Buffer.from(bytesOf(content)).toString('base64')}`
    return shown.replaceAll(`cid:${contentId.replace(/^<|>$/g, '')}`, data)
  }, html)

export const readMail = async (raw: Uint8Array, envelope: Envelope): Promise<Mail> => {
  const parsed = await PostalMime.parse(raw)
  return {
    from: envelope.from,
    to: [...new Set(envelope.to.map(normalAddress))],
    subject: parsed.subject ?? '',
    text: parsed.text ?? '',
    html: parsed.html === undefined ? null : inlinePictures(parsed.html, parsed.attachments),
    headers: parsed.headers.map(({ key, value }) => ({ name: key, value })),
    attachments: parsed.attachments.map(({ filename, mimeType, content }) => ({
      name: filename ?? '',
      type: mimeType,
      bytes: bytesOf(content).byteLength,
    })),
    raw,
  }
}
