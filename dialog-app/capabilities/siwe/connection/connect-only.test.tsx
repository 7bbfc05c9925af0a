import { describe, expect, test } from 'vitest'
import { settle } from '../../../testing/clock.ts'
import { watch } from '../../../testing/fixture.ts'
import { makeAuthAnswer } from '../../../testing/fixtures.ts'
import { renderDialog } from '../../../testing/page.tsx'
import {
  address,
  answers,
  cairn,
  chooseWallet,
  makePage,
  makeWalletFixture,
  metamask,
  otherAddress,
  shownWallets,
  walletOwner,
} from '../testing.ts'

type Given = Parameters<typeof makeWalletFixture>[0] & { isUser?: boolean }

async function connect({ isUser = false, ...given }: Given = {}, asked: { suggestedAddress?: string } = {}) {
  const page = makePage({ wallets: [metamask, cairn] })
  const fixture = await makeWalletFixture({ answers, page, ...given })
  await fixture.session.start()
  if (isUser) fixture.session.accept(makeAuthAnswer({ user: walletOwner }))
  const connecting = watch(fixture.more('connectWallet', asked))
  await settle()
  return { page, fixture, connecting, dialog: renderDialog(fixture) }
}

describe('a wallet that connects without a login', () => {
  // spec L2.29, L2.56, L6.1
  test('is returned to the host without a session or a login call', async () => {
    const { page, fixture, connecting, dialog } = await connect()
    expect(fixture.screen()).toBe('CONNECT_ONLY_LANDING_SCREEN')
    await dialog.see('This page can then send it requests. This does not log you in.')
    expect(shownWallets(dialog).slice(0, 2)).toEqual(['MetaMask', 'Cairn'])
    await chooseWallet(dialog, 'MetaMask')
    await page.answer([address.toLowerCase()])
    await page.answer('0x2105')
    expect(fixture.screen()).toBe('AWAITING_CONNECT_ONLY_CONNECTION')
    await dialog.see('MetaMask is connected to this page.')
    expect(connecting.value).toEqual({
      wallet: {
        type: 'wallet',
        address,
        chainType: 'ethereum',
        chainId: 'eip155:8453',
        walletClientType: 'metamask',
        connectorType: 'injected',
      },
    })
    expect(page.asked.map(({ method }) => method)).toEqual(['eth_requestAccounts', 'eth_chainId'])
    expect(fixture.transport.sent.filter(({ name }) => /siwe|logIn|wallet/i.test(name))).toEqual([])
    expect(fixture.session.state()).toMatchObject({ status: 'visitor' })
    await fixture.clock.advance(1_399)
    expect(fixture.view()?.open).toBe(true)
    await fixture.clock.advance(1)
    expect(fixture.view()?.open).toBe(false)
  })

  // spec L2.57
  test('is offered to a user on another screen, with the address that the page wants', async () => {
    const { fixture, dialog } = await connect({ isUser: true }, { suggestedAddress: address })
    expect(fixture.screen()).toBe('CONNECT_ONLY_AUTHENTICATED_SCREEN')
    await dialog.see('The page asks for')
    expect(dialog.texts().join('')).toContain(address)
  })

  test('is offered to a user without linking it to their account', async () => {
    const { dialog } = await connect({ isUser: true })
    await dialog.see('This page can then send it requests. This does not link it to your account.')
  })

  test('is listed first if it reports the address that the page wants', async () => {
    const page = makePage({ wallets: [metamask, cairn] })
    const has = { one: [otherAddress], two: [otherAddress, address.toLowerCase()] }
    page.answers('eth_accounts', ({ wallet }) => ({
      result: Object.entries(has).find(([id]) => id === wallet)?.[1],
    }))
    const { dialog } = await connect({ page }, { suggestedAddress: address })
    await dialog.see('Cairn')
    expect(shownWallets(dialog).slice(0, 2)).toEqual(['Cairn', 'MetaMask'])
    expect(page.asked.map(({ method, wallet }) => [method, wallet])).toEqual([
      ['eth_accounts', 'one'],
      ['eth_accounts', 'two'],
    ])
  })

  test('receives no eth_accounts request if the page has no preferred address', async () => {
    const { dialog, page } = await connect()
    await dialog.see('Cairn')
    expect(shownWallets(dialog).slice(0, 2)).toEqual(['MetaMask', 'Cairn'])
    expect(page.asked).toEqual([])
  })

  test('connects the account that the page wants, among several', async () => {
    const { page, connecting, dialog } = await connect({}, { suggestedAddress: address })
    await chooseWallet(dialog, 'Cairn')
    await page.answer([otherAddress, address.toLowerCase()])
    await page.answer('0x1')
    expect(connecting.value).toMatchObject({ wallet: { address } })
  })

  test('offers unlimited retries after the wallet connected another address', async () => {
    const { page, connecting, dialog } = await connect(
      { config: { supportedChains: [10] } },
      { suggestedAddress: address },
    )
    await chooseWallet(dialog, 'MetaMask')
    for (const _ of [1, 2, 3, 4]) {
      await page.answer([otherAddress])
      await page.answer('0x1')
      await dialog.see('Another account')
      await dialog.see('MetaMask is using 0x5aAe…eAed. Switch to this account there, then try again.')
      expect(document.querySelector(`[title="${address}"]`)).not.toBeNull()
      await dialog.press('Try again')
    }
    expect(page.asked.map(({ method }) => method)).not.toContain('wallet_switchEthereumChain')
    expect(connecting.settled).toBe(false)
    await page.answer([address])
    await page.answer('0xa')
    expect(connecting.value).toMatchObject({ wallet: { address, chainId: 'eip155:10' } })
  })

  test('rejects the call if the user leaves after the wallet connected another address', async () => {
    const { page, fixture, connecting, dialog } = await connect({}, { suggestedAddress: address })
    await chooseWallet(dialog, 'MetaMask')
    await page.answer([otherAddress])
    await page.answer('0x1')
    await fixture.close()
    expect(connecting.error).toMatchObject({
      code: 'generic_connect_wallet_error',
      message: 'The wallet brought another address',
    })
  })

  test.each([
    ['crash', 'unknown_connect_wallet_error'],
    ['fail', 'generic_connect_wallet_error'],
    ['refuse', 'user_rejected_request'],
  ] as const)('that fails by %s rejects the call with %s if the user leaves', async (how, code) => {
    const { page, fixture, connecting, dialog } = await connect()
    await chooseWallet(dialog, 'MetaMask')
    await page[how]()
    await dialog.see(how === 'refuse' ? 'Connection rejected' : 'Could not connect')
    await fixture.close()
    expect(connecting.error).toMatchObject({ code })
  })

  test('switches to a network of the host', async () => {
    const { page, connecting, dialog } = await connect({ config: { supportedChains: [10] } })
    await chooseWallet(dialog, 'Cairn')
    await page.answer([address])
    await page.answer('0x1')
    await dialog.see('Switching networks')
    await page.answer(null)
    expect(connecting.value).toMatchObject({ wallet: { chainId: 'eip155:10' } })
  })

  test('can be tried again after a rejection, and the host gets the failure', async () => {
    const { page, fixture, connecting, dialog } = await connect()
    await chooseWallet(dialog, 'MetaMask')
    await page.refuse()
    await dialog.see('Connection rejected')
    for (const _ of [1, 2]) {
      await dialog.press('Try again')
      await page.refuse()
    }
    expect(fixture.screen()).toBe('LOGIN_FAILED_SCREEN')
    await dialog.see('Could not connect with wallet')
    await dialog.press('Try again')
    expect(fixture.screen()).toBe('CONNECT_ONLY_LANDING_SCREEN')
    expect(fixture.view()?.header.back).toBe(false)
    await fixture.close()
    expect(connecting.error).toMatchObject({ code: 'user_rejected_request' })
  })

  test('can be cancelled after too many failures, and the host gets the failure', async () => {
    const { page, fixture, connecting, dialog } = await connect()
    await chooseWallet(dialog, 'MetaMask')
    await page.refuse()
    for (const _ of [1, 2]) {
      await dialog.press('Try again')
      await page.refuse()
    }
    await dialog.press('Cancel')
    expect(fixture.view()?.open).toBe(false)
    expect(connecting.error).toMatchObject({ code: 'user_rejected_request' })
  })

  test('is appended without moving the focus if the page reports it late', async () => {
    const page = makePage({ wallets: [] })
    const fixture = await makeWalletFixture({
      answers,
      page,
      config: { appearance: { walletList: ['rainbow', 'detected_wallets'] } },
    })
    const found = Promise.withResolvers<void>()
    page.delay(found.promise)
    page.say({ wallets: [cairn, { ...cairn, id: 'three' }] })
    await fixture.session.start()
    watch(fixture.more('connectWallet', {}))
    await fixture.clock.advance(150)
    const dialog = renderDialog(fixture)
    await dialog.see('Rainbow')
    expect(shownWallets(dialog)).toEqual(['Rainbow'])
    const row = [...document.querySelectorAll('button')].find((each) => /^Rainbow/.test(each.textContent))
    row?.focus()
    found.resolve()
    await settle()
    expect(shownWallets(dialog)).toEqual(['Rainbow', 'Cairn', 'Cairn'])
    expect(document.activeElement).toBe(row)
  })

  test('leads to a guide if the host offers detected wallets only, and there are none', async () => {
    const { fixture, dialog } = await connect({
      page: makePage({ wallets: [] }),
      config: { appearance: { walletList: ['detected_wallets'] } },
    })
    await dialog.press('Continue with a wallet')
    expect(fixture.screen()).toBe('WALLET_INSTALL_SCREEN')
    await dialog.see('No wallet found')
  })

  test('rejects the call if the user chooses no wallet', async () => {
    const { fixture, connecting } = await connect()
    await fixture.close()
    expect(connecting.error).toMatchObject({ code: 'exited_link_flow' })
  })
})
