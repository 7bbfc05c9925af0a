/**
 * Reads the accounts that lookup tables name at the app's nodes, for the confirmation page. A transaction with tables
 * always needs that page. https://solana.com/docs/advanced/lookup-tables
 */
import { type SolanaCluster, solanaClusters } from '@latchkey/protocol'
import type { OpenConfirmation } from '@latchkey/protocol/api'
import { base58 } from '@scure/base'
import * as v from 'valibot'
import { callNode, toClusterNode } from '../../../../integrations/chains/chains.ts'
import type { App } from '../../../../kernel/ports.ts'
import { confirmServerLimits } from '../../limits.ts'
import type { Lookup } from './transaction.ts'

type Lookups = NonNullable<OpenConfirmation['lookups']>

/**
 * Returns undefined unless exactly one cluster has all tables, because a transaction does not name its cluster. A cluster
 * without an answer may have them, too.
 */
export async function resolveLookups(
  { config }: Pick<App, 'config'>,
  lookups: Lookup[],
): Promise<Lookups | undefined> {
  const signal = AbortSignal.timeout(confirmServerLimits.lookupTablesDeadlineMs)
  const clusters = solanaClusters.filter((cluster) => config.solanaRpcUrls[cluster])
  const answers = await Promise.all(
    clusters.map(async (cluster) => {
      const urls = config.solanaRpcUrls[cluster] ?? []
      return { cluster, accounts: await readAccounts({ cluster, urls }, lookups, signal) }
    }),
  )
  if (answers.some(({ accounts }) => accounts === 'unanswered')) return undefined
  const [resolved, ...others] = answers.filter(({ accounts }) => accounts !== 'missing')
  if (!resolved || typeof resolved.accounts === 'string' || others.length > 0) return undefined
  return { cluster: resolved.cluster, accounts: resolved.accounts }
}

const answerSchema = v.object({
  result: v.object({
    value: v.array(
      v.nullable(v.object({ owner: v.string(), data: v.tuple([v.string(), v.literal('base64')]) })),
    ),
  }),
})

type Nodes = { cluster: SolanaCluster; urls: string[] }

/** Asks one node after another until one answers. */
async function readAccounts(
  { cluster, urls }: Nodes,
  lookups: Lookup[],
  signal: AbortSignal,
): Promise<Lookups['accounts'] | 'missing' | 'unanswered'> {
  const tables = lookups.map(({ table }) => table)
  const params = [tables, { encoding: 'base64', commitment: 'confirmed' }]
  for (const url of urls) {
    const answer = await callNode(
      toClusterNode(cluster, url),
      { method: 'getMultipleAccounts', params },
      signal,
    ).catch(() => undefined)
    const parsed = v.safeParse(answerSchema, answer)
    if (!parsed.success || parsed.output.result.value.length !== tables.length) continue
    const { value } = parsed.output.result
    const accounts = lookups.map(({ table, writable, readable }, at) => {
      const addresses = parseTable(value[at] ?? null)
      return [...writable, ...readable].map((index) => ({ table, index, address: addresses[index] }))
    })
    return accounts.flat().every(isResolved) ? accounts.flat().filter(isResolved) : 'missing'
  }
  return 'unanswered'
}

type Entry = { table: string; index: number; address: string | undefined }
const isResolved = (entry: Entry): entry is Lookups['accounts'][number] => entry.address !== undefined

const LOOKUP_TABLE_PROGRAM = 'AddressLookupTab1e1111111111111111111111111'
/** The type of an initialized table. */
const LOOKUP_TABLE = 1
const HEADER_BYTES = 56
const ADDRESS_BYTES = 32
/** The deactivation slot of an active table. Its entries never change. */
const ACTIVE = 2n ** 64n - 1n

/** Returns the addresses of the table. Empty for other accounts, and for a deactivated table. */
function parseTable(account: { owner: string; data: [string, string] } | null): string[] {
  const data = Buffer.from(account?.data[0] ?? '', 'base64')
  if (account?.owner !== LOOKUP_TABLE_PROGRAM || data.length < HEADER_BYTES) return []
  if (data.readUInt32LE(0) !== LOOKUP_TABLE || data.readBigUInt64LE(4) !== ACTIVE) return []
  const count = Math.floor((data.length - HEADER_BYTES) / ADDRESS_BYTES)
  return Array.from({ length: count }, (_, index) => {
    const start = HEADER_BYTES + index * ADDRESS_BYTES
    return base58.encode(data.subarray(start, start + ADDRESS_BYTES))
  })
}
