/** Reads a Solana transaction of the host page, with the reader of the vault. */
import { LatchkeyError } from '@latchkey/protocol'
import {
  type AssetNames,
  analyzeSolanaTransaction,
  describeSolanaTransaction,
  type SolanaDescription,
} from '@latchkey/protocol/reading'
import type { Texts } from '@latchkey/protocol/reading/texts.arb'
import {
  encodeMessage,
  parseSolanaTransaction,
  type SolanaTransaction,
  solanaTransaction,
} from '@latchkey/protocol/wallet'
import { base58 } from '@scure/base'
import * as v from 'valibot'

/** Describes the transaction for the wallet that signs it. */
export type DescribeTransaction = (wallet: string, names: AssetNames, texts: Texts) => SolanaDescription

export function readTransaction(text: string): { transaction: string; describe: DescribeTransaction } {
  const transaction = text.toLowerCase()
  const parsed = parseHex(transaction)
  return {
    transaction,
    describe: (wallet, names, texts) =>
      describeSolanaTransaction(analyzeSolanaTransaction(parsed, wallet), wallet, names, texts),
  }
}

/** Parses a transaction in hex. */
export function parseHex(text: string): SolanaTransaction {
  const bytes = v.is(solanaTransaction, text) ? encodeMessage(text) : undefined
  if (bytes) return parseSolanaTransaction(bytes, base58.encode)
  throw new LatchkeyError('invalid_data', 'A transaction is at most 1,232 bytes of hex')
}
