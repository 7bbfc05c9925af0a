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

async function come() {
  for (let turn = 0; turn < 12; turn += 1) await settle()
}

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
  await come()
  const dialog = renderDialog(fixture)
  await dialog.see('Receive')
  return { fixture, dialog, chain, page, asking, step: () => fixture.state(AWAITING).step }
}
type Opened = Awaited<ReturnType<typeof open>>

async function choose({ dialog }: Opened) {
  await dialog.press(TRANSFER_ROW)
  await dialog.type('Amount in ETH', '0.5')
  await dialog.press('Choose a wallet')
  await come()
}

async function connect(opened: Opened, chainId = '0x1') {
  await choose(opened)
  await chooseWallet(opened.fixture, 'MetaMask')
  await opened.page.answer([external])
  await opened.page.answer(chainId)
  await come()
}

describe('a wallet that the user brings', () => {
  test('pays the amount to the address, on its chain, and the card then watches for it', async () => {
    const opened = await open()
    const { fixture, dialog, page, chain, step } = opened
    await choose(opened)
    expect(fixture.state(LIST)).toMatchObject({ amount: '0.5 ETH', network: 'Ethereum' })
    await chooseWallet(fixture, 'MetaMask')
    await page.answer([external])
    await page.answer('0x1')
    await come()
    expect(step()).toEqual({ status: 'pay' })
    expect(page.asked.at(-1)).toMatchObject({
      wallet: 'one',
      method: 'eth_sendTransaction',
      params: [{ from: external, to: walletAddress, value: '0x6f05b59d3b20000', chainId: '0x1' }],
    })
    await page.answer(hash)
    expect(step()).toEqual({ status: 'paid' })
    await fixture.clock.advance(1_400)
    await come()
    expect(fixture.screen()).toBe(RECEIVE)
    await dialog.see('This page shows when something arrives.')
    chain.answer('eth_getBalance', () => `0x${(2n * ether).toString(16)}`)
    await fixture.clock.advance(8_000)
    await come()
    await dialog.see(/ ETH arrived$/)
    expect(fixture.session.state()).toMatchObject({ status: 'authenticated' })
  })

  test('is taken to the chain first, and pays nothing on another one', async () => {
    const opened = await open()
    const { page, step } = opened
    await connect(opened, '0xa')
    expect(step()).toEqual({ status: 'switching' })
    expect(page.asked.at(-1)).toMatchObject({
      method: 'wallet_switchEthereumChain',
      params: [{ chainId: '0x1' }],
    })
    await page.fail(4902)
    expect(step()).toEqual({ status: 'failed', problem: 'unknownChain', isRepeated: false })
    expect(page.asked.map(({ method }) => method)).not.toContain('eth_sendTransaction')
  })

  test('may refuse, and is asked again on a press', async () => {
    const opened = await open()
    const { fixture, page, step } = opened
    await connect(opened)
    await page.refuse()
    expect(step()).toEqual({ status: 'failed', problem: 'rejected', isRepeated: false })
    await fixture.press(AWAITING, 'retry')
    await page.answer([external])
    await page.answer('0x1')
    await come()
    expect(step()).toEqual({ status: 'pay' })
    await page.answer(hash)
    expect(step()).toEqual({ status: 'paid' })
  })

  test('fails if the wallet does not answer with a hash', async () => {
    const opened = await open()
    await connect(opened)
    await opened.page.answer(otherAddress)
    expect(opened.step()).toMatchObject({ status: 'failed', problem: 'generic' })
  })

  test('is not offered for an unknown chain', async () => {
    const { dialog } = await open({ rpcUrls: {} })
    expect(dialog.hasButton(TRANSFER_ROW)).toBe(false)
  })

  test('is not offered in an app without external wallets', async () => {
    const { dialog } = await open({ walletAuth: false })
    expect(dialog.hasButton(TRANSFER_ROW)).toBe(false)
  })

  test('that was left leaves the card where it was', async () => {
    const opened = await open()
    await choose(opened)
    await opened.fixture.back()
    await come()
    expect(opened.fixture.screen()).toBe(TRANSFER)
    expect(opened.page.asked.map(({ method }) => method)).not.toContain('eth_sendTransaction')
  })
})
