/** A Solana wallet, from the host page to a signature that Solana's own library verifies. */
import type { Page } from '@playwright/test'
import { address, createSolanaRpc, devnet, lamports } from '@solana/kit'
import { expectNoViolations } from '../pages/axe.ts'
import { confirm, openPage } from '../pages/confirm-page.ts'
import { HostPage } from '../pages/host-page.ts'
import { beginCall, logInByEmail } from '../pages/page-calls.ts'
import {
  fundRelay,
  giveTokens,
  isSignedMessage,
  isSignedTransaction,
  recipient,
  tokenTransfer,
  transfer,
  unknownCall,
  widestAddress,
} from '../pages/solana.ts'
import { expect, openDevice, test } from '../test.ts'

type Ended = {
  user?: { address: string; chainType?: string }
  code?: string
}
const call = async (page: Page, name: string) => (await beginCall<Ended>(page, name))()

test.use({ settings: ['embedded_wallet_config.create_on_login=off'] })
test.beforeEach(async ({ host, inbox, page }) => {
  await host.openOneLine()
  await logInByEmail({ page, host, inbox })
})

type Handle = {
  getSolanaProvider: (options: { announce: boolean }) => Promise<Provider>
}
type Provider = {
  address: string
  publicKey: Uint8Array
  signMessage: (message: string) => Promise<{ signature: Uint8Array }>
  signTransaction: (transaction: Uint8Array) => Promise<{ signedTransaction: Uint8Array }>
  signAndSendTransaction: (transaction: Uint8Array) => Promise<{ signature: Uint8Array }>
  request: (asked: object) => Promise<unknown>
}
type Signed = { signature?: number[]; code?: string; message?: string }

/** Starts a signature with the page's provider, so that the test can act before it resolves. */
async function sign(page: Page, message: string): Promise<() => Promise<Signed>> {
  await page.evaluate((given) => {
    const handle: unknown = Reflect.get(globalThis, 'latchkey')
    const { getSolanaProvider } = handle as Handle
    const signed = getSolanaProvider({ announce: false })
      .then((provider) => provider.signMessage(given))
      .then(
        ({ signature }) => ({ signature: [...signature] }),
        ({ code }) => ({ code }),
      )
    Reflect.set(globalThis, 'signedBySolana', signed)
  }, message)
  return () => page.evaluate((): Promise<Signed> => Reflect.get(globalThis, 'signedBySolana'))
}

type TransactionCall = 'signTransaction' | 'signAndSendTransaction'

/** Starts a call with a transaction. Its result has the signed bytes, or the signature of a sent transaction. */
async function startTransaction(
  page: Page,
  name: TransactionCall,
  transaction: Uint8Array,
): Promise<() => Promise<Signed>> {
  await page.evaluate(
    ([method, bytes]) => {
      const handle: unknown = Reflect.get(globalThis, 'latchkey')
      const { getSolanaProvider } = handle as Handle
      const signed = getSolanaProvider({ announce: false })
        .then(async (provider) => {
          const transaction = Uint8Array.from(bytes)
          if (method === 'signTransaction') return (await provider[method](transaction)).signedTransaction
          return (await provider[method](transaction)).signature
        })
        .then(
          (result) => ({ signature: [...result] }),
          ({ code }) => ({ code }),
        )
      Reflect.set(globalThis, 'signedBySolana', signed)
    },
    [name, [...transaction]] as const,
  )
  return () => page.evaluate((): Promise<Signed> => Reflect.get(globalThis, 'signedBySolana'))
}

const signTransaction = (page: Page, transaction: Uint8Array) =>
  startTransaction(page, 'signTransaction', transaction)

async function createWallet(page: Page): Promise<string> {
  const { user } = await call(page, 'createSolanaWallet')
  expect(user).toMatchObject({
    chainType: 'solana',
    address: expect.stringMatching(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/),
  })
  return user?.address ?? ''
}

// spec W7.37, W7.40
test('a Solana wallet is created, signs the displayed message, and does so on another device', async ({
  browser,
  host,
  inbox,
  page,
  stack,
}) => {
  test.setTimeout(360_000)
  const own = await createWallet(page)
  const signed = await sign(page, 'Grüße, 🔑')
  await expect(host.dialog.getByRole('group', { name: 'Message' })).toContainText('Grüße, 🔑')
  await expect(host.dialog.getByTitle(own)).toBeVisible()
  await expect(host.approveButton).toHaveAttribute('data-gate', 'armed')
  await expectNoViolations(page, 'a message for a Solana wallet')
  await host.approve()
  expect(await isSignedMessage(own, (await signed()).signature, 'Grüße, 🔑')).toBe(true)
  await host.dialogCloses()

  // spec W7.38, W7.39
  const device = await openDevice(browser)
  const there = new HostPage(await device.newPage(), stack)
  await there.openOneLine()
  await logInByEmail({ page: there.page, host: there, inbox })
  const signedThere = await sign(there.page, 'hello')
  await there.approve()
  expect(await isSignedMessage(own, (await signedThere()).signature, 'hello')).toBe(true)
  await device.close()
})

test('a message that the user rejects is not signed', async ({ host, page }) => {
  await createWallet(page)
  const signed = await sign(page, 'hello')
  await host.approveButton.waitFor()
  await host.escape()
  expect(await signed()).toEqual({ code: 'user_rejected_request' })
})

// spec W3.2, W3.3
test('a second Solana wallet is rejected, and an Ethereum wallet may follow a Solana wallet', async ({
  page,
}) => {
  await createWallet(page)
  expect((await call(page, 'createSolanaWallet')).code).toBe('embedded_wallet_already_exists')
  const { user } = await call(page, 'createWallet')
  expect(user?.chainType).toBe('ethereum')
})

// spec W3.2
test('a user with an Ethereum wallet cannot create a Solana wallet', async ({ page }) => {
  expect((await call(page, 'createWallet')).user?.chainType).toBe('ethereum')
  expect((await call(page, 'createSolanaWallet')).code).toBe('embedded_wallet_already_exists')
})

test.describe('in an app with solana_beside_ethereum', () => {
  test.use({ settings: ['embedded_wallet_config.create_on_login=off', 'solana_beside_ethereum=true'] })

  test('the Ethereum wallet derives a Solana address, which signs on this device and on another', async ({
    browser,
    host,
    inbox,
    page,
    stack,
  }) => {
    test.setTimeout(360_000)
    expect((await call(page, 'createWallet')).user?.chainType).toBe('ethereum')
    const own = await createWallet(page)
    const signed = await sign(page, 'hello')
    await host.approve()
    expect(await isSignedMessage(own, (await signed()).signature, 'hello')).toBe(true)
    await host.dialogCloses()

    const device = await openDevice(browser)
    const there = new HostPage(await device.newPage(), stack)
    await there.openOneLine()
    await logInByEmail({ page: there.page, host: there, inbox })
    const signedThere = await sign(there.page, 'hello')
    await there.approve()
    expect(await isSignedMessage(own, (await signedThere()).signature, 'hello')).toBe(true)
    await device.close()
  })
})

// spec W8.39
test('a Solana wallet signs only messages in an app without RPC nodes of Solana', async ({ page }) => {
  const own = await createWallet(page)
  const refused = await page.evaluate(async () => {
    const handle: unknown = Reflect.get(globalThis, 'latchkey')
    const { getSolanaProvider } = handle as Handle
    const provider = await getSolanaProvider({ announce: false })
    return provider
      .request({ method: 'signTransaction', params: {} })
      .catch(({ code, message }) => ({ code, message }))
  })
  expect(refused).toEqual({
    code: 'not_supported',
    message: 'Embedded Solana provider does not yet support this RPC method.',
  })
  expect(await (await signTransaction(page, transfer(own, 1n)))()).toEqual({ code: 'not_supported' })
})

test.describe('in an app with RPC nodes of Solana', () => {
  test.use({
    settings: ['embedded_wallet_config.create_on_login=off', 'solana_rpc_urls.devnet=[{solana}]'],
  })

  test('a transfer is sent to the node of the app after its approval, and a second one lacks funds', async ({
    host,
    page,
    stack,
  }) => {
    const rpc = createSolanaRpc(devnet(await stack.startSolana()))
    const own = await createWallet(page)
    await rpc.requestAirdrop(address(own), lamports(20_000_000n)).send()
    const before = (await rpc.getBalance(address(recipient)).send()).value
    async function send(amount: bigint) {
      const { value: latest } = await rpc.getLatestBlockhash().send()
      const sent = await startTransaction(
        page,
        'signAndSendTransaction',
        transfer(own, amount, latest.blockhash),
      )
      await host.approve()
      return sent()
    }
    const { signature } = await send(12_000_000n)
    expect(signature).toHaveLength(64)
    await host.dialogCloses()
    expect((await rpc.getBalance(address(recipient)).send()).value).toBe(before + 12_000_000n)
    expect(await send(10_000_000n)).toEqual({ code: 'insufficient_funds' })
  })

  test('a transfer is described on the card and signed there', async ({ host, page }) => {
    const own = await createWallet(page)
    const transaction = transfer(own, 10_000_000n)
    const signed = await signTransaction(page, transaction)
    await expect(host.dialog.getByText(`Send 0.01 SOL to ${recipient}.`)).toBeVisible()
    await expect(host.dialog.getByText('The fees are at most 0.000005 SOL.')).toBeVisible()
    await expect(host.approveButton).toHaveAttribute('data-gate', 'armed')
    await expectNoViolations(page, 'a Solana transaction')
    await host.approve()
    expect(await isSignedTransaction(own, (await signed()).signature, transaction)).toBe(true)
  })

  test('a call that cannot be described is approved on the page', async ({ host, page }) => {
    const own = await createWallet(page)
    const transaction = unknownCall(own, widestAddress)
    const signed = await signTransaction(page, transaction)
    const opened = await openPage(host, page.context())
    const warning = 'We cannot tell what the program JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4 does here.'
    await expect(opened.getByText(warning)).toBeVisible()
    await opened.setViewportSize({ width: 390, height: 700 })
    await expect(opened.getByText(`Send 0.000000001 SOL to ${widestAddress}.`)).toBeVisible()
    expect(await opened.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0)
    await confirm(opened, 'Sign and continue')
    expect(await isSignedTransaction(own, (await signed()).signature, transaction)).toBe(true)
  })
})

test.describe('in an app with sponsored_clusters', () => {
  test.use({
    settings: [
      'embedded_wallet_config.create_on_login=off',
      'solana_rpc_urls.devnet=[{solana}]',
      'sponsored_clusters=["devnet"]',
    ],
  })

  test('a wallet without SOL sends tokens after an approval on the page', async ({ host, page, stack }) => {
    const rpc = createSolanaRpc(devnet(await stack.startSolana()))
    const payer = await fundRelay(rpc)
    const own = await createWallet(page)
    const { mint, getBalance } = await giveTokens(rpc, own, 500n)
    const { value: latest } = await rpc.getLatestBlockhash().send()
    const transaction = await tokenTransfer(own, mint, 200n, latest.blockhash)
    const sent = await startTransaction(page, 'signAndSendTransaction', transaction)
    const confirmation = await openPage(host, page.context())
    await expect(confirmation.getByText(`The fees are paid by ${payer}.`)).toBeVisible()
    await confirm(confirmation, 'Sign and continue')
    expect((await sent()).signature).toHaveLength(64)
    expect([await getBalance(own), await getBalance(recipient)]).toEqual([300n, 200n])
    expect((await rpc.getBalance(address(own)).send()).value).toBe(0n)
  })
})

test('a Solana wallet is announced by the Wallet Standard if the page enables it', async ({ host, page }) => {
  const own = await createWallet(page)
  await page.evaluate(() => {
    type Wallet = {
      name: string
      accounts: readonly { address: string }[]
      features: Readonly<
        Record<string, { signMessage: (input: object) => Promise<readonly { signature: Uint8Array }[]> }>
      >
    }
    const wallets: Wallet[] = []
    const api = { register: (wallet: Wallet) => void wallets.push(wallet) }
    addEventListener('wallet-standard:register-wallet', (event) => Reflect.get(event, 'detail')(api))
    Reflect.set(globalThis, 'wallets', wallets)
    Reflect.set(globalThis, 'signByStandard', async (text: string) => {
      const [wallet] = wallets
      const message = new TextEncoder().encode(text)
      const input = { account: wallet?.accounts[0], message }
      const [output] = (await wallet?.features['solana:signMessage']?.signMessage(input)) ?? []
      return { signature: [...(output?.signature ?? [])] }
    })
  })
  const announced = () =>
    page.evaluate((): { name: string; addresses: string[] }[] =>
      Reflect.get(globalThis, 'wallets').map(
        ({ name, accounts }: { name: string; accounts: { address: string }[] }) => ({
          name,
          addresses: accounts.map((account) => account.address),
        }),
      ),
    )
  const ask = (announce: boolean) =>
    page.evaluate(async (given) => {
      const handle: unknown = Reflect.get(globalThis, 'latchkey')
      const { getSolanaProvider } = handle as Handle
      return (await getSolanaProvider({ announce: given })).address
    }, announce)
  expect(await ask(false)).toBe(own)
  expect(await announced()).toEqual([])
  await ask(true)
  await ask(true)
  expect(await announced()).toEqual([{ name: expect.stringMatching(/./), addresses: [own] }])

  await page.evaluate(() => {
    Reflect.set(globalThis, 'signedBySolana', Reflect.get(globalThis, 'signByStandard')('hello'))
  })
  await host.approve()
  const { signature } = await page.evaluate((): Promise<Signed> => Reflect.get(globalThis, 'signedBySolana'))
  expect(await isSignedMessage(own, signature, 'hello')).toBe(true)
})
