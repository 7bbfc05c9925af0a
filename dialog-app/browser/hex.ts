/** Bytes as wallets and hashes write them. */
export type Hex = `0x${string}`

export const hexOfBytes = (bytes: Uint8Array): Hex =>
  `0x${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`

/** Wallets read a text that begins with 0x as bytes. As hex, what is signed is the text that was shown, always. */
export const hexOfText = (text: string) => hexOfBytes(new TextEncoder().encode(text))

/** A schema or the server has checked that the text has this form. */
export const asHex = (text: string): Hex => `0x${text.slice(2)}`
