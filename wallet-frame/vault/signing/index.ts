/** What the vault signs when it is asked to: a row a method, each in a file of its own. */
import { isSameAddress, LatchkeyError } from '@latchkey/protocol'
import { looksLikeProof } from '@latchkey/protocol/wallet'
import { bytesToHex } from '@noble/hashes/utils.js'
import * as v from 'valibot'
import { personalSign } from './personal-sign.ts'
import { type HexText, signDigest } from './signature.ts'
import type { SigningMethod } from './signing-method.ts'
import { signSolanaMessage } from './solana-message.ts'
import { signTransaction } from './transaction.ts'
import { signTypedData } from './typed-data.ts'

const rows = {
  personal_sign: personalSign,
  eth_signTypedData_v4: signTypedData,
  eth_signTransaction: signTransaction,
  signMessage: signSolanaMessage,
} as const

export const signRequestSchema = v.variant(
  'method',
  Object.values(rows).map(({ request }) => request),
)

type Method = keyof typeof rows
type Params = { [M in Method]: v.InferOutput<(typeof rows)[M]['request']>['params'] }
type RequestOf<M extends Method> = {
  [K in M]: { method: K; params: Params[K] }
}[M]
const methods: { [M in Method]: SigningMethod<M, Params[M]> } = rows

/** What a request asks to have signed, where this wallet may sign it. The key comes later. */
export type Signable = {
  /** A share that was released for this digest opens for it alone. */
  digest: HexText
  sign: (privateKey: Uint8Array) => string
}

export function signableOf<M extends Method>({ method, params }: RequestOf<M>, address: string): Signable {
  const { signer, message, digest: digestOf, answer, signature } = methods[method]
  if (!isSameAddress(signer(params), address)) {
    throw new LatchkeyError('invalid_request_arguments', 'The request names another address than the wallet')
  }
  const bytes = message(params)
  // The server takes a signature over such bytes as proof of who owns a wallet.
  if (looksLikeProof(bytes)) {
    throw new LatchkeyError('invalid_request_arguments', 'This message may not be signed')
  }
  const digest = digestOf(bytes)
  return {
    digest: `0x${bytesToHex(digest)}`,
    sign(privateKey) {
      if (signature) return signature(bytes, privateKey)
      const signed = signDigest(digest, privateKey)
      return answer ? answer(bytes, signed) : signed
    },
  }
}
