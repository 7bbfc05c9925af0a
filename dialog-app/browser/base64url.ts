/** Canonical base64url without padding (RFC 4648). */
import { base64urlnopad } from '@scure/base'

export const toBase64url = (bytes: Uint8Array): string => base64urlnopad.encode(bytes)

/** Decodes base64url. Throws for invalid input. */
export const fromBase64url = (written: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(base64urlnopad.decode(written))
