/**
 * Has the operator pay the fees of a Solana transaction. The operator's account becomes the first signer, and signs after
 * the wallet.
 */
import { LatchkeyError, type SolanaCluster } from '@latchkey/protocol'
import { sponsorRoutes } from '@latchkey/protocol/api'
import type { SolanaTransaction } from '@latchkey/protocol/wallet'
import { catchRefusal } from '../../../api/sponsor-refusal.ts'
import { asHex } from '../../../browser/hex.ts'
import type { CapabilityPorts } from '../../../contract/capability.ts'
import { parseHex } from './solana-transaction.ts'

type ToSponsor = { address: string; cluster: SolanaCluster; transaction: string }

type Sponsored = {
  /** The transaction with the operator as its payer. */
  transaction: string
  /** Returns the transaction that the wallet signed, with the signature of the operator, which counts its fee. */
  complete: (signed: string) => Promise<string>
}

/** Returns undefined if the wallet pays. */
export async function quoteSponsored(
  { api }: Pick<CapabilityPorts, 'api'>,
  { address, cluster, transaction }: ToSponsor,
  signal: AbortSignal,
): Promise<Sponsored | undefined> {
  const original = parseHex(transaction)
  const body = { address, cluster, transaction: asHex(transaction.toLowerCase()) }
  const quote = await catchRefusal(api.call(sponsorRoutes.quoteSolanaTransaction, body, { signal }))
  if (quote instanceof LatchkeyError) return undefined
  // Signs the instructions of the page, never those of the server.
  const isSame = quote.transaction === body.transaction
  if (!isSame && !isPaidFor(original, parseHex(quote.transaction)))
    throw new LatchkeyError('invalid_answer', 'The server returned another transaction')
  return {
    transaction: quote.transaction,
    async complete(signed) {
      const signedBody = { ...body, transaction: asHex(signed) }
      return (await api.call(sponsorRoutes.signSolanaTransaction, signedBody, { signal })).transaction
    },
  }
}

/** Returns whether the transactions differ in an additional first account only, which no instruction names. */
function isPaidFor(original: SolanaTransaction, paid: SolanaTransaction): boolean {
  const [payer, ...accounts] = paid.accounts
  return payer?.isSigner === true && describe({ ...paid, accounts }) === describe(original)
}

const describe = ({ version, lifetime, accounts, instructions }: SolanaTransaction) =>
  JSON.stringify([
    version,
    lifetime,
    accounts,
    instructions.map((each) => ({ ...each, data: [...each.data] })),
  ])
