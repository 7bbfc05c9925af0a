/** Bytes as wallets and hashes write them. */
export const hexOfBytes = (bytes: Uint8Array): `0x${string}` =>
  `0x${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`

/** Wallets read a text that begins with 0x as bytes. As hex, what is signed is the text that was shown, always. */
export const hexOfText = (text: string) => hexOfBytes(new TextEncoder().encode(text))
