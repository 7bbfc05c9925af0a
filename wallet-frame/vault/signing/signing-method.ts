/** One kind of thing that is signed: how its request is read, and which 32 bytes stand for it. */
import type * as v from 'valibot'
import type { HexText } from './signature.ts'

export type SigningMethod<Method extends string, Params> = {
  request: v.GenericSchema<unknown, { method: Method; params: Params }>
  /** The address that the request wants to be signed by. */
  signer: (params: Params) => string
  /** The bytes that are signed, before any prefix: no proof of ours may hide in them. */
  message: (params: Params) => Uint8Array
  digest: (message: Uint8Array) => Uint8Array
  /** Signs for a chain that signs the bytes themselves and not their digest. */
  signature?: (message: Uint8Array, privateKey: Uint8Array) => string
  /** Makes the answer; without it the answer is the signature. */
  answer?: (message: Uint8Array, signature: HexText) => HexText
}
