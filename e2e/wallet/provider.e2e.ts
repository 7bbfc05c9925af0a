/** The embedded wallet as an EIP-1193 provider, driven by viem and ethers on a real chain. */
import type { Page } from '@playwright/test'
import { BrowserProvider, verifyMessage } from 'ethers'
import {
  BaseError,
  ChainDisconnectedError,
  createPublicClient,
  createTestClient,
  createWalletClient,
  custom,
  encodeFunctionData,
  type Hex,
  http,
  parseAbi,
  parseEther,
  parseTransaction,
  publicActions,
  recoverMessageAddress,
  recoverTransactionAddress,
  UserRejectedRequestError,
} from 'viem'
import { anvil, optimism } from 'viem/chains'
import { verifyTypedData } from 'viem/utils'
import type { HostPage } from '../pages/host-page.ts'
import { beginCall } from '../pages/page-calls.ts'
import { getProvider } from '../pages/provider.ts'
import { appId } from '../stack/stack.ts'
import { expect, test } from '../test.ts'

const someone = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const contract = '0x00000000000000000000000000000000000ec003'
/** A second chain of the app, served by the same node. */
const second = 31_338

const chainOf = (url: string) =>
  createTestClient({ chain: anvil, mode: 'anvil', transport: http(url) }).extend(publicActions)

let wallet: Hex = '0x'

test.describe.configure({ mode: 'default' })
test.use({
  settings: [
    'rpc_urls.31337=[{chain}]',
    `rpc_urls.${second}=[{chain}]`,
    `test_networks=[31337,${second}]`,
    `card_typed_data=[{"contract":"${contract}","primary_type":"Note"}]`,
  ],
  isLoggedIn: true,
})
test.beforeEach(async ({ host, stack, walletAddress: address }) => {
  wallet = address
  await host.openOneLine()
  const chain = chainOf(stack.chainUrl)
  await chain.setAutomine(true)
  await chain.setBalance({ address: wallet, value: parseEther('1') })
})

/** Approves the pending request. */
const submit = (host: HostPage, name = 'Submit') =>
  host.approve(host.dialog.getByRole('button', { name, exact: true }))

const mail = {
  domain: { name: 'Field notes', version: '1', chainId: 31_337, verifyingContract: contract },
  types: { Note: [{ name: 'text', type: 'string' }] },
  primaryType: 'Note',
  message: { text: 'Two herons' },
} as const

test.describe('viem', () => {
  test('signs messages and typed data for the account', async ({ host, page }) => {
    const client = createWalletClient({ chain: anvil, transport: custom(await getProvider(page)) })
    expect(await client.requestAddresses()).toEqual([wallet])
    expect(await client.getChainId()).toBe(31_337)

    const signing = client.signMessage({ account: wallet, message: 'Two herons' })
    await host.approve()
    const signature = await signing
    expect(await recoverMessageAddress({ message: 'Two herons', signature })).toBe(wallet)
    await host.dialogCloses()

    const typed = client.signTypedData({ account: wallet, ...mail })
    await host.approve()
    expect(await verifyTypedData({ address: wallet, ...mail, signature: await typed })).toBe(true)
  })

  // spec W7.41
  test('sends, reads the receipt, and signs for the page to send', async ({ host, page, stack }) => {
    const provider = await getProvider(page)
    const client = createWalletClient({ account: wallet, chain: anvil, transport: custom(provider) })
    const reader = createPublicClient({ chain: anvil, transport: custom(provider) })
    const before = await reader.getBalance({ address: someone })
    const nonce = await reader.getTransactionCount({ address: wallet })

    const sending = client.sendTransaction({ to: someone, value: parseEther('0.1') })
    await submit(host)
    const hash = await sending
    const { status, from } = await reader.waitForTransactionReceipt({ hash })
    expect([status, from]).toEqual(['success', wallet.toLowerCase()])
    expect((await reader.getBalance({ address: someone })) - before).toBe(parseEther('0.1'))
    await host.dialog.getByRole('button', { name: 'All Done' }).click()
    await host.dialogCloses()

    const signing = provider.request({
      method: 'eth_signTransaction',
      params: [{ from: wallet, to: someone, value: '0x1', type: '0x2' }],
    })
    await expect(host.dialog.getByRole('heading', { name: 'Sign transaction' })).toBeVisible()
    await submit(host, 'Sign')
    const signed = (await signing) as `0x02${string}`
    await host.dialogCloses()
    expect(await recoverTransactionAddress({ serializedTransaction: signed })).toBe(wallet)
    expect(parseTransaction(signed)).toMatchObject({ to: someone.toLowerCase(), value: 1n, nonce: nonce + 1 })
    const chain = chainOf(stack.chainUrl)
    expect(await chain.getTransactionCount({ address: wallet, blockTag: 'pending' })).toBe(nonce + 1)
  })

  // https://eips.ethereum.org/EIPS/eip-5792
  test('sends a batch of calls: lists them, approves each, and knows them after a reload', async ({
    host,
    page,
  }) => {
    const provider = await getProvider(page)
    const client = createWalletClient({ account: wallet, chain: anvil, transport: custom(provider) })
    expect(await client.getCapabilities({ account: wallet, chainId: anvil.id })).toEqual({
      atomic: { status: 'unsupported' },
    })
    const reader = createPublicClient({ chain: anvil, transport: custom(provider) })
    const before = await reader.getBalance({ address: someone })
    const calls = [
      { to: someone, value: parseEther('0.1') },
      { to: someone, value: parseEther('0.2') },
    ] as const

    const sending = client.sendCalls({ calls })
    await expect(host.dialog.getByRole('heading', { name: '2 transactions' })).toBeVisible()
    await expect(host.shown.getByText('0.3 ETH')).toBeVisible()
    await host.dialog.getByRole('button', { name: 'Continue' }).click()
    const { id } = await sending
    expect(await client.getCallsStatus({ id })).toMatchObject({ status: 'pending', atomic: false })
    for (const amount of ['0.1 ETH', '0.2 ETH']) {
      await expect(host.shown.locator('[data-part="amount"]')).toHaveText(amount)
      // The next button appears where the previous one was pressed, so the pointer has to move first.
      await page.mouse.move(5, 5)
      await submit(host)
    }
    const { status, receipts } = await client.waitForCallsStatus({ id })
    expect([status, receipts?.length]).toEqual(['success', 2])
    expect((await reader.getBalance({ address: someone })) - before).toBe(parseEther('0.3'))
    await host.dialog.getByRole('button', { name: 'All Done' }).click()
    await host.dialogCloses()

    await host.openOneLine()
    const next = createWalletClient({
      account: wallet,
      chain: anvil,
      transport: custom(await getProvider(page)),
    })
    expect(await next.getCallsStatus({ id })).toMatchObject({ status: 'success', statusCode: 200 })
    const showing = next.showCallsStatus({ id })
    await expect(host.shown.getByText('Done')).toHaveCount(2)
    await host.dialog.getByRole('button', { name: 'Close', exact: true }).last().click()
    await showing
    await host.dialogCloses()
  })

  // spec L9.22, W5.10
  test('switches only between chains of the app', async ({ host, page }) => {
    const provider = await getProvider(page)
    const client = createWalletClient({ account: wallet, transport: custom(provider) })
    await client.switchChain({ id: second })
    expect(await client.getChainId()).toBe(second)
    expect(await provider.events()).toContainEqual(['chainChanged', '0x7a6a'])

    const strange = await client.switchChain({ id: optimism.id }).catch((error) => error)
    expect(codesOf(strange)).toContain(4901)
    await expect(client.addChain({ chain: optimism })).rejects.toThrow('Unsupported chain: 10')
    expect(await client.getChainId()).toBe(second)

    // A request for the previous chain is not shown to the user.
    const typed = client.signTypedData(mail).catch((error) => error)
    await expect(host.dialog.getByRole('heading', { name: 'This request was blocked' })).toBeVisible()
    expect(codesOf(await typed)).toContain(ChainDisconnectedError.code)
    await host.dialog.getByRole('button', { name: 'Close' }).last().click()
    await host.dialogCloses()
    await expect(
      provider.request({
        method: 'eth_sendTransaction',
        params: [{ from: wallet, to: someone, value: '0x1', chainId: '0x7a69' }],
      }),
    ).rejects.toMatchObject({ code: 4901 })

    // The chain belongs to the tab and survives a reload.
    await page.reload()
    await page.waitForFunction('window.latchkey')
    expect(await (await getProvider(page)).request({ method: 'eth_chainId' })).toBe('0x7a6a')
    const tab = await page.context().newPage()
    await tab.goto(page.url())
    await tab.waitForFunction('window.latchkey')
    expect(await (await getProvider(tab)).request({ method: 'eth_chainId' })).toBe('0x7a69')
  })

  test('gets standard error codes for rejections and reverts', async ({ host, page, stack }) => {
    const provider = await getProvider(page)
    const client = createWalletClient({ account: wallet, chain: anvil, transport: custom(provider) })
    const rejected = client.signMessage({ message: 'Two herons' }).catch((error) => error)
    await expect(host.approveButton).toBeVisible()
    await host.escape()
    const error: unknown = await rejected
    expect(
      error instanceof BaseError && error.walk((each) => each instanceof UserRejectedRequestError),
    ).toBeTruthy()
    await host.dialogCloses()

    // Reverts with the text 'no'.
    await chainOf(stack.chainUrl).setCode({
      address: contract,
      bytecode: `0x7f08c379a0${'00'.repeat(28)}5f527f${'00'.repeat(31)}206004527f${'00'.repeat(31)}026024527f6e6f${'00'.repeat(30)}60445260645ffd`,
    })
    const reader = createPublicClient({ chain: anvil, transport: custom(provider) })
    const abi = parseAbi(['function anything() view returns (uint256)'])
    await expect(
      reader.readContract({ address: contract, abi, functionName: 'anything' }),
    ).rejects.toMatchObject({ cause: { reason: 'no' } })
    await expect(
      provider.request({
        method: 'eth_call',
        params: [{ to: contract, data: encodeFunctionData({ abi }) }, 'latest'],
      }),
    ).rejects.toMatchObject({ code: 3 })
  })
})

/** Returns the codes of an error and its causes. */
function codesOf(error: unknown): readonly unknown[] {
  const { code, cause } = Object(error)
  return cause === undefined ? [code] : [code, ...codesOf(cause)]
}

test('ethers signs, sends, switches and reads', async ({ host, page }) => {
  const provider = await getProvider(page)
  const browser = new BrowserProvider(provider)
  const signer = await browser.getSigner()
  expect(await signer.getAddress()).toBe(wallet)
  expect((await browser.getNetwork()).chainId).toBe(31_337n)

  const signing = signer.signMessage('Two herons')
  await host.approve()
  expect(verifyMessage('Two herons', await signing)).toBe(wallet)
  await host.dialogCloses()

  const sent = await browser.getTransactionCount(wallet)
  const sending = signer.sendTransaction({ to: someone, value: parseEther('0.2') })
  await submit(host)
  const receipt = await (await sending).wait()
  expect(receipt?.status).toBe(1)
  await host.dialog.getByRole('button', { name: 'All Done' }).click()
  await host.dialogCloses()
  expect(await browser.getTransactionCount(wallet)).toBe(sent + 1)
  expect(await browser.getBalance(wallet)).toBeLessThan(parseEther('0.8'))

  await browser.send('wallet_switchEthereumChain', [{ chainId: '0x7a6a' }])
  expect(await provider.request({ method: 'net_version' })).toBe('31338')
  await expect(browser.send('eth_sign', [wallet, '0x00'])).rejects.toThrow('signs opaque data')
})

/** Collects announced providers (EIP-6963), before any other script of the page. */
const collectAnnounced = () => {
  const found: unknown[] = []
  Object.assign(globalThis, { found })
  addEventListener('eip6963:announceProvider', (event) => found.push(Reflect.get(event, 'detail')))
}
type Found = { info: Record<string, string>; provider: object }
const infosFound = (page: Page) =>
  page.evaluate(() => (Reflect.get(globalThis, 'found') as Found[]).map(({ info }) => info))

test("libraries find the provider under the app's name without a call, and a visitor logs in through it", async ({
  host,
  inbox,
  page,
}) => {
  await page.evaluate(() => {
    const handle = Reflect.get(globalThis, 'latchkey') as { logout(): Promise<void> }
    return handle.logout()
  })
  await page.addInitScript(collectAnnounced)
  await host.openOneLine()
  await expect.poll(() => infosFound(page)).toHaveLength(1)
  await page.evaluate(() => dispatchEvent(new Event('eip6963:requestProvider')))
  const info = {
    name: 'Fieldnotes',
    rdns: 'app.latchkey',
    icon: expect.stringMatching(/^data:image\//),
  }
  const found = await infosFound(page)
  expect(found).toMatchObject([info, info])
  expect(found[0]?.uuid).toBe(found[1]?.uuid)

  const provider = await getProvider(page, 'announced')

  expect(await provider.request({ method: 'eth_accounts' })).toEqual([])
  await expect(
    provider.request({ method: 'personal_sign', params: ['0x00', someone] }),
  ).rejects.toMatchObject({ code: 4100 })

  const asking = provider.request({ method: 'eth_requestAccounts' })
  await expect(host.emailField).toBeFocused()
  await host.askForCode(inbox.address)
  await host.typeCode(await inbox.nextCode())
  expect(await asking).toEqual([wallet])
  expect(await provider.events()).toContainEqual(['accountsChanged', [wallet]])
})

test('a library that looks before the dialog has loaded finds the provider after a reload, with its account', async ({
  host,
  page,
  stack,
}) => {
  await page.addInitScript(collectAnnounced)
  await host.openOneLine()
  await expect.poll(() => infosFound(page)).toHaveLength(1)
  const dialog = Promise.withResolvers<void>()
  await page.route(`${stack.dialogOrigin}/**`, async (route) => {
    if (route.request().resourceType() === 'document') await dialog.promise
    await route.continue()
  })
  // The load event fires after the frames have loaded.
  await page.reload({ waitUntil: 'domcontentloaded' })
  await expect.poll(() => infosFound(page)).toMatchObject([{ name: 'Fieldnotes', rdns: 'app.latchkey' }])
  // Like wagmi does on mount.
  const asked = page.evaluate(() => {
    const [first] = Reflect.get(globalThis, 'found') as { provider: { request(asked: object): unknown } }[]
    return first?.provider.request({ method: 'eth_accounts' })
  })
  dialog.resolve()
  expect(await asked).toEqual([wallet])
  expect(await infosFound(page)).toHaveLength(1)
})

test('libraries of a page that enables the provider later find it then', async ({ host, page, stack }) => {
  await stack.app('set', appId, 'embedded_wallet_config.create_on_login=off')
  // The dialog no longer announces it, so it is forgotten.
  await host.openOneLine()
  const stored = () => page.evaluate(() => Object.keys(localStorage))
  await expect.poll(stored).not.toContain(`latchkey:${appId}:provider`)
  await page.addInitScript(collectAnnounced)
  await host.openOneLine()
  await (await beginCall(page, 'setConfig', { appearance: { theme: 'dark' } }))()
  expect(await infosFound(page)).toEqual([])
  await (await beginCall(page, 'setConfig', { embeddedWallets: { announceProvider: true } }))()
  await expect.poll(() => infosFound(page)).toMatchObject([{ name: 'Fieldnotes', rdns: 'app.latchkey' }])
})
