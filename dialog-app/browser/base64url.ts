/** Base64url without padding (RFC 4648), in its one spelling for each value. */
import { base64urlnopad } from '@scure/base'

export const toBase64url = (bytes: Uint8Array): string => base64urlnopad.encode(bytes)

/** Throws for what is none. */
export const fromBase64url = (written: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(base64urlnopad.decode(written))
