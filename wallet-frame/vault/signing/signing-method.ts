/** One kind of thing that is signed: how its request is read, and which 32 bytes stand for it. */
import type * as v from 'valibot'
import type { HexText } from './signature.ts'

export type SigningMethod<Method extends string, Params> = {
  readonly request: v.GenericSchema<unknown, { readonly method: Method; readonly params: Params }>
  /** The address that the request wants to be signed by. */
  readonly signer: (params: Params) => string
  /** The bytes that are signed, before any prefix: no proof of ours may hide in them. */
  readonly message: (params: Params) => Uint8Array
  readonly digest: (message: Uint8Array) => Uint8Array
  /** Signs for a chain that signs the bytes themselves and not their digest. */
  readonly signature?: (message: Uint8Array, privateKey: Uint8Array) => string
  /** Makes the answer; without it the answer is the signature. */
  readonly answer?: (message: Uint8Array, signature: HexText) => HexText
}
