/** The bytes of a message to sign and their text, shared by vault, frame, pages, dialog and server. */

/** Returns the UTF-8 of a text, or undefined for a lone surrogate: it has none. */
export const encodeText = (text: string): Uint8Array | undefined =>
  text.isWellFormed() ? new TextEncoder().encode(text) : undefined

/**
 * Returns the bytes that `personal_sign` signs: wallets read a text that starts with `0x` as hex. Undefined for a text
 * that only looks like hex, since wallets disagree about it, and for a lone surrogate.
 */
export function encodeMessage(message: string): Uint8Array | undefined {
  if (!message.startsWith('0x')) return encodeText(message)
  if (!/^0x(?:[0-9a-fA-F]{2})*$/.test(message)) return undefined
  const bytes = new Uint8Array(message.length / 2 - 1)
  for (let at = 0; at < bytes.length; at += 1) {
    bytes[at] = Number.parseInt(message.slice(2 + 2 * at, 4 + 2 * at), 16)
  }
  return bytes
}

/** Decodes UTF-8 strictly, and returns undefined for other bytes. A byte order mark belongs to the text. */
export function decodeText(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}
