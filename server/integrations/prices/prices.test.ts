/** Prices from a feed that works, is outdated, or is down. */
import { base58 } from '@scure/base'
import { getAddress } from 'viem/utils'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { testBrowser, testServer } from '../../identity/sessions/testing/browser.ts'
import { createTokenVerifier } from '../../identity/sessions/tokens/verifier.ts'
import { parseConfig } from '../../kernel/config.ts'
import { forDefaultEngine } from '../../kernel/db/test-engines.ts'
import { createLog } from '../../kernel/log.ts'
import { movingClock, testApp, testContext } from '../../testing/context.ts'
import { startSandbox } from '../../testing/sandbox.ts'
import { knownCoins, knownTokenList, knownTokens } from './coins.ts'
import { priceEnvironment } from './environment.ts'
import { createPrices } from './feed.ts'
import { prices as key, type Prices } from './prices.ts'

const sandbox = await startSandbox()
const post = (path: string, body: unknown) =>
  fetch(sandbox + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
const faulty = (priceFeed: string) => post('/api/faults', { priceFeed })

let clock: ReturnType<typeof movingClock>
let prices: Prices
beforeEach(async () => {
  clock = movingClock(Date.now())
  const feed = { url: `${sandbox}/price-feed` }
  prices = createPrices({ feed, coins: knownCoins, tokens: knownTokens }, clock, createLog('silent'))
  await post('/api/prices', { ethereum: 2_500 })
})
afterEach(() => faulty('none'))

describe('a price', () => {
  test('returns the price of a chain’s native coin', async () => {
    expect(await prices.getNativePrice('1')).toBe(2_500)
    expect(await prices.getNativePrice('8453')).toBe(2_500)
    expect(await prices.getNativePrice('137')).toBe(0.5)
    expect(prices.getNativeSymbol('137')).toBe('POL')
  })

  test('requests a price once a minute', async () => {
    expect(await Promise.all(['1', '1', '10'].map(prices.getNativePrice))).toEqual([2_500, 2_500, 2_500])
    await post('/api/prices', { ethereum: 3_000 })
    clock.advanceSeconds(59)
    expect(await prices.getNativePrice('1')).toBe(2_500)
    clock.advanceSeconds(1)
    expect(await prices.getNativePrice('1')).toBe(3_000)
  })

  test('returns no price for an unknown chain or without a configured feed', async () => {
    expect(await prices.getNativePrice('31337')).toBeUndefined()
    const none = createPrices(
      { feed: undefined, coins: knownCoins, tokens: knownTokens },
      clock,
      createLog('silent'),
    )
    expect(await none.getNativePrice('1')).toBeUndefined()
  })

  test.each(['failing', 'garbage', 'too-many-requests', 'stale'])(
    'returns no price while the feed is %s, and one as soon as it recovers',
    async (fault) => {
      await faulty(fault)
      expect(await prices.getNativePrice('1')).toBeUndefined()
      await faulty('none')
      // An outdated price is cached for a minute as well.
      clock.advanceSeconds(60)
      expect(await prices.getNativePrice('1')).toBe(2_500)
    },
  )

  test('accepts prices that are at most ten minutes old', async () => {
    const at = Date.now()
    clock = movingClock(at + 590_000)
    const later = createPrices(
      { feed: { url: `${sandbox}/price-feed` }, coins: knownCoins, tokens: knownTokens },
      clock,
      createLog('silent'),
    )
    expect(await later.getNativePrice('1')).toBe(2_500)
    clock.advanceSeconds(30)
    expect(await later.getNativePrice('1')).toBeUndefined()
  })

  test('returns no price if the feed’s clock is ahead', async () => {
    clock = movingClock(Date.now() - 700_000)
    const early = createPrices(
      { feed: { url: `${sandbox}/price-feed` }, coins: knownCoins, tokens: knownTokens },
      clock,
      createLog('silent'),
    )
    expect(await early.getNativePrice('1')).toBeUndefined()
    clock.advanceSeconds(200)
    expect(await early.getNativePrice('1')).toBe(2_500)
  })

  test('rejects a price of zero, which would make every amount worth nothing', async () => {
    await post('/api/prices', { ethereum: 0 })
    expect(await prices.getNativePrice('1')).toBeUndefined()
    await post('/api/prices', { ethereum: 0.01 })
    clock.advanceSeconds(5)
    expect(await prices.getNativePrice('1')).toBe(0.01)
  })

  test('caches a failure for five seconds for all callers', async () => {
    await faulty('failing')
    expect(await prices.getNativePrice('1')).toBeUndefined()
    await faulty('none')
    expect(await prices.getNativePrice('1')).toBeUndefined()
    clock.advanceSeconds(4)
    expect(await prices.getNativePrice('1')).toBeUndefined()
    clock.advanceSeconds(1)
    expect(await prices.getNativePrice('1')).toBe(2_500)
  })

  test('returns no price if the feed does not respond within three seconds', async () => {
    await faulty('stall')
    const deadline = new AbortController()
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(deadline.signal)
    onTestFinished(() => timeout.mockRestore())
    const price = prices.getNativePrice('1')
    await vi.waitFor(() => expect(timeout.mock.calls).toEqual([[3_000]]))
    deadline.abort(new DOMException('Too late', 'TimeoutError'))
    expect(await price).toBeUndefined()
  })
})

describe('the price of a token', () => {
  const usdc = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'

  test('returns token prices by chain and address, with the token’s decimals', async () => {
    await post('/api/prices', { 'usd-coin': 0.999 })
    expect(await prices.getTokenPrice('1', usdc)).toEqual({ usd: 0.999, decimals: 6 })
    expect(await prices.getTokenPrice('1', usdc.toLowerCase())).toEqual({ usd: 0.999, decimals: 6 })
    expect(await prices.getTokenPrice('10', usdc)).toBeUndefined()
    expect(await prices.getTokenPrice('1', `${usdc.slice(0, -1)}9`)).toBeUndefined()
    expect(prices.findToken('1', usdc.toLowerCase())).toEqual({ symbol: 'USDC', decimals: 6 })
    expect(prices.findToken('10', usdc)).toBeUndefined()
  })

  test('returns no token price while the feed fails', async () => {
    await post('/api/prices', { 'usd-coin': 1 })
    await faulty('failing')
    expect(await prices.getTokenPrice('1', usdc)).toBeUndefined()
    await faulty('none')
    clock.advanceSeconds(5)
    expect(await prices.getTokenPrice('1', usdc)).toEqual({ usd: 1, decimals: 6 })
  })

  test.each(knownTokenList)('the token list has a valid address on chain %s: %s', (chain, contract) => {
    if (chain === 'solana') expect(base58.decode(contract)).toHaveLength(32)
    else expect(getAddress(contract.toLowerCase())).toBe(contract)
  })
})

test('PRICE_FEED_TOKENS adds tokens', () => {
  const read = (value: string) =>
    priceEnvironment.read(parseConfig({ PRICE_FEED_TOKENS: value }, [priceEnvironment])).PRICE_FEED_TOKENS
  const contract = '0x00000000000000000000000000000000000000dC'
  expect(read(`31337:${contract}=6:usd-coin 1:${contract}=18:dai:DAI`)).toEqual(
    new Map([
      ['31337:0x00000000000000000000000000000000000000dc', { decimals: 6, id: 'usd-coin', symbol: null }],
      ['1:0x00000000000000000000000000000000000000dc', { decimals: 18, id: 'dai', symbol: 'DAI' }],
    ]),
  )
  const mint = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
  expect(read(`solana:${mint}=6:usd-coin:USDC`)).toEqual(
    new Map([[`solana:${mint}`, { decimals: 6, id: 'usd-coin', symbol: 'USDC' }]]),
  )
  for (const wrong of [`1:${mint}=6:usd-coin`, `solana:${contract}=6:usd-coin`]) {
    expect(() => read(wrong)).toThrow('or solana:<mint>=')
  }
  for (const wrong of [`${contract}=6:usd-coin`, `1:${contract}=usd-coin`, `1:${contract}=37:usd-coin`]) {
    expect(() => read(wrong)).toThrow('PRICE_FEED_TOKENS must be <chain id>:<contract>=')
  }
})

test('PRICE_FEED_COINS adds native coins of chains', () => {
  const read = (value: string) =>
    priceEnvironment.read(parseConfig({ PRICE_FEED_COINS: value }, [priceEnvironment])).PRICE_FEED_COINS
  expect(read('31337=eth:ethereum 99=XYZ:xyz-coin')).toEqual(
    new Map([
      ['31337', { symbol: 'ETH', id: 'ethereum' }],
      ['99', { symbol: 'XYZ', id: 'xyz-coin' }],
    ]),
  )
  expect(() => read('31337=ethereum')).toThrow(
    'PRICE_FEED_COINS must be <chain id>=<symbol>:<id of the feed>',
  )
})

forDefaultEngine((database) => {
  // spec W7.6, W8.20
  test('the API returns the price of a coin in `usd`, and not_found for an unknown chain', async () => {
    const context = await testContext(database(), {
      verifyToken: (own) => (token) => createTokenVerifier(own())(token),
    })
    key.set(context.ports, prices)
    const app = await testApp(context)
    const browser = testBrowser(testServer(context), context, app)
    const { token } = await browser.login()
    const ask = (chainId: string, symbol: string) =>
      browser.call('tokenPrice', { token, query: `?chainId=${chainId}&tokenSymbol=${symbol}` })
    expect(await ask('1', 'ETH')).toMatchObject({ status: 200, answer: { usd: 2_500 } })
    expect(await ask('31337', 'ETH')).toMatchObject({
      status: 404,
      answer: { error: 'Unable to fetch token price on chain id 31337' },
    })
    expect(await ask('1', 'USDC')).toMatchObject({
      answer: { error: 'Unable to fetch token price on chain id 1' },
    })
    await faulty('failing')
    clock.advanceSeconds(60)
    expect(await ask('1', 'ETH')).toMatchObject({
      answer: { error: 'Unable to fetch token price on chain id 1' },
    })
    expect(await ask('one', 'ETH')).toMatchObject({ status: 422 })
    expect(await browser.call('tokenPrice', { query: '?chainId=1&tokenSymbol=ETH' })).toMatchObject({
      status: 401,
    })
  })
})
