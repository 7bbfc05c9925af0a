/**
 * Simulates a Solana transaction at the app's nodes, as a second opinion for the confirmation page:
 * https://solana.com/docs/rpc/http/simulatetransaction. It replaces nothing else on that page.
 */
import { solanaClusters } from '@latchkey/protocol'
import type { OpenConfirmation } from '@latchkey/protocol/api'
import { base58 } from '@scure/base'
import * as v from 'valibot'
import { type ChainNode, callNode, toClusterNode } from '../../../../integrations/chains/chains.ts'
import { prices, solanaChain } from '../../../../integrations/prices/prices.ts'
import type { ServerContext } from '../../../../kernel/context.ts'
import type { App } from '../../../../kernel/ports.ts'
import { confirmServerLimits } from '../../limits.ts'
import { type Simulation, toChange } from '../balance-changes.ts'
import { programs } from './effects.ts'
import { type ParsedTransaction, parseTransaction } from './transaction.ts'

type Simulated = {
  wire: Buffer
  wallet: string
  /** The accounts of the lookup tables. Undefined if they are unknown. */
  lookups: OpenConfirmation['lookups']
}

/**
 * Returns undefined unless exactly one cluster simulates the transaction in time. Its blockhash is known to one cluster
 * only, so that the others reject it.
 */
export async function simulate(
  { ports }: Pick<ServerContext, 'ports'>,
  { config }: Pick<App, 'config'>,
  { wire, wallet, lookups }: Simulated,
): Promise<Simulation | undefined> {
  const parsed = parseTransaction(wire)
  if (!parsed || (parsed.lookups.length > 0 && !lookups)) return undefined
  const signal = AbortSignal.timeout(confirmServerLimits.simulationDeadlineMs)
  const addresses = listWritable(parsed, lookups)
  const answers = await Promise.all(
    solanaClusters.map(async (cluster) => {
      const [url] = config.solanaRpcUrls[cluster] ?? []
      const node = url === undefined ? undefined : toClusterNode(cluster, url)
      return node && simulateAt(node, { wire, addresses }, signal).catch(() => undefined)
    }),
  )
  const [outcome, ...others] = answers.filter((answer) => answer !== undefined)
  if (!outcome || others.length > 0) return undefined
  if (outcome === 'failed') return { reverts: true, changes: [] }
  const [oldBalances, newBalances] = [sumBalances(outcome.before, wallet), sumBalances(outcome.after, wallet)]
  const changed = [...new Set([...oldBalances.keys(), ...newBalances.keys()])]
    .map((token) => ({ token, amount: (newBalances.get(token) ?? 0n) - (oldBalances.get(token) ?? 0n) }))
    .filter(({ amount }) => amount !== 0n)
  if (changed.length > confirmServerLimits.maxSimulatedChanges) return undefined
  const changes = changed.map(({ token, amount }) =>
    token === coin
      ? toChange({ token: null, id: null, amount }, sol)
      : toChange({ token, id: null, amount }, prices.get(ports).findToken(solanaChain, token)),
  )
  return { reverts: false, changes }
}

const coin = 'SOL'
const sol = { symbol: 'SOL', decimals: 9 }

/** Only these accounts can change. */
function listWritable(
  { header, keys, lookups }: ParsedTransaction,
  resolved: Simulated['lookups'],
): string[] {
  const { signers, readonlySigners, readonlyOthers } = header
  const own = keys.filter((_, at) =>
    at < signers ? at < signers - readonlySigners : at < keys.length - readonlyOthers,
  )
  const isWritable = (entry: { table: string; index: number }) =>
    lookups.some(({ table, writable }) => table === entry.table && writable.includes(entry.index))
  return [...own, ...(resolved?.accounts ?? []).filter(isWritable).map(({ address }) => address)]
}

const account = v.object({
  lamports: v.pipe(v.number(), v.integer(), v.minValue(0)),
  owner: v.string(),
  data: v.tuple([v.string(), v.literal('base64')]),
})
const accounts = v.array(v.nullable(account))
const accountsAnswer = v.object({ result: v.object({ value: accounts }) })
const simulationAnswer = v.object({
  result: v.object({ value: v.object({ err: v.unknown(), accounts: v.nullish(accounts) }) }),
})
/** An account and its address. */
type Account = v.InferOutput<typeof account> & { address: string }
type Outcome = { before: Account[]; after: Account[] } | 'failed'

async function simulateAt(
  node: ChainNode,
  { wire, addresses }: { wire: Buffer; addresses: string[] },
  signal: AbortSignal,
): Promise<Outcome | undefined> {
  const read = { encoding: 'base64', commitment: 'confirmed' }
  const run = { ...read, sigVerify: false, accounts: { encoding: 'base64', addresses } }
  const [present, simulated] = await Promise.all([
    callNode(node, { method: 'getMultipleAccounts', params: [addresses, read] }, signal),
    callNode(node, { method: 'simulateTransaction', params: [wire.toString('base64'), run] }, signal),
  ])
  const { err, accounts: later } = v.parse(simulationAnswer, simulated).result.value
  // The blockhash expired, or is of another cluster.
  if (err === 'BlockhashNotFound') return undefined
  if (err !== null) return 'failed'
  const { value: earlier } = v.parse(accountsAnswer, present).result
  if (earlier.length !== addresses.length || later?.length !== addresses.length) return undefined
  const withAddresses = (list: v.InferOutput<typeof accounts>): Account[] =>
    addresses.flatMap((address, position) => {
      const entry = list[position]
      return entry ? [{ ...entry, address }] : []
    })
  return { before: withAddresses(earlier), after: withAddresses(later) }
}

/** Sums the SOL and the tokens of the wallet, by mint. */
function sumBalances(all: Account[], wallet: string): ReadonlyMap<string, bigint> {
  const sums = new Map<string, bigint>()
  for (const each of all) {
    const balance =
      each.address === wallet ? { token: coin, amount: BigInt(each.lamports) } : readTokens(each, wallet)
    if (balance) sums.set(balance.token, (sums.get(balance.token) ?? 0n) + balance.amount)
  }
  return sums
}

/** The size of a token account without extensions. */
const TOKEN_ACCOUNT_BYTES = 165
/** The size of a signature group, which is no token account. */
const MULTISIG_BYTES = 355
/** The type of a Token-2022 account with extensions, after its base. */
const TYPE_OF_ACCOUNT = 2

/** Returns undefined for an account that holds no tokens of the wallet. https://www.solana-program.com/docs/token */
function readTokens({ owner, data: [base64] }: Account, wallet: string) {
  const data = Buffer.from(base64, 'base64')
  const isExtended =
    owner === programs.token2022 &&
    data.length > TOKEN_ACCOUNT_BYTES &&
    data.length !== MULTISIG_BYTES &&
    data[TOKEN_ACCOUNT_BYTES] === TYPE_OF_ACCOUNT
  const isBase =
    (owner === programs.token || owner === programs.token2022) && data.length === TOKEN_ACCOUNT_BYTES
  if (!isBase && !isExtended) return undefined
  if (base58.encode(data.subarray(32, 64)) !== wallet) return undefined
  return { token: base58.encode(data.subarray(0, 32)), amount: data.readBigUInt64LE(64) }
}
