/**
 * `solana_signTransaction`: Ed25519 over the message of a transaction, legacy or version 0. The answer is the whole
 * transaction with this signature in it, and the signatures of others unchanged.
 *
 * No ownership proof is signed this way: its text begins with `l`, a message with 108 signers, which does not fit.
 */
import { LatchkeyError } from '@latchkey/protocol'
import {
  encodeSolanaTransaction,
  parseSolanaTransaction,
  solanaTransactionMethod,
  solanaTransactionParamsSchema,
} from '@latchkey/protocol/wallet'
import { ed25519 } from '@noble/curves/ed25519.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import { base58 } from '@scure/base'
import * as v from 'valibot'
import type { SigningMethod } from './signing-method.ts'

type Params = v.InferOutput<typeof solanaTransactionParamsSchema>

export const signSolanaTransaction = {
  request: v.strictObject({
    method: v.literal(solanaTransactionMethod),
    params: solanaTransactionParamsSchema,
  }),
  signer: ([, publicKey]) => publicKey,
  message([transaction, publicKey]) {
    const bytes = hexToBytes(transaction.slice(2))
    readUnsignedSolana(bytes, publicKey)
    return bytes
  },
  digest: (transaction) => sha256(encodeSolanaTransaction(transaction)),
  signature(transaction, privateKey) {
    const publicKey = base58.encode(ed25519.getPublicKey(privateKey))
    const { message, signatures, signerIndex } = readUnsignedSolana(transaction, publicKey)
    const signed = Uint8Array.from(transaction)
    const start = transaction.length - message.length - signatures.length * SIGNATURE_BYTES
    signed.set(ed25519.sign(message, privateKey), start + signerIndex * SIGNATURE_BYTES)
    return `0x${bytesToHex(signed)}`
  },
} as const satisfies SigningMethod<typeof solanaTransactionMethod, Params>

const SIGNATURE_BYTES = 64

/** Parses a transaction to sign. Throws if the vault would refuse to sign it with this key. */
export function readUnsignedSolana(bytes: Uint8Array, publicKey: string) {
  const transaction = parseSolanaTransaction(bytes, base58.encode)
  const signerIndex = transaction.accounts.findIndex(
    ({ address, isSigner }) => isSigner && address === publicKey,
  )
  if (signerIndex >= 0) return { ...transaction, signerIndex }
  throw new LatchkeyError('invalid_request_arguments', 'The wallet is no signer of the transaction')
}
