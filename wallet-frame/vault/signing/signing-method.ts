/** A signing method: how its request is parsed, and which 32 bytes are its digest. */
import type * as v from 'valibot'
import type { HexText } from './signature.ts'

export type SigningMethod<Method extends string, Params> = {
  request: v.GenericSchema<unknown, { method: Method; params: Params }>
  /** Returns the address that the request names as its signer. */
  signer: (params: Params) => string
  /** Returns the bytes to sign, without any prefix. They must not contain a proof that the server accepts. */
  message: (params: Params) => Uint8Array
  digest: (message: Uint8Array) => Uint8Array
  /** Signs the message itself, for chains that do not sign its digest. */
  signature?: (message: Uint8Array, privateKey: Uint8Array) => string
  /** Creates the response. Defaults to the signature. */
  answer?: (message: Uint8Array, signature: HexText) => HexText
}
