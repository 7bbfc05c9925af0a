import { describe, expect, test } from 'vitest'
import { keepOrder, offerWallets, rowKeys, type Surroundings } from './offered-wallets.ts'

const metamask = { id: 'one', name: 'MetaMask', rdns: 'io.metamask' }
const cairn = { id: 'two', name: 'Cairn', rdns: 'example.cairn', icon: 'data:image/svg+xml,<svg/>' }
const older = { id: 'injected', name: 'Browser wallet' }

const around = (change: Partial<Surroundings> = {}): Surroundings => ({
  list: undefined,
  found: [],
  isPhone: false,
  hasRelay: false,
  first: [],
  ...change,
})
const names = (change: Partial<Surroundings>) => offerWallets(around(change)).map(({ name }) => name)
const ways = (change: Partial<Surroundings>) =>
  Object.fromEntries(offerWallets(around(change)).map(({ key, way }) => [key, way.type]))

describe('the offered wallets', () => {
  // spec L2.44
  test('lists detected wallets, then named wallets, then WalletConnect', () => {
    expect(names({ found: [cairn, metamask], hasRelay: true })).toEqual([
      'Cairn',
      'MetaMask',
      'Coinbase Wallet',
      'Rainbow',
      'Phantom',
      'Zerion',
      'Crypto.com',
      'Uniswap',
      'OKX Wallet',
      'Rabby Wallet',
      'WalletConnect',
    ])
  })

  // spec L1.14
  test.each([
    [
      ['rainbow', 'metamask'],
      ['MetaMask', 'Rainbow'],
    ],
    [
      ['rainbow', 'detected_wallets'],
      ['Cairn', 'MetaMask', 'Rainbow'],
    ],
    [
      ['wallet_connect', 'zerion', 'rainbow', 'zerion'],
      ['Zerion', 'Rainbow', 'WalletConnect'],
    ],
    [['detected_wallets'], ['Cairn', 'MetaMask']],
    [['wallet_connect', 'no wallet of ours', 'constructor'], ['WalletConnect']],
    [[], []],
  ])('of a host that lists %j are no others', (list, offered) => {
    expect(names({ list, found: [cairn, metamask], hasRelay: true })).toEqual(offered)
  })

  test('have the one that was used last first, and no other before those that were found', () => {
    const list = ['rainbow', 'detected_wallets']
    expect(names({ list, found: [cairn, metamask], first: ['metamask'] })).toEqual([
      'MetaMask',
      'Cairn',
      'Rainbow',
    ])
    expect(names({ list, found: [cairn], first: ['rainbow'] })).toEqual(['Cairn', 'Rainbow'])
    expect(names({ list, found: [older, cairn, metamask], first: ['two', 'metamask'] })).toEqual([
      'Cairn',
      'MetaMask',
      'Browser wallet',
      'Rainbow',
    ])
  })

  test('uses the name and icon that a detected wallet announces', () => {
    expect(offerWallets(around({ list: ['detected_wallets'], found: [cairn, older] }))).toEqual([
      { key: 'example.cairn', name: 'Cairn', icon: cairn.icon, way: { type: 'page', id: 'two' } },
      { key: 'injected', name: 'Browser wallet', way: { type: 'page', id: 'injected' } },
    ])
  })

  test('lists no WalletConnect without a relay', () => {
    expect(names({ list: ['wallet_connect'] })).toEqual([])
  })
})

describe('a named wallet', () => {
  const list = ['metamask', 'rainbow', 'phantom']

  test('is offered for installation, or through a relay, if it is not in this browser', () => {
    expect(ways({ list })).toEqual({ metamask: 'install', rainbow: 'install', phantom: 'install' })
    expect(ways({ list, hasRelay: true })).toEqual({
      metamask: 'relay',
      rainbow: 'relay',
      phantom: 'install',
    })
    expect(ways({ list, hasRelay: true, found: [metamask] })).toMatchObject({ metamask: 'page' })
  })

  test('is offered on a phone if its app can open the page or supports WalletConnect', () => {
    expect(ways({ list, isPhone: true })).toEqual({ metamask: 'phone', phantom: 'phone' })
    expect(ways({ list, isPhone: true, hasRelay: true })).toEqual({
      metamask: 'relay',
      rainbow: 'relay',
      phantom: 'phone',
    })
  })
})

describe('rows of wallets', () => {
  const wallets = (...keys: readonly string[]) =>
    keys.map((key) => ({ key, name: key, way: { type: 'page', id: key } as const }))
  const keysOf = (shown: readonly { key: string }[]) => shown.map(({ key }) => key)

  test('keepOrder keeps the shown rows in place, and appends the others', () => {
    const shown = wallets('metamask', 'rainbow')
    expect(keysOf(keepOrder(shown, wallets('cairn', 'rainbow', 'metamask')))).toEqual([
      'metamask',
      'rainbow',
      'cairn',
    ])
    expect(keysOf(keepOrder([], wallets('cairn', 'rainbow')))).toEqual(['cairn', 'rainbow'])
  })

  test('rowKeys returns unique keys, even for two extensions with the same name', () => {
    expect(rowKeys(wallets('metamask', 'rainbow', 'metamask'))).toEqual(['metamask', 'rainbow', 'metamask 2'])
  })
})
