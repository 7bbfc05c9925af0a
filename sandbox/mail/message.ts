import PostalMime, { type Attachment } from 'postal-mime'

/** A received mail: the recipients of its envelope, and its parsed content. */
export type Mail = {
  from: string
  /** Envelope recipients in lower case. The header may name others. */
  to: readonly string[]
  subject: string
  text: string
  html: string | null
  headers: readonly { name: string; value: string }[]
  attachments: readonly { name: string; type: string; bytes: number }[]
  raw: Uint8Array
}

export type Envelope = { from: string; to: readonly string[] }

export const normalizeAddress = (address: string): string => address.trim().toLowerCase()

const toBytes = (content: Attachment['content']): Uint8Array =>
  typeof content === 'string' ? new TextEncoder().encode(content) : new Uint8Array(content)

/** Inlines attached pictures as data URLs, so that the page loads nothing else. */
const inlinePictures = (html: string, attachments: readonly Attachment[]): string =>
  attachments.reduce((shown, { contentId, mimeType, content }) => {
    if (contentId === undefined || !mimeType.startsWith('image/')) return shown
    const data = `data:${mimeType};base64,${Buffer.from(toBytes(content)).toString('base64')}`
    return shown.replaceAll(`cid:${contentId.replace(/^<|>$/g, '')}`, data)
  }, html)

export const parseMail = async (raw: Uint8Array, envelope: Envelope): Promise<Mail> => {
  const parsed = await PostalMime.parse(raw)
  return {
    from: envelope.from,
    to: [...new Set(envelope.to.map(normalizeAddress))],
    subject: parsed.subject ?? '',
    text: parsed.text ?? '',
    html: parsed.html === undefined ? null : inlinePictures(parsed.html, parsed.attachments),
    headers: parsed.headers.map(({ key, value }) => ({ name: key, value })),
    attachments: parsed.attachments.map(({ filename, mimeType, content }) => ({
      name: filename ?? '',
      type: mimeType,
      bytes: toBytes(content).byteLength,
    })),
    raw,
  }
}
