/** The methods by which the vault signs. Each method has a row and a file. */
import { getChainType, isSameAddress, LatchkeyError } from '@latchkey/protocol'
import { isReservedForProofs } from '@latchkey/protocol/wallet'
import { bytesToHex } from '@noble/hashes/utils.js'
import * as v from 'valibot'
import { signAuthorization } from './authorization.ts'
import { personalSign } from './personal-sign.ts'
import { type HexText, signDigest } from './signature.ts'
import type { SigningMethod } from './signing-method.ts'
import { signSolanaMessage } from './solana-message.ts'
import { signSolanaTransaction } from './solana-transaction.ts'
import { signTransaction } from './transaction.ts'
import { signTypedData } from './typed-data.ts'
import { signUserOperation } from './user-operation.ts'

const rows = {
  personal_sign: personalSign,
  eth_signTypedData_v4: signTypedData,
  eth_signTransaction: signTransaction,
  eth_signUserOperation: signUserOperation,
  eth_signAuthorization: signAuthorization,
  signMessage: signSolanaMessage,
  solana_signTransaction: signSolanaTransaction,
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

/** A parsed request that this wallet may sign. It holds no key. */
export type Signable = {
  /** The address that the request names. */
  signer: string
  /** The digest to sign. A share that was released for a digest opens only with that digest. */
  digest: HexText
  sign: (privateKey: Uint8Array) => string
}

export const anotherSigner = () =>
  new LatchkeyError('invalid_request_arguments', 'The request names another address than the wallet')

/** `address`: that of the wallet. An Ethereum wallet also derives a Solana address, which `sign` compares. */
export function toSignable<M extends Method>({ method, params }: RequestOf<M>, address: string): Signable {
  const { signer: getSigner, message, digest: hash, answer, signature } = methods[method]
  const signer = getSigner(params)
  const isDerived = getChainType(address) === 'ethereum' && getChainType(signer) === 'solana'
  if (!isDerived && !isSameAddress(signer, address)) throw anotherSigner()
  const bytes = message(params)
  // The server accepts a signature over such bytes as a proof of wallet ownership.
  if (isReservedForProofs(bytes)) {
    throw new LatchkeyError('invalid_request_arguments', 'This message may not be signed')
  }
  const digest = hash(bytes)
  return {
    signer,
    digest: `0x${bytesToHex(digest)}`,
    sign(privateKey) {
      if (signature) return signature(bytes, privateKey)
      const signed = signDigest(digest, privateKey)
      return answer ? answer(bytes, signed) : signed
    },
  }
}
