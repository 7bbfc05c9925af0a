/** A login by a wallet of the host's page that goes well. */
import { describe, expect, test, vi } from 'vitest'
import { settle } from '../../testing/clock.ts'
import { watch } from '../../testing/fixture.ts'
import {
  address,
  answers,
  atWallets,
  cairn,
  chainOne,
  chooseWallet,
  connected,
  lastUsedOf,
  metamask,
  openWallets,
  otherAddress,
  pageOf,
  shownWallets,
  signature,
} from './testing.ts'

describe('a login by a wallet of the page', () => {
  // spec L1.4, L2.28, L4.29, L7.19, L7.20, L7.34
  test('connects, signs what the server made the nonce of, and brings it back', async () => {
    const page = pageOf(metamask, cairn)
    const { fixture, login, step } = await atWallets({ answers, page })
    expect(shownWallets(fixture).slice(0, 2)).toEqual(['MetaMask', 'Cairn'])
    await chooseWallet(fixture, 'MetaMask')
    expect(fixture.state('AWAITING_CONNECTION').wallet.name).toBe('MetaMask')
    expect(step()).toEqual({ status: 'connecting' })
    expect(page.asked.at(-1)).toMatchObject({ wallet: 'one', method: 'eth_requestAccounts', params: [] })
    await page.answer([address.toLowerCase(), otherAddress])
    expect(page.question()).toBe('eth_chainId')
    await page.answer('0x2105')
    expect(step()).toEqual({ status: 'sign' })
    const [begun] = fixture.transport.calls('beginSiwe')
    expect(begun?.body).toEqual({ address: address.toLowerCase(), origin: 'http://demo.localhost:4010' })
    const [hex, signer] = page.asked.at(-1)?.params ?? []
    const message = Buffer.from(String(hex).slice(2), 'hex').toString()
    expect(page.question()).toBe('personal_sign')
    expect(signer).toBe(address.toLowerCase())
    expect(message).toBe(`demo.localhost:4010 wants you to sign in with your Ethereum account:
${address}

Sign to prove that this wallet is yours. It costs nothing and moves nothing.

URI: http://demo.localhost:4010
Version: 1
Chain ID: 8453
Nonce: k7Qm2xV9
Issued At: 2026-01-01T12:34:56.000Z`)
    await page.answer(signature)
    const [finished] = fixture.transport.calls('loginWithSiwe')
    expect(finished?.body).toEqual({
      message,
      signature,
      chainId: 'eip155:8453',
      walletClientType: 'metamask',
      connectorType: 'injected',
    })
    expect(step()).toEqual({ status: 'success' })
    expect(login.value).toMatchObject({ loginMethod: 'wallet', loginAccount: { type: 'wallet', address } })
    expect(fixture.events).toContain('sdk_authenticate_siwe')
  })

  // spec L4.23
  test('shows its success for 1.4 s and closes', async () => {
    const { fixture, page } = await connected()
    await page.answer(signature)
    await fixture.clock.advance(1_399)
    expect(fixture.view()?.open).toBe(true)
    await fixture.clock.advance(1)
    expect(fixture.view()?.open).toBe(false)
    await fixture.clock.advance(200)
    expect(fixture.clock.waiting()).toEqual([])
  })

  test('says that it is being verified while the server looks, and there is no way back from that', async () => {
    const verified = Promise.withResolvers<never>()
    const { fixture, page, step } = await connected({
      answers: { ...answers, loginWithSiwe: () => verified.promise },
    })
    expect(fixture.view()?.header.back).toBe(true)
    await page.answer(signature)
    expect(step()).toEqual({ status: 'signing' })
    expect(fixture.view()?.header.back).toBe(false)
  })

  test('takes one wallet at a time: whatever the one before says comes too late', async () => {
    const page = pageOf(metamask, cairn)
    const { fixture, step } = await atWallets({ answers, page })
    await chooseWallet(fixture, 'MetaMask')
    const [first] = page.asked
    await fixture.back()
    await chooseWallet(fixture, 'Cairn')
    expect(first?.signal.aborted).toBe(true)
    expect(page.asked.at(-1)).toMatchObject({ wallet: 'two', method: 'eth_requestAccounts' })
    expect(fixture.state('AWAITING_CONNECTION').wallet.name).toBe('Cairn')
    await page.answer([address])
    await page.answer(chainOne)
    expect(step()).toEqual({ status: 'sign' })
  })

  test('that the user left goes on with nothing', async () => {
    const page = pageOf(metamask)
    const { fixture } = await atWallets({ answers, page })
    await chooseWallet(fixture, 'MetaMask')
    await fixture.back()
    await page.answer([address])
    await page.answer(chainOne)
    expect(fixture.screen()).toBe('LANDING/web3-overflow')
    expect(fixture.transport.calls('beginSiwe')).toEqual([])
  })

  test('stands first among the wallets the next time, and says that it was used last', async () => {
    const { page, fixture } = await connected(
      { config: { appearance: { walletList: ['detected_wallets'] } } },
      pageOf(cairn, metamask),
    )
    await page.answer(signature)
    await fixture.clock.advance(2_000)
    await fixture.session.logout()
    watch(fixture.login())
    await settle()
    await openWallets(fixture)
    expect(shownWallets(fixture)).toEqual(['MetaMask', 'Cairn'])
    expect(lastUsedOf(fixture)).toEqual(['MetaMask'])
  })
})

describe('a captcha', () => {
  // spec L4.14
  test('comes before the nonce, which its token goes with, and once for each nonce', async () => {
    const captcha = vi.fn(async () => ({ token: 'passed' }))
    const { fixture, page } = await connected({ captcha })
    expect(fixture.transport.calls('beginSiwe')[0]?.body).toMatchObject({ address, token: 'passed' })
    expect(page.question()).toBe('personal_sign')
    await page.refuse()
    await fixture.press('AWAITING_CONNECTION', 'retry')
    await page.answer([address])
    await page.answer(chainOne)
    expect(captcha).toHaveBeenCalledTimes(1)
  })

  test('that the user goes back from leads to the wallets', async () => {
    const { fixture } = await connected({ captcha: async () => undefined })
    expect(fixture.screen()).toBe('LANDING/web3-overflow')
    expect(fixture.transport.calls('beginSiwe')).toEqual([])
  })
})

describe('the network of the wallet', () => {
  const config = { supportedChains: [8453, 10], defaultChain: 10 }

  // spec L3.31, L4.29
  test('is changed to one that the host is for, and the message says that one', async () => {
    const { page, step } = await connected({ config })
    expect(step()).toEqual({ status: 'switching' })
    expect(page.asked.at(-1)).toMatchObject({
      method: 'wallet_switchEthereumChain',
      params: [{ chainId: '0xa' }],
    })
    await page.answer(null)
    expect(page.question()).toBe('personal_sign')
    const [hex] = page.asked.at(-1)?.params ?? []
    expect(Buffer.from(String(hex).slice(2), 'hex').toString()).toContain('Chain ID: 10\n')
  })

  test.each([[{ supportedChains: [10, 1] }], [{ defaultChain: 1 }], [{}]])(
    'stays what it is for a host of %j',
    async (given) => {
      const { page } = await connected({ config: given })
      expect(page.question()).toBe('personal_sign')
    },
  )

  test.each([
    ['does not know the other', 4902],
    ['changes none', 4200],
    ['knows no such request', -32_601],
    ['fails at it', -32_603],
  ])('stays what it is in a wallet that %s', async (_which, code) => {
    const { page, fixture } = await connected({ config })
    await page.fail(code)
    expect(page.question()).toBe('personal_sign')
    await page.answer(signature)
    expect(fixture.transport.calls('loginWithSiwe')[0]?.body).toMatchObject({ chainId: 'eip155:1' })
  })

  test('that the user does not want to change is a request that they refused', async () => {
    const { page, step } = await connected({ config })
    await page.refuse()
    expect(step()).toMatchObject({ status: 'failed', problem: 'rejected' })
  })
})
