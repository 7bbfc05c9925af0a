/** Base64url without padding (RFC 4648), by what every browser has for base64. */

export const toBase64url = (bytes: Uint8Array): string =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

/** Throws for what is none. */
export const fromBase64url = (written: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(written.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0))
