import { describe, expect, test } from 'vitest'
import { settle } from '../../../testing/clock.ts'
import { watch } from '../../../testing/fixture.ts'
import { makeAuthAnswer } from '../../../testing/fixtures.ts'
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
  return { page, fixture, connecting, step: () => fixture.state('AWAITING_CONNECT_ONLY_CONNECTION').step }
}

describe('a wallet that is connected alone', () => {
  // spec L2.29, L2.56, L6.1
  test('is told to the host, and no session and no call of a login comes of it', async () => {
    const { page, fixture, connecting, step } = await connect()
    expect(fixture.screen()).toBe('CONNECT_ONLY_LANDING_SCREEN')
    expect(shownWallets(fixture).slice(0, 2)).toEqual(['MetaMask', 'Cairn'])
    await chooseWallet(fixture, 'MetaMask')
    await page.answer([address.toLowerCase()])
    await page.answer('0x2105')
    expect(step()).toEqual({ status: 'connected' })
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
  test('is offered to a user on a screen of their own, with the address that the page would have', async () => {
    const { fixture } = await connect({ isUser: true }, { suggestedAddress: address })
    expect(fixture.state('CONNECT_ONLY_AUTHENTICATED_SCREEN')).toMatchObject({
      isUser: true,
      suggestedAddress: address,
    })
  })

  test('is first the one that has the address that the page would have, if it says so', async () => {
    const page = makePage({ wallets: [metamask, cairn] })
    const has = { one: [otherAddress], two: [otherAddress, address.toLowerCase()] }
    page.answers('eth_accounts', ({ wallet }) => ({
      result: Object.entries(has).find(([id]) => id === wallet)?.[1],
    }))
    const { fixture } = await connect({ page }, { suggestedAddress: address })
    expect(shownWallets(fixture).slice(0, 2)).toEqual(['Cairn', 'MetaMask'])
    expect(page.asked.map(({ method, wallet }) => [method, wallet])).toEqual([
      ['eth_accounts', 'one'],
      ['eth_accounts', 'two'],
    ])
  })

  test('asks no wallet for its accounts where the page would have any', async () => {
    const { fixture, page } = await connect()
    expect(shownWallets(fixture).slice(0, 2)).toEqual(['MetaMask', 'Cairn'])
    expect(page.asked).toEqual([])
  })

  test('is connected with the address that the page would have, where it has several', async () => {
    const { page, fixture, connecting } = await connect({}, { suggestedAddress: address })
    await chooseWallet(fixture, 'Cairn')
    await page.answer([otherAddress, address.toLowerCase()])
    await page.answer('0x1')
    expect(connecting.value).toMatchObject({ wallet: { address } })
  })

  test('and has another address is none, as often as its user tries, until they bring the one that is wanted', async () => {
    const { page, fixture, connecting, step } = await connect(
      { config: { supportedChains: [10] } },
      { suggestedAddress: address },
    )
    await chooseWallet(fixture, 'MetaMask')
    for (const _ of [1, 2, 3, 4]) {
      await page.answer([otherAddress])
      await page.answer('0x1')
      expect(step()).toEqual({ status: 'other account', address: otherAddress, wanted: address })
      await fixture.press('AWAITING_CONNECT_ONLY_CONNECTION', 'retry')
    }
    expect(page.asked.map(({ method }) => method)).not.toContain('wallet_switchEthereumChain')
    expect(connecting.settled).toBe(false)
    await page.answer([address])
    await page.answer('0xa')
    expect(connecting.value).toMatchObject({ wallet: { address, chainId: 'eip155:10' } })
  })

  test('and has another address is what the host hears of, where its user leaves it at that', async () => {
    const { page, fixture, connecting } = await connect({}, { suggestedAddress: address })
    await chooseWallet(fixture, 'MetaMask')
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
  ] as const)('by %s is what the host hears as %s, where its user leaves it at that', async (how, code) => {
    const { page, fixture, connecting, step } = await connect()
    await chooseWallet(fixture, 'MetaMask')
    await page[how]()
    expect(step()).toMatchObject({ status: 'failed', problem: how === 'refuse' ? 'rejected' : 'generic' })
    await fixture.close()
    expect(connecting.error).toMatchObject({ code })
  })

  test('changes to a network that the host is for', async () => {
    const { page, fixture, connecting, step } = await connect({ config: { supportedChains: [10] } })
    await chooseWallet(fixture, 'Cairn')
    await page.answer([address])
    await page.answer('0x1')
    expect(step()).toEqual({ status: 'switching' })
    await page.answer(null)
    expect(connecting.value).toMatchObject({ wallet: { chainId: 'eip155:10' } })
  })

  test('that its user refuses can be tried again, and the host hears why it came to nothing', async () => {
    const { page, fixture, connecting, step } = await connect()
    await chooseWallet(fixture, 'MetaMask')
    await page.refuse()
    expect(step()).toEqual({ status: 'failed', problem: 'rejected', isRepeated: false })
    for (const _ of [1, 2]) {
      await fixture.press('AWAITING_CONNECT_ONLY_CONNECTION', 'retry')
      await page.refuse()
    }
    expect(fixture.screen()).toBe('LOGIN_FAILED_SCREEN')
    await fixture.press('LOGIN_FAILED_SCREEN', 'retry')
    expect(fixture.screen()).toBe('CONNECT_ONLY_LANDING_SCREEN')
    await fixture.close()
    expect(connecting.error).toMatchObject({ code: 'user_rejected_request' })
  })

  test('that its user never chose is an exit', async () => {
    const { fixture, connecting } = await connect()
    await fixture.close()
    expect(connecting.error).toMatchObject({ code: 'exited_link_flow' })
  })
})
