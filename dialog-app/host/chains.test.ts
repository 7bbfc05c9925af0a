import type { ClientConfig } from '@latchkey/protocol'
import { describe, expect, test } from 'vitest'
import { appConfig } from '../testing/fixtures.ts'
import { currentChain, usableChains } from './chains.ts'
import type { Settings } from './settings.ts'

const rpcUrls = { 1: ['https://a.example'], 10: ['https://b.example'], 31337: ['http://127.0.0.1:1'] }
const settings = (config: ClientConfig = {}, urls: Settings['app']['rpcUrls'] = rpcUrls): Settings => ({
  app: { ...appConfig, rpcUrls: urls },
  config,
  hostColorScheme: 'normal',
  ownOrigins: ['http://dialog.localhost:4000', 'http://wallet.localhost:4000'],
  pageAddress: undefined,
  hostOrigin: null,
  walletOrigin: 'http://wallet.localhost:4000',
  addresses: {},
})

test("offers the operator's chains that the host page lists, in its order", () => {
  expect(usableChains(settings())).toEqual([1, 10, 31_337])
  expect(usableChains(settings({ supportedChains: [10, 5, 1] }))).toEqual([10, 1])
})

describe('current chain', () => {
  test.each<[string, ClientConfig, number]>([
    ["is the operator's first chain by default", {}, 1],
    ["is the host page's first chain", { supportedChains: [10, 1] }, 10],
    ["is the host page's default chain", { supportedChains: [1, 10], defaultChain: 10 }, 10],
  ])('%s', (_name, config, expected) => {
    expect(currentChain(settings(config))).toBe(expected)
  })
  test('is Ethereum by default', () => {
    expect(currentChain(settings({}, {}))).toBe(1)
  })
})
