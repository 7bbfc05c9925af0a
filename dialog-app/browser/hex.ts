/** A hex string as wallets use it. */
export type Hex = `0x${string}`

export const bytesToHex = (bytes: Uint8Array): Hex =>
  `0x${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`

/**
 * Encodes a text as hex. Wallets read a text that begins with 0x as bytes, so hex makes them sign the displayed text.
 */
export const textToHex = (text: string) => bytesToHex(new TextEncoder().encode(text))

/** Narrows a text that a schema or the server has validated. */
export const asHex = (text: string): Hex => `0x${text.slice(2)}`
