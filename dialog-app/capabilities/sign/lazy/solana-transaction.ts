/** Reads a Solana transaction of the host page, with the reader of the vault. */
import { LatchkeyError } from '@latchkey/protocol'
import {
  type AssetNames,
  analyzeSolanaTransaction,
  describeSolanaTransaction,
  type SolanaDescription,
} from '@latchkey/protocol/reading'
import type { Texts } from '@latchkey/protocol/reading/texts.arb'
import { encodeMessage, parseSolanaTransaction, solanaTransaction } from '@latchkey/protocol/wallet'
import { base58 } from '@scure/base'
import * as v from 'valibot'

/** Describes the transaction for the wallet that signs it. */
export type DescribeTransaction = (wallet: string, names: AssetNames, texts: Texts) => SolanaDescription

export function readTransaction(text: string): { transaction: string; describe: DescribeTransaction } {
  const transaction = text.toLowerCase()
  const bytes = v.is(solanaTransaction, transaction) ? encodeMessage(transaction) : undefined
  if (bytes === undefined) {
    throw new LatchkeyError('invalid_data', 'A transaction is at most 1,232 bytes of hex')
  }
  const parsed = parseSolanaTransaction(bytes, base58.encode)
  return {
    transaction,
    describe: (wallet, names, texts) =>
      describeSolanaTransaction(analyzeSolanaTransaction(parsed, wallet), wallet, names, texts),
  }
}
