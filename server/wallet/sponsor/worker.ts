/** Runs one worker per process, which follows the sponsored operations of all processes. */
import { createNodeCaller, quantity, sponsors } from '../../integrations/relays/relays.ts'
import type { ServerContext } from '../../kernel/context.ts'
import { sponsorServerLimits } from './limits.ts'
import { relayBalance } from './metrics.ts'
import { lease } from './store.ts'
import type { OperationRow } from './tables.ts'

export function createSponsorWorker(context: ServerContext) {
  const { clock, db, log, ports } = context
  const balances = new Map<string, number>()
  let balancesAtMs = 0
  const solanaBalancesAtMs = new Map<string, number>()
  const stopObserving = relayBalance.observe(async () =>
    [...balances].map(([chain, value]) => ({ value, values: { chain } })),
  )

  async function readBalances() {
    if (clock.nowMs() - balancesAtMs < sponsorServerLimits.balanceIntervalMs) return
    balancesAtMs = clock.nowMs()
    for (const [chainId, sponsor] of sponsors.get(ports).chains) {
      if (sponsor.type !== 'relay') continue
      const { address } = await sponsor.account()
      const wei = await createNodeCaller(context, chainId)(quantity, 'eth_getBalance', address, 'latest')
      balances.set(String(chainId), Number(wei) / 1e18)
    }
  }

  /** The nodes of Solana belong to the apps, so the balance is read at those of a followed transaction. */
  async function readSolanaBalances(followed: OperationRow[]) {
    const { findCluster, readSolanaBalance } = await import('./following.ts')
    for (const row of followed) {
      const cluster = findCluster(row)
      const readAtMs = solanaBalancesAtMs.get(row.chain_id) ?? 0
      if (!cluster || clock.nowMs() - readAtMs < sponsorServerLimits.balanceIntervalMs) continue
      solanaBalancesAtMs.set(row.chain_id, clock.nowMs())
      const balance = await readSolanaBalance(context, row, cluster)
      if (balance !== undefined) balances.set(row.chain_id, balance)
    }
  }

  const warnUnread = (error: unknown) => log.warn({ error }, 'the balance of a relay was not read')

  return {
    async poll() {
      const { chains, clusters } = sponsors.get(ports)
      if (chains.size + clusters.size === 0) return
      await readBalances().catch(warnUnread)
      const leased = await lease(db, clock.nowMs())
      if (leased.length === 0) return
      // Loaded on demand, because it encodes transactions.
      const { follow } = await import('./following.ts')
      for (const row of leased) {
        await follow(context, row).catch((error: unknown) =>
          log.warn({ error, chain: row.chain_id }, 'a sponsored operation was not followed'),
        )
      }
      await readSolanaBalances(leased).catch(warnUnread)
    },
    stop: async () => stopObserving(),
  }
}
