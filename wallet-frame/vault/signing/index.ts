/** What the vault signs when it is asked to: a row a method, each in a file of its own. */
import { LatchkeyError } from '@latchkey/protocol'
import { looksLikeProof } from '@latchkey/protocol/wallet'
import * as v from 'valibot'
import { sameAddress } from '../evm-address.ts'
import { personalSign } from './personal-sign.ts'
import type { SigningMethod } from './signing-method.ts'

const rows = {
  personal_sign: personalSign,
} as const

export const signRequestSchema = v.variant(
  'method',
  Object.values(rows).map(({ request }) => request),
)
export type SignRequest = v.InferOutput<typeof signRequestSchema>

type Method = keyof typeof rows
type Params = { readonly [M in Method]: v.InferOutput<(typeof rows)[M]['request']>['params'] }
type RequestOf<M extends Method> = {
  readonly [K in M]: { readonly method: K; readonly params: Params[K] }
}[M]
const methods: { readonly [M in Method]: SigningMethod<M, Params[M]> } = rows

/** The 32 bytes to sign for a request, where this wallet may sign it. */
export function digestOf<M extends Method>({ method, params }: RequestOf<M>, address: string): Uint8Array {
  const { signer, message, digest } = methods[method]
  if (!sameAddress(signer(params), address)) {
    throw new LatchkeyError('invalid_request_arguments', 'The request names another address than the wallet')
  }
  const bytes = message(params)
  // The server takes a signature over such bytes as proof of who owns a wallet.
  if (looksLikeProof(bytes)) {
    throw new LatchkeyError('invalid_request_arguments', 'This message may not be signed')
  }
  return digest(bytes)
}
