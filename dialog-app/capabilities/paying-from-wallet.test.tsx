/** A transfer from an external wallet: from its row on the card to the chain. */
import { describe, expect, test } from 'vitest'
import { chainUrl, makeFakeChain } from '../testing/chain.ts'
import { settle } from '../testing/clock.ts'
import { makeFixture, watch } from '../testing/fixture.ts'
import { makeAuthAnswer, makeToken, walletAddress, walletUser } from '../testing/fixtures.ts'
import { renderDialog } from '../testing/page.tsx'
import { fundingIn } from './funding/funding.ts'
import { capabilities } from './index.ts'
import { siweOn } from './siwe/siwe.ts'
import {
  cairn,
  chooseWallet,
  desktop,
  address as external,
  makePage,
  metamask,
  otherAddress,
} from './siwe/testing.ts'

const RECEIVE = 'RECEIVE_FUNDS_SCREEN'
const TRANSFER = 'TRANSFER_FUNDS_SCREEN'
const TRANSFER_ROW = 'Transfer from your own wallet'
const LIST = 'PAY_FROM_WALLET_SCREEN'
const AWAITING = 'AWAITING_PAYMENT_SCREEN'
const ether = 10n ** 18n
const hash = `0x${'cd'.repeat(32)}`

async function open({
  rpcUrls = { 1: [chainUrl] },
  walletAuth = true,
}: {
  rpcUrls?: Record<string, string[]>
  walletAuth?: boolean
} = {}) {
  const chain = makeFakeChain()
  const page = makePage({ wallets: [metamask, cairn] })
  const own = [
    fundingIn({ openTab: () => true, fetch: chain.fetch, prefersDark: () => false }),
    siweOn(desktop),
  ]
  const fixture = await makeFixture({
    page,
    answers: {},
    app: { fiatOnRampEnabled: true, rpcUrls, walletAuth },
    addresses: {},
    capabilities: capabilities.map((each) => own.find(({ name }) => name === each.name) ?? each),
  })
  fixture.session.accept(makeAuthAnswer({ user: walletUser, token: makeToken({ sub: walletUser.id }) }))
  const asking = watch(
    fixture.more('fundWallet', { address: walletAddress, provider: 'moonpay', config: {} }),
  )
  await settle()
  const dialog = renderDialog(fixture)
  await dialog.see('Receive')
  return { fixture, dialog, chain, page, asking }
}
type Opened = Awaited<ReturnType<typeof open>>

async function choose({ dialog }: Opened) {
  await dialog.press(TRANSFER_ROW)
  await dialog.type('Amount in ETH', '0.5')
  await dialog.press('Choose a wallet')
  await settle()
}

async function connect(opened: Opened, chainId = '0x1') {
  await choose(opened)
  await chooseWallet(opened.dialog, 'MetaMask')
  await opened.page.answer([external])
  await opened.page.answer(chainId)
  await settle()
}

describe('a payment from an external wallet', () => {
  test('sends the amount to the address on its chain, then waits for its arrival', async () => {
    const opened = await open()
    const { fixture, dialog, page, chain } = opened
    await choose(opened)
    expect(fixture.screen()).toBe(LIST)
    await dialog.see('0.5 ETH on Ethereum. Choose the wallet to pay from.')
    await chooseWallet(dialog, 'MetaMask')
    await page.answer([external])
    await page.answer('0x1')
    await settle()
    await dialog.see('Check the amount and the address in MetaMask, then confirm.')
    expect(fixture.screen()).toBe(AWAITING)
    expect(page.asked.at(-1)).toMatchObject({
      wallet: 'one',
      method: 'eth_sendTransaction',
      params: [{ from: external, to: walletAddress, value: '0x6f05b59d3b20000', chainId: '0x1' }],
    })
    await page.answer(hash)
    await dialog.see('MetaMask has sent it. It arrives once the network has processed it.')
    expect(dialog.hasButton('Back')).toBe(false)
    await fixture.clock.advance(1_400)
    await settle()
    expect(fixture.screen()).toBe(RECEIVE)
    await dialog.see('This page shows when something arrives.')
    chain.answer('eth_getBalance', () => `0x${(2n * ether).toString(16)}`)
    await fixture.clock.advance(8_000)
    await settle()
    await dialog.see(/ ETH arrived$/)
    expect(fixture.session.state()).toMatchObject({ status: 'authenticated' })
  })

  test('switches the chain first, and sends nothing on another chain', async () => {
    const opened = await open()
    const { page, dialog } = opened
    await connect(opened, '0xa')
    await dialog.see('Switching networks')
    expect(page.asked.at(-1)).toMatchObject({
      method: 'wallet_switchEthereumChain',
      params: [{ chainId: '0x1' }],
    })
    await page.fail(4902)
    await dialog.see('Network not available')
    expect(page.asked.map(({ method }) => method)).not.toContain('eth_sendTransaction')
  })

  test('can be retried after the wallet rejects it', async () => {
    const opened = await open()
    const { dialog, page } = opened
    await connect(opened)
    await page.refuse()
    await dialog.see('Connection rejected')
    await dialog.press('Try again')
    await page.answer([external])
    await page.answer('0x1')
    await settle()
    await dialog.see('Confirm in your wallet')
    await page.answer(hash)
    await dialog.see('Sent')
  })

  test('fails if the wallet does not answer with a hash', async () => {
    const opened = await open()
    await connect(opened)
    await opened.page.answer(otherAddress)
    await opened.dialog.see('Could not connect')
  })

  test('is not offered for an unknown chain', async () => {
    const { dialog } = await open({ rpcUrls: {} })
    expect(dialog.hasButton(TRANSFER_ROW)).toBe(false)
  })

  test('is not offered in an app without external wallets', async () => {
    const { dialog } = await open({ walletAuth: false })
    expect(dialog.hasButton(TRANSFER_ROW)).toBe(false)
  })

  test('can be cancelled, or retried with another wallet after three failures', async () => {
    const opened = await open()
    const { fixture, dialog, page } = opened
    await connect(opened)
    for (const isLast of [false, true]) {
      await page.refuse()
      for (const _ of [1, 2]) {
        await dialog.press('Try again')
        await page.refuse()
      }
      await dialog.see('Could not connect with wallet')
      if (isLast) continue
      await dialog.press('Try again')
      expect(fixture.screen()).toBe(LIST)
      await chooseWallet(dialog, 'MetaMask')
    }
    await dialog.press('Cancel')
    await settle()
    expect(fixture.screen()).toBe(TRANSFER)
  })

  test('returns to the transfer screen if the user goes back', async () => {
    const opened = await open()
    await choose(opened)
    await opened.fixture.back()
    await settle()
    expect(opened.fixture.screen()).toBe(TRANSFER)
    expect(opened.page.asked.map(({ method }) => method)).not.toContain('eth_sendTransaction')
  })
})
