import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createConfig, createStorage, http } from 'wagmi'
import * as core3 from 'wagmi/actions'
import { mainnet, optimism, polygon } from 'wagmi/chains'
import * as core2 from 'wagmi-core-2'
import { type WalletDialog, walletDialog } from '../testing/wallet-dialog.ts'
import { latchkeyConnector } from '../wagmi/wagmi.ts'
import { announcementFacts, connectorFacts, providerFacts, type WalletUser } from './conformance.ts'

let dialog: WalletDialog
let page: EventTarget
beforeEach(() => {
  page = new EventTarget()
  vi.stubGlobal('document', Object.assign(new EventTarget(), { prerendering: false, readyState: 'complete' }))
  for (const name of ['addEventListener', 'removeEventListener', 'dispatchEvent'] as const)
    vi.stubGlobal(name, page[name].bind(page))
  dialog = walletDialog({ chains: [1, 10] })
  dialog.putOnPage()
})
afterEach(() => vi.unstubAllGlobals())

const user: WalletUser = {
  approve: (asked) => asked,
  async refuse(asked) {
    dialog.state.decision = 'refuse'
    try {
      return await asked
    } finally {
      dialog.state.decision = 'approve'
    }
  },
  async logOut() {
    dialog.logOut()
  },
  timesAsked: async () => dialog.state.asked,
}

describe('the provider', () => {
  const facts = providerFacts({
    provider: () => dialog.makeHandle().getEthereumProvider() as never,
    user,
    chains: { other: 10, unknown: 137 },
  })
  it.each(facts)('$name', ({ prove }) => prove())
})

describe('the announcement', () => {
  it.each(announcementFacts({ rdns: 'app.latchkey' }))('$name', async ({ prove }) => {
    await dialog.makeHandle().getEthereumProvider({ announce: true })
    await prove()
  })
})

describe.each([
  ['wagmi 3', { ...core3, createConfig, createStorage, http }],
  ['wagmi 2', core2],
])('the connector with %s', (_, wagmi) => {
  const facts = connectorFacts({
    wagmi: wagmi as never,
    createConnector: () => latchkeyConnector({ latchkey: dialog.makeHandle(), preload: 'never' }),
    user,
    chains: [mainnet, optimism, polygon],
    async hold() {
      let release = () => {}
      dialog.state.answers = new Promise<void>((resolve) => {
        release = resolve
      })
      return async () => release()
    },
  })
  it.each(facts)('$name', ({ prove }) => prove())
})

describe('the facts', () => {
  const provider = (over: object) => ({
    request: async () => [],
    on: () => {},
    removeListener: () => {},
    ...over,
  })
  const proofOf = (words: string, over: object) => {
    const facts = providerFacts({
      provider: async () => provider(over) as never,
      user,
      chains: { other: 10, unknown: 137 },
    })
    return facts.find(({ name }) => name.includes(words))?.prove() ?? expect.unreachable()
  }

  it.each([
    ['eth_accounts returns an empty list', { request: async () => ['0x1'] }],
    ['eth_requestAccounts returns', { request: async () => ['0x1'] }],
    ['eth_requestAccounts rejects with 4001', { request: async () => [] }],
    [
      'eth_requestAccounts rejects with 4001',
      { request: () => Promise.reject(Object.assign(new Error(), { code: 4900 })) },
    ],
    ['eth_chainId', { request: async () => 1 }],
    ['eth_chainId', { request: async () => '0x01' }],
    [
      'an unknown method',
      { request: () => Promise.reject(Object.assign(new Error('no'), { code: -32_601 })) },
    ],
    ['an invalid request', { request: () => Promise.reject(new Error('no code')) }],
    ['an invalid request', { request: async () => null }],
  ])('fail for a provider that does not conform: %s', async (words, over) => {
    await expect(proofOf(words, over)).rejects.toThrow()
  })

  it.each([
    ['announced once', []],
    ['version 4 UUID', [{ rdns: 'app.latchkey', uuid: 'x', name: 'X', icon: 'data:image/png,' }]],
    ['is frozen', [{ rdns: 'app.latchkey' }]],
  ])('fail for an announcement that does not conform: %s', async (words, announced) => {
    addEventListener('eip6963:requestProvider', () => {
      for (const info of announced)
        dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: { info, provider: {} } }))
    })
    const [fact] = announcementFacts({ rdns: 'app.latchkey' }).filter(({ name }) => name.includes(words))
    await expect(fact?.prove() ?? expect.unreachable()).rejects.toThrow()
  })
})
