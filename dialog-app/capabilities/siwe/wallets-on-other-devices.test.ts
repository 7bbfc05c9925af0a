/** Wallets that a page says late, that are not in this browser, or whose own browser opened the page. */
import { LatchkeyError } from '@latchkey/protocol'
import { describe, expect, test } from 'vitest'
import { settle } from '../../testing/clock.ts'
import { makeBrowser, watch } from '../../testing/fixture.ts'
import {
  address,
  android,
  answers,
  atWallets,
  cairn,
  chainOne,
  chooseWallet,
  type Fixture,
  iphone,
  makePage,
  makeWalletFixture,
  metamask,
  openWallets,
  pageOf,
  shownWallets,
  signature,
  walletKeys,
} from './testing.ts'

describe('the wallets of a page that is slow to say them', () => {
  // spec L9.5
  test('are waited for no longer than 1.5 s', async () => {
    const page = pageOf(cairn)
    page.delay(new Promise(() => {}))
    const browser = makeBrowser()
    const loaded = watch(makeWalletFixture({ answers, page, browser }))
    await browser.clock.advance(1_499)
    expect(loaded.settled).toBe(false)
    await browser.clock.advance(1)
    expect(loaded.settled).toBe(true)
  })

  test('are not waited for where others stand before them, and 150 ms where they stand first', async () => {
    const page = makePage({ wallets: [] })
    for (const [config, waitsMs] of [
      [{}, 0],
      [{ appearance: { loginGroupPriority: 'web3-first' } }, 150],
    ] as const) {
      page.delay(Promise.resolve())
      const fixture = await makeWalletFixture({ answers, page, config })
      page.delay(new Promise(() => {}))
      watch(fixture.login())
      await settle()
      await fixture.clock.advance(waitsMs - 1)
      expect(fixture.screen()).toBe(waitsMs === 0 ? 'LANDING' : undefined)
      await fixture.clock.advance(1)
      expect(fixture.screen()).toBe('LANDING')
    }
  })

  test('are waited for by the button that leads to them', async () => {
    const page = makePage({ wallets: [] })
    const fixture = await makeWalletFixture({ answers, page })
    const said = Promise.withResolvers<void>()
    page.delay(said.promise)
    page.say({ wallets: [cairn] })
    watch(fixture.login())
    await settle()
    await openWallets(fixture)
    await fixture.clock.advance(1_499)
    expect(fixture.screen()).toBe('LANDING')
    said.resolve()
    await settle()
    expect(fixture.screen()).toBe('LANDING/web3-overflow')
    expect(shownWallets(fixture)[0]).toBe('Cairn')
  })

  test('stand after those that are shown, which stay in their places', async () => {
    const page = makePage({ wallets: [] })
    const list = ['metamask', 'rainbow', 'detected_wallets']
    const config = { appearance: { loginGroupPriority: 'web3-first', walletList: list } } as const
    const fixture = await makeWalletFixture({ answers, page, config })
    const said = Promise.withResolvers<void>()
    page.delay(said.promise)
    page.say({ wallets: [cairn, { ...metamask, name: 'MetaMask of this browser' }] })
    watch(fixture.login())
    await fixture.clock.advance(150)
    expect(shownWallets(fixture)).toEqual(['MetaMask', 'Rainbow'])
    said.resolve()
    await settle()
    expect(shownWallets(fixture)).toEqual(['MetaMask of this browser', 'Rainbow', 'Cairn'])
    await fixture.close()
    watch(fixture.login())
    await fixture.clock.advance(1_000)
    expect(shownWallets(fixture)).toEqual(['Cairn', 'MetaMask of this browser', 'Rainbow'])
  })

  test('have rows that are known by their wallets and not by their places', async () => {
    const page = makePage({ wallets: [] })
    const list = ['metamask', 'rainbow', 'detected_wallets']
    const config = { appearance: { loginGroupPriority: 'web3-first', walletList: list } } as const
    const fixture = await makeWalletFixture({ answers, page, config })
    const said = Promise.withResolvers<void>()
    page.delay(said.promise)
    page.say({ wallets: [cairn, metamask, { ...metamask, id: 'three' }] })
    watch(fixture.login())
    await fixture.clock.advance(150)
    expect(walletKeys(fixture)).toEqual(['metamask', 'rainbow'])
    said.resolve()
    await settle()
    const keys = walletKeys(fixture)
    expect(keys).toEqual(expect.arrayContaining(['metamask', 'rainbow', 'example.cairn']))
    // Of two extensions that call themselves the same, each has its own.
    expect(new Set(keys).size).toBe(4)
  })

  test('are those with a name, where they are not said by then', async () => {
    const page = makePage({ wallets: [] })
    const fixture = await makeWalletFixture({ answers, page })
    page.delay(new Promise(() => {}))
    watch(fixture.login())
    await settle()
    await openWallets(fixture)
    await fixture.clock.advance(1_500)
    expect(shownWallets(fixture)[0]).toBe('MetaMask')
  })

  test('that broke are none, and the others can be chosen', async () => {
    const page = makePage({ wallets: [] })
    page.delay(Promise.reject(new LatchkeyError('call_timeout', 'Nobody answered')))
    const { fixture } = await atWallets({ answers, page })
    expect(shownWallets(fixture)).toHaveLength(9)
  })
})

describe('a wallet that is not in this browser', () => {
  // spec L2.47
  test('is shown how it is had', async () => {
    const { fixture } = await atWallets({ answers, page: pageOf(metamask) })
    await chooseWallet(fixture, 'Rainbow')
    expect(fixture.state('WALLET_INSTALL_SCREEN').wallet).toMatchObject({
      name: 'Rainbow',
      extension: 'https://rainbow.me/extension',
    })
    await fixture.back()
    expect(shownWallets(fixture)).toContain('Rainbow')
  })

  test('is any, where the host offers what is there, and nothing is', async () => {
    const fixture = await makeWalletFixture({
      answers,
      page: makePage({ wallets: [] }),
      config: { appearance: { walletList: ['detected_wallets'] } },
    })
    watch(fixture.login())
    await settle()
    await chooseWallet(fixture, undefined)
    expect(fixture.state('WALLET_INSTALL_SCREEN')).toEqual({ wallet: undefined })
  })

  // spec L2.46
  test.each([
    ['iPhone', iphone, 'https://apps.apple.com/app/id1438144202'],
    ['Android', android, 'https://play.google.com/store/apps/details?id=io.metamask'],
  ] as const)('goes on in its app on %s, which opens the page, or is had', async (_, device, store) => {
    const { fixture } = await atWallets({ answers, page: pageOf(), device })
    Object.assign(fixture.settings(), { pageAddress: 'https://app.example/in?a=1' })
    await chooseWallet(fixture, 'MetaMask')
    expect(fixture.state('WALLET_MOBILE_SCREEN')).toMatchObject({
      open: 'https://metamask.app.link/dapp/app.example/in?a=1&latchkey_connector=injected&latchkey_wallet_client=metamask',
      store,
    })
  })

  test('opens the dialog itself where that is a page of its own, and the origin of a host that says no address', async () => {
    const openedFrom = async (hostOrigin: string | null) => {
      const { fixture } = await atWallets({ answers, page: pageOf(), device: iphone })
      Object.assign(fixture.settings(), { hostOrigin })
      await chooseWallet(fixture, 'MetaMask')
      return fixture.state('WALLET_MOBILE_SCREEN').open?.split('?')[0]
    }
    expect(await openedFrom(null)).toBe(
      'https://metamask.app.link/dapp/dialog.localhost:4000/apps/app/dialog',
    )
    expect(await openedFrom('https://app.example')).toBe('https://metamask.app.link/dapp/app.example/')
  })
})

describe('a page that the wallet has opened in its own browser', () => {
  const older = { id: 'injected', name: 'Browser wallet', rdns: 'injected' }
  const returned = { connector: 'injected', walletClient: 'metamask' }

  const resume = async (fixture: Fixture, { connector, walletClient }: typeof returned) => {
    const parameters = { latchkey_connector: connector, latchkey_wallet_client: walletClient }
    fixture.dialog.resume(new URLSearchParams(parameters))
    await settle()
    await settle()
  }

  // spec L2.11
  test('goes on with the login by itself, and the host hears of it as of any', async () => {
    const page = makePage({ wallets: [cairn, metamask] })
    const fixture = await makeWalletFixture({ answers, page, device: iphone })
    await resume(fixture, returned)
    expect(fixture.state('AWAITING_CONNECTION').wallet.name).toBe('MetaMask')
    await page.answer([address])
    await page.answer(chainOne)
    await page.answer(signature)
    expect(fixture.session.state()).toMatchObject({ status: 'authenticated' })
  })

  test('goes on with the only wallet that is there, whatever it calls itself', async () => {
    const page = makePage({ wallets: [older] })
    const fixture = await makeWalletFixture({ answers, page, device: iphone })
    await resume(fixture, returned)
    expect(fixture.state('AWAITING_CONNECTION').wallet.name).toBe('Browser wallet')
  })

  test.each([
    ['none of those that are there', { connector: 'injected', walletClient: 'rainbow' }],
    ['another way to it', { connector: 'wallet_connect', walletClient: 'metamask' }],
  ])('that says %s goes on at LANDING', async (_, other) => {
    const page = makePage({ wallets: [cairn, metamask] })
    const fixture = await makeWalletFixture({ answers, page, device: iphone })
    await resume(fixture, other)
    expect(fixture.screen()).toBe('LANDING')
    expect(page.asked).toEqual([])
  })
})
