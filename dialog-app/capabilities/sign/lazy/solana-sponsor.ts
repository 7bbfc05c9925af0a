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

type Sponsored = { address: string; cluster: SolanaCluster; transaction: string }
type Ports = Pick<CapabilityPorts, 'api'>

/** Returns the transaction with the operator as its payer. Returns undefined if the wallet pays. */
export async function quoteSponsored(
  { api }: Ports,
  { address, cluster, transaction }: Sponsored,
  signal: AbortSignal,
): Promise<string | undefined> {
  const original = parseHex(transaction)
  const body = { address, cluster, transaction: asHex(transaction.toLowerCase()) }
  const quote = await catchRefusal(api.call(sponsorRoutes.quoteSolanaTransaction, body, { signal }))
  if (quote instanceof LatchkeyError) return undefined
  // Signs the instructions of the page, never those of the server.
  if (quote.transaction === body.transaction || isPaidFor(original, parseHex(quote.transaction)))
    return quote.transaction
  throw new LatchkeyError('invalid_answer', 'The server returned another transaction')
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

/** Returns the transaction with the signature of the operator, which counts its fee. */
export async function completeSponsored(
  { api }: Ports,
  { address, cluster, transaction }: Sponsored,
  signal: AbortSignal,
): Promise<string> {
  const body = { address, cluster, transaction: asHex(transaction) }
  const { transaction: complete } = await api.call(sponsorRoutes.signSolanaTransaction, body, { signal })
  return complete
}
