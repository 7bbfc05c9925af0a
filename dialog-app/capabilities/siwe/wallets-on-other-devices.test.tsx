/** Wallets that the page names late, that are not in this browser, or whose own browser opened the page. */
import { LatchkeyError } from '@latchkey/protocol'
import { describe, expect, test } from 'vitest'
import { settle } from '../../testing/clock.ts'
import { type Fixture, makeBrowser, watch } from '../../testing/fixture.ts'
import { renderDialog } from '../../testing/page.tsx'
import {
  address,
  android,
  answers,
  atWallets,
  cairn,
  chainOne,
  chooseWallet,
  iphone,
  makePage,
  makeWalletFixture,
  metamask,
  openWallets,
  pageOf,
  shownWallets,
  signature,
} from './testing.ts'

describe('a host page that is slow to report its wallets', () => {
  // spec L9.5
  test('delays the start by at most 1.5 s', async () => {
    const page = pageOf(cairn)
    page.delay(new Promise(() => {}))
    const browser = makeBrowser()
    const loaded = watch(makeWalletFixture({ answers, page, browser }))
    await browser.clock.advance(1_499)
    expect(loaded.settled).toBe(false)
    await browser.clock.advance(1)
    expect(loaded.settled).toBe(true)
  })

  test('delays LANDING by 150 ms only if wallets are listed first', async () => {
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

  test('is awaited by the button that opens the wallet list', async () => {
    const page = makePage({ wallets: [] })
    const fixture = await makeWalletFixture({ answers, page })
    const said = Promise.withResolvers<void>()
    page.delay(said.promise)
    page.say({ wallets: [cairn] })
    watch(fixture.login())
    await settle()
    const dialog = renderDialog(fixture)
    await openWallets(dialog)
    await fixture.clock.advance(1_499)
    expect(fixture.screen()).toBe('LANDING')
    said.resolve()
    await settle()
    expect(fixture.screen()).toBe('LANDING/web3-overflow')
    await dialog.see('Cairn')
    expect(shownWallets(dialog)[0]).toBe('Cairn')
  })

  /** Opens LANDING, whose wallets are shown before the page names those of this browser. */
  async function atShownWallets() {
    const page = makePage({ wallets: [] })
    const list = ['metamask', 'rainbow', 'detected_wallets']
    const config = { appearance: { loginGroupPriority: 'web3-first', walletList: list } } as const
    const fixture = await makeWalletFixture({ answers, page, config })
    const found = Promise.withResolvers<void>()
    page.delay(found.promise)
    watch(fixture.login())
    await fixture.clock.advance(150)
    const dialog = renderDialog(fixture)
    await dialog.see('Rainbow')
    return { page, fixture, dialog, found }
  }

  test('appends wallets that the page names after five seconds, so that shown wallets keep their places', async () => {
    const { page, fixture, dialog, found } = await atShownWallets()
    page.say({ wallets: [cairn, { ...metamask, name: 'MetaMask of this browser' }] })
    await fixture.clock.advance(5_000)
    expect(shownWallets(dialog)).toEqual(['MetaMask', 'Rainbow'])
    found.resolve()
    await dialog.see('Cairn')
    expect(shownWallets(dialog)).toEqual(['MetaMask of this browser', 'Rainbow', 'Cairn'])
    await dialog.press('Close')
    watch(fixture.login())
    await fixture.clock.advance(1_000)
    await dialog.see('Cairn')
    expect(shownWallets(dialog)).toEqual(['Cairn', 'MetaMask of this browser', 'Rainbow'])
  })

  test('lists the named wallets if the page does not respond', async () => {
    const page = makePage({ wallets: [] })
    const fixture = await makeWalletFixture({ answers, page })
    page.delay(new Promise(() => {}))
    watch(fixture.login())
    await settle()
    const dialog = renderDialog(fixture)
    await openWallets(dialog)
    await fixture.clock.advance(1_500)
    await dialog.see('MetaMask')
    expect(shownWallets(dialog)[0]).toBe('MetaMask')
  })

  test('lists the named wallets if the page fails', async () => {
    const page = makePage({ wallets: [] })
    page.delay(Promise.reject(new LatchkeyError('call_timeout', 'Nobody answered')))
    const { dialog } = await atWallets({ answers, page })
    await dialog.see('MetaMask')
    expect(shownWallets(dialog)).toHaveLength(9)
  })
})

describe('a wallet that is not in this browser', () => {
  // spec L2.47
  test('opens a guide to install a wallet that is not in this browser', async () => {
    const { fixture, dialog } = await atWallets({ answers, page: pageOf(metamask) })
    await chooseWallet(dialog, 'Rainbow')
    expect(fixture.screen()).toBe('WALLET_INSTALL_SCREEN')
    await dialog.see('Get Rainbow')
    expect(dialog.link('Install Rainbow')).toBe('https://rainbow.me/extension')
    await dialog.press('Back')
    await dialog.see('Rainbow')
    expect(shownWallets(dialog)).toContain('Rainbow')
  })

  test('opens a general guide if the host offers only detected wallets and there are none', async () => {
    const fixture = await makeWalletFixture({
      answers,
      page: makePage({ wallets: [] }),
      config: { appearance: { walletList: ['detected_wallets'] } },
    })
    watch(fixture.login())
    await settle()
    const dialog = renderDialog(fixture)
    await dialog.press('Continue with a wallet')
    expect(fixture.screen()).toBe('WALLET_INSTALL_SCREEN')
    await dialog.see('No wallet found')
    expect(dialog.link(/^Install/)).toBeUndefined()
  })

  // spec L2.46
  test.each([
    ['iPhone', iphone, 'https://apps.apple.com/app/id1438144202'],
    ['Android', android, 'https://play.google.com/store/apps/details?id=io.metamask'],
  ] as const)('continues in its app on %s, or leads to the app store', async (_, device, store) => {
    const { fixture, dialog } = await atWallets({ answers, page: pageOf(), device })
    Object.assign(fixture.settings(), { pageAddress: 'https://app.example/in?a=1' })
    await chooseWallet(dialog, 'MetaMask')
    expect(fixture.screen()).toBe('WALLET_MOBILE_SCREEN')
    await dialog.see('Continue in MetaMask')
    expect(dialog.link('Continue')).toBe(
      'https://metamask.app.link/dapp/app.example/in?a=1&latchkey_connector=injected&latchkey_wallet_client=metamask',
    )
    expect(dialog.link('Go to App Store')).toBe(store)
  })

  test('opens the standalone dialog, or the origin of a host without an address', async () => {
    const openedFrom = async (hostOrigin: string | null) => {
      const { fixture, dialog } = await atWallets({ answers, page: pageOf(), device: iphone })
      Object.assign(fixture.settings(), { hostOrigin })
      await chooseWallet(dialog, 'MetaMask')
      expect(fixture.screen()).toBe('WALLET_MOBILE_SCREEN')
      await dialog.see('Continue in MetaMask')
      return dialog.link('Continue')?.split('?')[0]
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

  async function resume(fixture: Fixture, { connector, walletClient }: typeof returned) {
    const dialog = renderDialog(fixture)
    const parameters = { latchkey_connector: connector, latchkey_wallet_client: walletClient }
    fixture.dialog.resume(new URLSearchParams(parameters))
    await settle()
    await settle()
    return dialog
  }

  // spec L2.11
  test('continues the login automatically, and the host receives it like any login', async () => {
    const page = makePage({ wallets: [cairn, metamask] })
    const fixture = await makeWalletFixture({ answers, page, device: iphone })
    const dialog = await resume(fixture, returned)
    await dialog.see('Waiting for MetaMask')
    expect(fixture.screen()).toBe('AWAITING_CONNECTION')
    await page.answer([address])
    await page.answer(chainOne)
    await page.answer(signature)
    expect(fixture.session.state()).toMatchObject({ status: 'authenticated' })
  })

  test('continues with the only wallet, even under another name', async () => {
    const page = makePage({ wallets: [older] })
    const fixture = await makeWalletFixture({ answers, page, device: iphone })
    const dialog = await resume(fixture, returned)
    await dialog.see('Waiting for Browser wallet')
  })

  test.each([
    ['a wallet that is not there', { connector: 'injected', walletClient: 'rainbow' }],
    ['another connector', { connector: 'wallet_connect', walletClient: 'metamask' }],
  ])('for %s continues at LANDING', async (_, other) => {
    const page = makePage({ wallets: [cairn, metamask] })
    const fixture = await makeWalletFixture({ answers, page, device: iphone })
    await resume(fixture, other)
    expect(fixture.screen()).toBe('LANDING')
    expect(page.asked).toEqual([])
  })
})
