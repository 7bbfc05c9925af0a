/**
 * Simulates a call at the operator's node, as a second opinion for the confirmation page:
 * https://github.com/ethereum/execution-apis (eth_simulateV1). It replaces nothing else on that page.
 */
import * as v from 'valibot'
import { getAddress, toHex } from 'viem/utils'
import { callNode, chains } from '../../../integrations/chains/chains.ts'
import { prices } from '../../../integrations/prices/prices.ts'
import type { ServerContext } from '../../../kernel/context.ts'
import type { App } from '../../../kernel/ports.ts'
import { confirmServerLimits } from '../limits.ts'
import { type BalanceChange, type Simulation, toChange } from './balance-changes.ts'
import { findChain } from './names.ts'
import type { Reading } from './reading.ts'

type Call = Pick<Extract<Reading, { kind: 'transaction' }>, 'chainId' | 'to' | 'value' | 'data'> & {
  from: string
}

const word = v.pipe(v.string(), v.regex(/^0x[0-9a-fA-F]{64}$/), v.toLowerCase())
const log = v.object({
  address: v.pipe(v.string(), v.regex(/^0x[0-9a-fA-F]{40}$/), v.toLowerCase()),
  topics: v.array(word),
  data: v.string(),
})
type Log = v.InferOutput<typeof log>
const answer = v.tuple([
  v.object({ calls: v.tuple([v.object({ status: v.picklist(['0x0', '0x1']), logs: v.array(log) })]) }),
])

/** Returns undefined for a plain transfer, and if no node simulates the call in time. */
export async function simulate(
  { ports }: Pick<ServerContext, 'ports'>,
  app: App,
  { chainId, from, to, value, data }: Call,
): Promise<Simulation | undefined> {
  if (to === undefined || data === '0x') return undefined
  const [node] = chains.get(ports).listNodes(app, chainId)
  if (!node) return undefined
  const signal = AbortSignal.timeout(confirmServerLimits.simulationDeadlineMs)
  const calls = [{ from, to, value: toHex(value), input: data }]
  const params = [{ blockStateCalls: [{ calls }], traceTransfers: true, validation: false }, 'latest']
  const result = await callNode(node, { method: 'eth_simulateV1', params }, signal).catch(() => undefined)
  const parsed = v.safeParse(v.object({ result: answer }), result)
  if (!parsed.success) return undefined
  const [
    {
      calls: [outcome],
    },
  ] = parsed.output.result
  if (outcome.status === '0x0') return { reverts: true, changes: [] }
  const moved = sumTransfers(outcome.logs, from.toLowerCase())
  if (moved.size > confirmServerLimits.maxSimulatedChanges) return undefined
  const coin = await findChain(app, chainId)
  const changes = [...moved.values()].map((each) =>
    each.token === coinAddress
      ? toChange({ ...each, token: null }, coin)
      : toChange(
          { ...each, token: getAddress(each.token) },
          prices.get(ports).findToken(chainId, each.token),
        ),
  )
  return { reverts: false, changes }
}

/** The address of the native coin in traced transfers. */
const coinAddress = `0x${'e'.repeat(40)}`
/** `Transfer(address,address,uint256)` */
const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

type Moved = BalanceChange & { token: string }

/** Sums the transfers of ERC-20, ERC-721 and the coin from and to the wallet, without those that cancel out. */
function sumTransfers(logs: Log[], wallet: string): ReadonlyMap<string, Moved> {
  const sums = new Map<string, Moved>()
  for (const { address: token, topics, data } of logs) {
    const [topic, from, to, id] = topics
    if (topic !== transferTopic || from === undefined || to === undefined || topics.length > 4) continue
    if (id === undefined && !v.is(word, data)) continue
    const amount = id === undefined ? BigInt(data) : 1n
    const key = `${token} ${id ?? ''}`
    const sum = sums.get(key) ?? { token, id: id === undefined ? null : String(BigInt(id)), amount: 0n }
    const received = isAddress(to, wallet) ? amount : 0n
    const sent = isAddress(from, wallet) ? amount : 0n
    sums.set(key, { ...sum, amount: sum.amount + received - sent })
  }
  return new Map([...sums].filter(([, { amount }]) => amount !== 0n))
}

const ADDRESS_DIGITS = 40
const isAddress = (topic: string, address: string) => topic.slice(-ADDRESS_DIGITS) === address.slice(2)
