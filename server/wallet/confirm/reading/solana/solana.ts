/** The reader of Solana transactions for other areas. */
export { getMaxFee, PAYER, programs } from './effects.ts'
export { encodeMessage, encodeTransaction, type ParsedTransaction, parseTransaction } from './transaction.ts'
