/**
 * The payers of the fees of Solana transactions: an account with a key of the operator, or a Kora service
 * (https://github.com/solana-foundation/kora).
 */
import { type KeyObject, sign } from 'node:crypto'
import { base58 } from '@scure/base'
import * as v from 'valibot'
import { getEd25519PublicKey } from '../../kernel/ed25519.ts'
import type { Clock } from '../../kernel/ports.ts'
import { createKoraCaller } from './node.ts'

/** A serialized transaction, and the message that its signers sign. */
export type TransactionToPay = { wire: Buffer; message: Buffer }

export type SolanaPayer = {
  getAddress: () => Promise<string>
  /** Whether this payer may sign for the account. */
  isOwn: (address: string) => boolean
  /** Returns the signature of the payer, which the caller verifies. */
  sign: (transaction: TransactionToPay, address: string) => Promise<Buffer>
}
export function createSolanaRelay(key: KeyObject): SolanaPayer {
  const address = base58.encode(getEd25519PublicKey(key))
  return {
    getAddress: async () => address,
    isOwn: (named) => named === address,
    sign: async ({ message }) => sign(null, message, key),
  }
}

const payerAnswer = v.object({ signer_address: v.string() })
const signedAnswer = v.object({ signed_transaction: v.string() })
const SIGNATURE_BYTES = 64

/** The first signature of a transaction follows the number of its signatures, which is one byte. */
const readFirstSignature = (wire: Buffer) => wire.subarray(1, 1 + SIGNATURE_BYTES)

export function createKora(service: { url: string; secret: string }, clock: Clock): SolanaPayer {
  const call = createKoraCaller(service, clock)
  return {
    getAddress: async () => (await call(payerAnswer, 'getPayerSigner', [])).signer_address,
    // A service with several accounts returns another one each time, and signs with the named one only if it has it.
    isOwn: () => true,
    async sign({ wire }, address) {
      const params = { transaction: wire.toString('base64'), signer_key: address }
      const { signed_transaction: signed } = await call(signedAnswer, 'signTransaction', params)
      return readFirstSignature(Buffer.from(signed, 'base64'))
    },
  }
}
