import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createFilters } from './filters.ts'

/** A chain that the test advances. */
function makeChain() {
  const chain = { id: '0x1', newest: 100, asked: [] as unknown[], refuses: false }
  const read = async (method: string, params: readonly unknown[]) => {
    if (method === 'eth_chainId') return chain.id
    if (method === 'eth_blockNumber') return `0x${chain.newest.toString(16)}`
    if (chain.refuses) throw new Error('The chain is away')
    chain.asked.push([method, ...params])
    if (method === 'eth_getBlockByNumber') return { hash: `hash of ${params[0]}` }
    return [`logs ${chain.asked.length}`]
  }
  const filters = createFilters(read)
  const call = async (method: string, ...params: unknown[]) => filters(method)?.(params)
  return { chain, filters, call }
}

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }))
afterEach(() => void vi.useRealTimers())

describe('a log filter', () => {
  it('returns new logs once per poll', async () => {
    const { chain, call } = makeChain()
    const id = await call('eth_newFilter', { address: '0xa', topics: ['0xb'], fromBlock: 'latest' })
    expect(id).toBe('0x1')
    expect(await call('eth_getFilterChanges', id)).toEqual([])
    chain.newest = 103
    expect(await call('eth_getFilterChanges', id)).toEqual(['logs 1'])
    expect(await call('eth_getFilterChanges', id)).toEqual([])
    chain.newest = 104
    const both = [call('eth_getFilterChanges', id), call('eth_getFilterChanges', id)]
    expect(await Promise.all(both)).toEqual(expect.arrayContaining([[], ['logs 2']]))
    const filter = { address: '0xa', topics: ['0xb'] }
    expect(chain.asked).toEqual([
      ['eth_getLogs', { ...filter, fromBlock: '0x65', toBlock: '0x67' }],
      ['eth_getLogs', { ...filter, fromBlock: '0x68', toBlock: '0x68' }],
    ])
  })

  it('loses nothing if a poll fails', async () => {
    const { chain, call } = makeChain()
    const id = await call('eth_newFilter', {})
    chain.newest = 101
    chain.refuses = true
    await expect(call('eth_getFilterChanges', id)).rejects.toThrow('The chain is away')
    chain.refuses = false
    chain.newest = 102
    await call('eth_getFilterChanges', id)
    expect(chain.asked).toEqual([['eth_getLogs', { fromBlock: '0x65', toBlock: '0x66' }]])
  })

  it('reads up to a thousand blocks per poll, and all of them in the end', async () => {
    const { chain, call } = makeChain()
    const id = await call('eth_newFilter', {})
    chain.newest = 1_200
    for (let look = 0; look < 3; look += 1) await call('eth_getFilterChanges', id)
    expect(chain.asked).toEqual([
      ['eth_getLogs', { fromBlock: '0x65', toBlock: '0x44c' }],
      ['eth_getLogs', { fromBlock: '0x44d', toBlock: '0x4b0' }],
    ])
  })
})

it('a block filter returns the hash of each block', async () => {
  const { chain, call } = makeChain()
  const id = await call('eth_newBlockFilter')
  chain.newest = 102
  expect(await call('eth_getFilterChanges', id)).toEqual(['hash of 0x65', 'hash of 0x66'])
})

describe('a filter is not found', () => {
  const notFound = { code: -32_000, message: 'filter not found' }

  it('if it was never created, or was uninstalled', async () => {
    const { call } = makeChain()
    await expect(call('eth_getFilterChanges', '0x1')).rejects.toMatchObject(notFound)
    const id = await call('eth_newFilter', {})
    expect(await call('eth_uninstallFilter', id)).toBe(true)
    expect(await call('eth_uninstallFilter', id)).toBe(false)
    await expect(call('eth_getFilterChanges', id)).rejects.toMatchObject(notFound)
  })

  it('if the chain has changed', async () => {
    const { chain, call } = makeChain()
    const id = await call('eth_newFilter', {})
    chain.id = '0x89'
    await expect(call('eth_getFilterChanges', id)).rejects.toMatchObject(notFound)
    chain.id = '0x1'
    await expect(call('eth_getFilterChanges', id)).rejects.toMatchObject(notFound)
  })
})

it('createFilters keeps a hundred filters, and removes those that were not polled for five minutes', async () => {
  const { call } = makeChain()
  for (let setup = 0; setup < 100; setup += 1) await call('eth_newFilter', {})
  await expect(call('eth_newFilter', {})).rejects.toMatchObject({ code: -32_005 })
  vi.advanceTimersByTime(300_000)
  await call('eth_getFilterChanges', '0x64')
  vi.advanceTimersByTime(1)
  expect(await call('eth_newFilter', {})).toBe('0x65')
  await expect(call('eth_getFilterChanges', '0x1')).rejects.toMatchObject({ code: -32_000 })
  expect(await call('eth_getFilterChanges', '0x64')).toEqual([])
})

it('createFilters knows no other methods', () => {
  const { filters } = makeChain()
  expect(filters('eth_newPendingTransactionFilter')).toBeUndefined()
  expect(filters('toString')).toBeUndefined()
})
