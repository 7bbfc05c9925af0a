/**
 * `signMessage` of a Solana wallet: Ed25519 over the UTF-8 bytes of a text, without a prefix.
 *
 * Solana also signs the plain bytes of transactions, so a text could be a transaction. Every transaction
 * contains the public keys of its signers. So a text that contains this wallet's public key is refused.
 * https://solana.com/docs/core/transactions
 */
import { LatchkeyError, solanaAddress, walletSizes } from '@latchkey/protocol'
import { ed25519 } from '@noble/curves/ed25519.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { base58 } from '@scure/base'
import * as v from 'valibot'
import type { SigningMethod } from './signing-method.ts'
import { utf8 } from './text.ts'

const paramsSchema = v.strictObject({
  message: v.pipe(v.string(), v.nonEmpty()),
  publicKey: solanaAddress,
})
type Params = v.InferOutput<typeof paramsSchema>

export const signSolanaMessage = {
  request: v.strictObject({ method: v.literal('signMessage'), params: paramsSchema }),
  signer: ({ publicKey }) => publicKey,
  message({ message, publicKey }) {
    const bytes = utf8(message)
    if (bytes.length > walletSizes.maxMessageBytes) {
      throw new LatchkeyError('invalid_request_arguments', 'Message is too long to sign')
    }
    if (includes(bytes, base58.decode(publicKey))) {
      throw new LatchkeyError('invalid_request_arguments', 'This message could be a transaction')
    }
    return bytes
  },
  digest: (message) => sha256(message),
  signature: (message, privateKey) => base58.encode(ed25519.sign(message, privateKey)),
} as const satisfies SigningMethod<'signMessage', Params>

function includes(bytes: Uint8Array, part: Uint8Array): boolean {
  return bytes.some((_, at) => part.every((byte, index) => bytes[at + index] === byte))
}
