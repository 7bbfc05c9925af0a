/** A login by a wallet of the host page, without failures. */
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
  test('connects, signs a message with the nonce of the server, and sends it back', async () => {
    const page = pageOf(metamask, cairn)
    const { fixture, login, dialog } = await atWallets({ answers, page })
    expect(shownWallets(dialog).slice(0, 2)).toEqual(['MetaMask', 'Cairn'])
    await chooseWallet(dialog, 'MetaMask')
    expect(fixture.screen()).toBe('AWAITING_CONNECTION')
    await dialog.see('Waiting for MetaMask')
    expect(page.asked.at(-1)).toMatchObject({ wallet: 'one', method: 'eth_requestAccounts', params: [] })
    await page.answer([address.toLowerCase(), otherAddress])
    expect(page.question()).toBe('eth_chainId')
    await page.answer('0x2105')
    await dialog.see('Sign to verify')
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
    await dialog.see('Successfully connected')
    await dialog.see('MetaMask has confirmed who you are.')
    expect(login.value).toMatchObject({ loginMethod: 'wallet', loginAccount: { type: 'wallet', address } })
    expect(fixture.events).toContain('sdk_authenticate_siwe')
  })

  // spec L4.23
  test('shows its success for 1.4 s, then closes', async () => {
    const { fixture, page } = await connected()
    await page.answer(signature)
    await fixture.clock.advance(1_399)
    expect(fixture.view()?.open).toBe(true)
    await fixture.clock.advance(1)
    expect(fixture.view()?.open).toBe(false)
    await fixture.clock.advance(200)
    expect(fixture.clock.waiting()).toEqual([])
  })

  test('has no way back while the server verifies the signature', async () => {
    const verified = Promise.withResolvers<never>()
    const { fixture, page, dialog } = await connected({
      answers: { ...answers, loginWithSiwe: () => verified.promise },
    })
    expect(fixture.view()?.header.back).toBe(true)
    await page.answer(signature)
    await dialog.see('Verifying the signature from MetaMask.')
    expect(fixture.view()?.header.back).toBe(false)
    expect(dialog.hasButton('Back')).toBe(false)
  })

  test('connects one wallet at a time, and ignores answers of the one before', async () => {
    const page = pageOf(metamask, cairn)
    const { fixture, dialog } = await atWallets({ answers, page })
    await chooseWallet(dialog, 'MetaMask')
    const [first] = page.asked
    await fixture.back()
    await chooseWallet(dialog, 'Cairn')
    expect(first?.signal.aborted).toBe(true)
    expect(page.asked.at(-1)).toMatchObject({ wallet: 'two', method: 'eth_requestAccounts' })
    await dialog.see('Waiting for Cairn')
    await page.answer([address])
    await page.answer(chainOne)
    await dialog.see('Sign to verify')
    await first?.answer([otherAddress])
    await page.answer(chainOne)
    expect(fixture.transport.calls('beginSiwe').map(({ body }) => body)).toMatchObject([{ address }])
    expect(dialog.texts()).toContain('Sign to verify')
  })

  test('does not continue after the user went back', async () => {
    const page = pageOf(metamask)
    const { fixture, dialog } = await atWallets({ answers, page })
    await chooseWallet(dialog, 'MetaMask')
    await fixture.back()
    await page.answer([address])
    await page.answer(chainOne)
    expect(fixture.screen()).toBe('LANDING/web3-overflow')
    expect(fixture.transport.calls('beginSiwe')).toEqual([])
  })

  test('lists its wallet first the next time, and marks it as used last', async () => {
    const { page, fixture, dialog } = await connected(
      { config: { appearance: { walletList: ['detected_wallets'] } } },
      pageOf(cairn, metamask),
    )
    await page.answer(signature)
    await fixture.clock.advance(2_000)
    await fixture.session.logout()
    watch(fixture.login())
    await settle()
    await openWallets(dialog)
    await dialog.see('Cairn')
    expect(shownWallets(dialog)).toEqual(['MetaMask', 'Cairn'])
    expect(lastUsedOf(dialog)).toEqual(['MetaMask'])
  })
})

describe('a captcha', () => {
  // spec L4.14
  test('requests one captcha for each nonce, and sends its token with the nonce request', async () => {
    const captcha = vi.fn(async () => ({ token: 'passed' }))
    const { fixture, page, dialog } = await connected({ captcha })
    expect(fixture.transport.calls('beginSiwe')[0]?.body).toMatchObject({ address, token: 'passed' })
    expect(page.question()).toBe('personal_sign')
    await page.refuse()
    await dialog.press('Try again')
    await page.answer([address])
    await page.answer(chainOne)
    expect(captcha).toHaveBeenCalledTimes(1)
  })

  test('returns to the wallet list if the user goes back from the captcha', async () => {
    const { fixture } = await connected({ captcha: async () => undefined })
    expect(fixture.screen()).toBe('LANDING/web3-overflow')
    expect(fixture.transport.calls('beginSiwe')).toEqual([])
  })
})

describe('the network of the wallet', () => {
  const config = { supportedChains: [8453, 10], defaultChain: 10 }

  // spec L3.31, L4.29
  test('switches the wallet to a chain of the host, and signs a message for that chain', async () => {
    const { page, dialog } = await connected({ config })
    await dialog.see('Switching networks')
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
    'does not change for a host with %j',
    async (given) => {
      const { page } = await connected({ config: given })
      expect(page.question()).toBe('personal_sign')
    },
  )

  test.each([
    ['does not know the chain', 4902],
    ['cannot switch', 4200],
    ['does not know the request', -32_601],
    ['fails to switch', -32_603],
  ])('does not change in a wallet that %s', async (_which, code) => {
    const { page, fixture } = await connected({ config })
    await page.fail(code)
    expect(page.question()).toBe('personal_sign')
    await page.answer(signature)
    expect(fixture.transport.calls('loginWithSiwe')[0]?.body).toMatchObject({ chainId: 'eip155:1' })
  })

  test('fails the attempt if the user rejects the chain switch', async () => {
    const { page, dialog } = await connected({ config })
    await page.refuse()
    await dialog.see('Connection rejected')
  })
})
