/**
 * Filters, for libraries that follow a chain by them. No node keeps any for us: a filter lives in the page, and each
 * look at it reads what came since the look before.
 */
import { ProviderError } from './error.ts'

type Read = (method: string, params: readonly unknown[]) => Promise<unknown>
type Filter = {
  chainId: unknown
  /** A filter of logs has the query; one without it is a filter of blocks. */
  logs: object | undefined
  /** The first block that no look has read. */
  next: number
  lookedAtMs: number
}

/** A filter that nobody polls for this long is dropped, as nodes do. */
const idleLimitMs = 300_000
const mostFilters = 100
/** One poll answers this many blocks at most; the rest of a long pause is left to the polls that follow. */
const mostBlocks = 1_000

export function createFilters(read: Read) {
  const filters = new Map<unknown, Filter>()
  let last = 0

  async function add(logs: object | undefined) {
    for (const [id, { lookedAtMs }] of filters) if (Date.now() - lookedAtMs > idleLimitMs) filters.delete(id)
    if (filters.size >= mostFilters) throw new ProviderError(-32_005, 'There are 100 filters already')
    const next = (await newest()) + 1
    const filter = { logs, next, chainId: await read('eth_chainId', []), lookedAtMs: Date.now() }
    last += 1
    const id = hexOf(last)
    filters.set(id, filter)
    return id
  }

  async function look(id: unknown) {
    const filter = filters.get(id)
    if (!filter || filter.chainId !== (await read('eth_chainId', []))) {
      filters.delete(id)
      // A library that reads this makes the filter anew.
      throw new ProviderError(-32_000, 'filter not found')
    }
    filter.lookedAtMs = Date.now()
    const known = await newest()
    const from = filter.next
    if (from > known) return []
    const to = Math.min(known, from + mostBlocks - 1)
    // Before the answer: two looks at once do not tell the same.
    filter.next = to + 1
    try {
      const range = { fromBlock: hexOf(from), toBlock: hexOf(to) }
      if (filter.logs) return await read('eth_getLogs', [{ ...filter.logs, ...range }])
      const numbers = Array.from({ length: to - from + 1 }, (_, index) => hexOf(from + index))
      return await Promise.all(numbers.map(hashOfBlock))
    } catch (error) {
      filter.next = Math.min(filter.next, from)
      throw error
    }
  }

  const newest = async () => Number(await read('eth_blockNumber', []))
  const hashOfBlock = async (number: string) =>
    Object(await read('eth_getBlockByNumber', [number, false])).hash

  const methods = new Map<string, (params: readonly unknown[]) => Promise<unknown>>([
    ['eth_newFilter', ([filter]) => add(Object(filter))],
    ['eth_newBlockFilter', () => add(undefined)],
    ['eth_getFilterChanges', ([id]) => look(id)],
    ['eth_uninstallFilter', async ([id]) => filters.delete(id)],
  ])
  return (method: string) => methods.get(method)
}

const hexOf = (number: number) => `0x${number.toString(16)}`
