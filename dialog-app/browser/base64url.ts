/** Canonical base64url without padding (RFC 4648). A library for it takes 1 kB of the core. */

export const toBase64url = (bytes: Uint8Array): string =>
  btoa(bytes.reduce((text, byte) => text + String.fromCharCode(byte), ''))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

/** Decodes base64url. Throws for any text that `toBase64url` does not write. */
export function fromBase64url(text: string): Uint8Array<ArrayBuffer> {
  const characters = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  const bytes = Uint8Array.from(characters, (character) => character.charCodeAt(0))
  if (toBase64url(bytes) !== text) throw new RangeError('The text is not canonical base64url')
  return bytes
}
