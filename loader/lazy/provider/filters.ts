/**
 * Emulates filters for libraries that poll a chain with them. RPC nodes keep none for us: a filter is stored in
 * the page, and each poll reads the blocks since the last one.
 */
import { ProviderError } from './error.ts'

type Read = (method: string, params: readonly unknown[]) => Promise<unknown>
type Filter = {
  chainId: unknown
  /** The query of a log filter, or undefined for a block filter. */
  logs: object | undefined
  /** The first block that was not read yet. */
  next: number
  polledAtMs: number
}

/** Filters that are not polled for this long are removed, as nodes do. */
const IDLE_LIMIT_MS = 300_000
const MAX_FILTERS = 100
/** The number of blocks that one poll returns. Later polls return the rest. */
const MAX_BLOCKS_PER_POLL = 1_000

export function createFilters(read: Read) {
  const filters = new Map<unknown, Filter>()
  let last = 0

  async function add(logs: object | undefined) {
    for (const [id, { polledAtMs }] of filters)
      if (Date.now() - polledAtMs > IDLE_LIMIT_MS) filters.delete(id)
    if (filters.size >= MAX_FILTERS) throw new ProviderError(-32_005, 'The limit of 100 filters is reached')
    const next = (await getBlockNumber()) + 1
    const filter = { logs, next, chainId: await read('eth_chainId', []), polledAtMs: Date.now() }
    last += 1
    const id = toHex(last)
    filters.set(id, filter)
    return id
  }

  async function poll(id: unknown) {
    const filter = filters.get(id)
    if (!filter || filter.chainId !== (await read('eth_chainId', []))) {
      filters.delete(id)
      // Libraries create the filter again after this message.
      throw new ProviderError(-32_000, 'filter not found')
    }
    filter.polledAtMs = Date.now()
    const latest = await getBlockNumber()
    const from = filter.next
    if (from > latest) return []
    const to = Math.min(latest, from + MAX_BLOCKS_PER_POLL - 1)
    // Set before awaiting, so that concurrent polls return different blocks.
    filter.next = to + 1
    try {
      const range = { fromBlock: toHex(from), toBlock: toHex(to) }
      if (filter.logs) return await read('eth_getLogs', [{ ...filter.logs, ...range }])
      const numbers = Array.from({ length: to - from + 1 }, (_, index) => toHex(from + index))
      return await Promise.all(numbers.map(getBlockHash))
    } catch (error) {
      filter.next = Math.min(filter.next, from)
      throw error
    }
  }

  const getBlockNumber = async () => Number(await read('eth_blockNumber', []))
  const getBlockHash = async (number: string) =>
    Object(await read('eth_getBlockByNumber', [number, false])).hash

  const methods = new Map<string, (params: readonly unknown[]) => Promise<unknown>>([
    ['eth_newFilter', ([filter]) => add(Object(filter))],
    ['eth_newBlockFilter', () => add(undefined)],
    ['eth_getFilterChanges', ([id]) => poll(id)],
    ['eth_uninstallFilter', async ([id]) => filters.delete(id)],
  ])
  return (method: string) => methods.get(method)
}

const toHex = (number: number) => `0x${number.toString(16)}`
