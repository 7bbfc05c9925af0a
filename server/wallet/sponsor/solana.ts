/**
 * Pays the fees of Solana transactions. The operator's account signs as the first signer, which pays the fees. It has no
 * other role in the transaction, so its signature moves no coins but the fee. https://solana.com/docs/core/fees
 */
import { LatchkeyError, type SolanaCluster, walletSizes } from '@latchkey/protocol'
import type { RouteBody, RouteOutput, sponsorRoutes } from '@latchkey/protocol/api'
import { base58 } from '@scure/base'
import * as v from 'valibot'
import { toChainId } from '../../integrations/chains/chains.ts'
import {
  createClusterCaller,
  requireSolanaPayer,
  type SolanaPayer,
} from '../../integrations/relays/relays.ts'
import type { DialogToken, ServerContext } from '../../kernel/context.ts'
import { isEd25519Signature } from '../../kernel/ed25519.ts'
import { type App, nowSeconds, type Trx } from '../../kernel/ports.ts'
import { formatDollars, loadSolanaReader } from '../confirm/confirm.ts'
import { consumeQuota, requireEligibleWallet } from './eligibility.ts'
import { priceSolana } from './fees.ts'
import { sponsorServerLimits } from './limits.ts'
import { sponsoredOperations } from './metrics.ts'
import { type Checked, storeOperation } from './operations.ts'
import type { OperationRow } from './tables.ts'

type Sponsorable = RouteBody<typeof sponsorRoutes.quoteSolanaTransaction>
type Reader = Awaited<ReturnType<typeof loadSolanaReader>>
type Transaction = NonNullable<ReturnType<Reader['parseTransaction']>>

/** Returns the transaction with the operator as its payer. */
export async function quoteSolanaTransaction(
  context: ServerContext,
  app: App,
  caller: DialogToken,
  { address, cluster, transaction }: Sponsorable,
): Promise<RouteOutput<typeof sponsorRoutes.quoteSolanaTransaction>> {
  const payer = await requirePayer(context, app, caller, { address, cluster })
  await context.transaction((trx) =>
    consumeQuota(trx, context, caller, 'quotes', sponsorServerLimits.quotesPerDay),
  )
  const reader = await loadSolanaReader()
  const payerAddress = await payer.getAddress()
  const paid = withPayer(reader, parse(reader, transaction), { wallet: address, payer: payerAddress })
  const wire = reader.encodeTransaction(paid)
  const signers = paid.keys.slice(1, paid.header.signers)
  if (signers.some((signer, at) => signer !== address && isMissing(paid.signatures[at + 1])))
    throw invalidTransaction('The transaction lacks the signatures of other signers')
  const cents = await checkTransaction(context, app, reader, { paid, cluster, wallet: address })
  const failure = await simulate(app, cluster, wire)
  if (failure !== undefined) throw rejectedByNetwork(failure)
  return { transaction: toHex(wire), usd: cents === 0 ? null : formatDollars(cents) }
}

/** A transaction that the operator has signed, or the reason why it did not. */
export type CheckedTransaction = { checked: Checked; transaction: string }
export type SignedTransaction = { id: string; isFailed: boolean; transaction: string }

/** Verifies the signatures, simulates the transaction and signs it. The signature is released after it is counted. */
export async function checkSolanaTransaction(
  context: ServerContext,
  app: App,
  caller: DialogToken,
  { address, cluster, transaction }: Sponsorable,
): Promise<CheckedTransaction> {
  const payer = await requirePayer(context, app, caller, { address, cluster })
  const reader = await loadSolanaReader()
  const paid = parse(reader, transaction)
  const message = reader.encodeMessage(paid)
  const [payerAddress = '', ...signers] = paid.keys.slice(0, paid.header.signers)
  const [, ...signatures] = paid.signatures
  if (!payer.isOwn(payerAddress))
    throw new LatchkeyError('not_supported', 'The fees of a transaction with this payer are not paid')
  if (!signers.every((signer, at) => isSigned(message, signer, signatures[at])))
    throw invalidTransaction('A signature of the transaction is missing or invalid')
  const cents = await checkTransaction(context, app, reader, { paid, cluster, wallet: address })
  const now = nowSeconds(context.clock)
  const row: Omit<OperationRow, 'id'> = {
    app_id: caller.appId,
    user_id: caller.userId,
    chain_id: toChainId(cluster),
    sender: address,
    signed: '',
    relay: payerAddress,
    relay_nonce: null,
    gas: 0,
    max_fee: String(reader.getMaxFee(paid)),
    priority_fee: '0',
    transactions: '[]',
    state: 'pending',
    cents,
    created_at: now,
    sent_at: now,
    due_at_ms: context.clock.nowMs() + sponsorServerLimits.pollMs,
    settled_at: null,
  }
  const wire = reader.encodeTransaction(paid)
  const failure = await simulate(app, cluster, wire)
  if (failure === 'BlockhashNotFound' || failure === 'AlreadyProcessed') throw rejectedByNetwork(failure)
  if (failure !== undefined) {
    const id = base58.encode(signatures[0] ?? new Uint8Array())
    const failed = { state: 'dropped', cents: 0, due_at_ms: null, settled_at: now } as const
    return { checked: { type: 'failed', row: { ...row, ...failed, id } }, transaction: '' }
  }
  const signature = await payer.sign({ wire, message }, payerAddress)
  if (!isSigned(message, payerAddress, signature))
    throw new LatchkeyError('unavailable', 'The payer of the fees did not sign')
  const id = base58.encode(signature)
  return {
    checked: {
      type: 'ready',
      row: { ...row, id, transactions: JSON.stringify([id]) },
      relayNonceOfChain: null,
    },
    transaction: toHex(reader.encodeTransaction({ ...paid, signatures: [signature, ...signatures] })),
  }
}

/** Counts the fee against the budgets. The call releases the signature of the operator afterwards. */
export async function storeSolanaTransaction(
  trx: Trx,
  context: ServerContext,
  app: App,
  { checked, transaction }: CheckedTransaction,
): Promise<SignedTransaction> {
  const stored = await storeOperation(trx, context, app, checked)
  if (!stored.isFailed) sponsoredOperations.add({ chain: checked.row.chain_id, outcome: 'sent' })
  return { ...stored, transaction }
}

export function renderSolanaTransaction({ id, isFailed, transaction }: SignedTransaction) {
  if (isFailed) throw rejectedByNetwork('the simulation failed')
  return { signature: id, transaction }
}

async function requirePayer(
  context: ServerContext,
  app: App,
  caller: DialogToken,
  { address, cluster }: Pick<Sponsorable, 'address' | 'cluster'>,
): Promise<SolanaPayer> {
  const payer = requireSolanaPayer(context, app, cluster)
  await requireEligibleWallet(context, app, caller, address)
  if (app.sponsorLimits.calls === null) return payer
  throw new LatchkeyError('not_supported', 'The fees of listed calls only are paid')
}

function parse({ parseTransaction }: Reader, transaction: string): Transaction {
  const parsed = parseTransaction(Buffer.from(transaction.slice(2), 'hex'))
  if (parsed) return parsed
  throw invalidTransaction('The transaction is malformed')
}

/** Returns the transaction with this payer before its other accounts. Throws if others have signed it already. */
function withPayer(
  { PAYER, encodeTransaction }: Reader,
  transaction: Transaction,
  { wallet, payer }: { wallet: string; payer: string },
): Transaction {
  const { header, keys, instructions } = transaction
  if (keys[PAYER] === payer) return transaction
  if (keys[PAYER] !== wallet || header.signers > 1 || keys.includes(payer)) throw otherSigners()
  const move = (index: number) => index + 1
  const moved: Transaction = {
    ...transaction,
    signatures: [Buffer.alloc(64), Buffer.alloc(64)],
    header: { ...header, signers: 2 },
    keys: [payer, ...keys],
    instructions: instructions.map(({ program, accounts, data }) => ({
      program: move(program),
      accounts: accounts.map(move),
      data,
    })),
  }
  if (encodeTransaction(moved).length > walletSizes.maxSolanaTransactionBytes)
    throw new LatchkeyError('not_supported', 'The transaction has no room for another payer')
  return moved
}

const otherSigners = () =>
  new LatchkeyError('not_supported', 'The fees of a transaction with other signers are not paid')

type ToCheck = { paid: Transaction; cluster: SolanaCluster; wallet: string }

/** Returns the maximum fee in cents. Throws unless the payer pays only that, and only for this wallet. */
async function checkTransaction(
  context: ServerContext,
  app: App,
  reader: Reader,
  { paid, cluster, wallet }: ToCheck,
): Promise<number> {
  const { header, keys, instructions } = paid
  if (!keys.slice(1, header.signers).includes(wallet))
    throw invalidTransaction('The wallet does not sign the transaction')
  if (instructions.some(({ accounts }) => accounts.includes(reader.PAYER)))
    throw new LatchkeyError('not_supported', 'The payer of the fees has another role in the transaction')
  // Such a transaction does not expire, so its outcome could not be awaited.
  if (instructions.some((each) => isNonceAdvance(reader, keys[each.program], each.data)))
    throw new LatchkeyError('not_supported', 'The fees of a transaction with a durable nonce are not paid')
  return priceSolana(context, app, cluster, reader.getMaxFee(paid))
}

const ADVANCE_NONCE = 4
const isNonceAdvance = ({ programs }: Reader, program: string | undefined, data: Buffer) =>
  program === programs.system && data.length >= 4 && data.readUInt32LE() === ADVANCE_NONCE

const invalidTransaction = (message: string) =>
  new LatchkeyError('invalid_data', message, { details: { path: 'transaction' } })

const isMissing = (signature: Buffer | undefined) => !signature?.some((byte) => byte !== 0)

const SIGNATURE_BYTES = 64
const isSigned = (message: Buffer, signer: string, signature: Buffer | undefined) =>
  signature?.length === SIGNATURE_BYTES && isEd25519Signature(message, base58.decode(signer), signature)

/** https://github.com/anza-xyz/solana-sdk: `TransactionError`, which is a name or an object of one name. */
const simulated = v.object({
  value: v.object({ err: v.nullable(v.union([v.string(), v.record(v.string(), v.unknown())])) }),
})

/** Returns the error of the network, or undefined if the transaction succeeds now. */
async function simulate(app: App, cluster: SolanaCluster, wire: Buffer): Promise<string | undefined> {
  const options = { encoding: 'base64', commitment: 'processed', sigVerify: false }
  const call = createClusterCaller(app, cluster)
  const { value } = await call(simulated, 'simulateTransaction', wire.toString('base64'), options)
  if (value.err === null) return undefined
  const failure = typeof value.err === 'string' ? value.err : JSON.stringify(value.err)
  if (!isPayerPoor.test(failure)) return failure
  throw new LatchkeyError('unavailable', 'The payer of the fees lacks SOL')
}

/** The payer is the first account. */
const isPayerPoor =
  /^(AccountNotFound|InsufficientFundsForFee)$|"InsufficientFundsForRent":\{"account_index":0\}/

const rejectedByNetwork = (reason: string) =>
  new LatchkeyError('transaction_failure', 'The network would reject this transaction', {
    cause: new Error(reason),
  })

const toHex = (wire: Buffer) => `0x${wire.toString('hex')}` as const
