/** An independent dapp, connected by a pasted link, and the requests that it sends. */
import type { BrowserContext, Page } from '@playwright/test'
import { parseEther } from 'viem'
import { createSiweMessage } from 'viem/siwe'
import { verifyMessage, verifyTypedData } from 'viem/utils'
import { expectNoViolations } from '../pages/axe.ts'
import { confirm, toPage } from '../pages/confirm-page.ts'
import { type Dapp, openDapp } from '../pages/dapp.ts'
import { openWindow } from '../pages/login-window.ts'
import { logInAtProvider } from '../pages/provider-window.ts'
import { createChainClient, someone } from '../pages/transactions.ts'
import { appId } from '../stack/stack.ts'
import { test as base, expect } from '../test.ts'

type Fixtures = { dapp: Dapp; own: Page }
const test = base.extend<Fixtures>({
  dapp: async ({ stack }, use) => {
    const dapp = await openDapp(stack.sandboxUrl)
    await use(dapp)
    await dapp.close()
  },
  /** The user's wallet, on its own page. */
  own: async ({ context, stack, inbox }, use) => {
    const own = await context.newPage()
    await own.goto(`${stack.dialogOrigin}/apps/${appId}/dialog`)
    await logInAtProvider(own, inbox)
    await use(own)
  },
})
test.slow()

const project = 'wallet_connect_cloud_project_id'
test.use({
  settings: [
    'dapp_connections=true',
    `${project}=0123456789abcdef0123456789abcdef`,
    'rpc_urls.31337=[{chain}]',
  ],
})

const hex = (text: string) => `0x${Buffer.from(text).toString('hex')}`

async function connect(own: Page, dapp: Dapp) {
  const { uri, approved } = await dapp.link()
  await own.getByRole('button', { name: 'Connected apps' }).click()
  await own.getByRole('button', { name: 'Connect with a link' }).click()
  await own.getByRole('textbox', { name: 'Link' }).fill(uri)
  await own.getByRole('button', { name: 'Continue' }).click()
  await expect(own.getByRole('heading', { name: 'Connect your wallet?' })).toBeVisible()
  await own.getByRole('button', { name: 'Connect', exact: true }).click()
  await approved
  await expect(own.getByText('Tide Market is connected.')).toBeVisible()
}

/** Opens the confirmation page for a dapp request. */
async function openPage(own: Page, context: BrowserContext): Promise<Page> {
  const opened = await openWindow(context, toPage(own))
  return opened
}

/** Confirms on the page, which then closes and returns to the wallet. */
async function confirmAt(confirmation: Page, own: Page, name: string) {
  // A request may be longer than the window.
  await confirmation.getByRole('button', { name: 'Refuse' }).scrollIntoViewIfNeeded()
  await confirm(confirmation, name)
  await confirmation.waitForEvent('close').catch(() => {})
  await own.bringToFront()
}

const typedData = {
  types: {
    EIP712Domain: [
      { name: 'name', type: 'string' },
      { name: 'chainId', type: 'uint256' },
    ],
    Order: [
      { name: 'item', type: 'string' },
      { name: 'count', type: 'uint256' },
    ],
  },
  primaryType: 'Order',
  domain: { name: 'Tide Market', chainId: 31337 },
  message: { item: 'A lamp', count: '2' },
} as const

test('a linked dapp gets messages, typed data and transactions confirmed on the wallet page', async ({
  context,
  dapp,
  own,
  stack,
}) => {
  await connect(own, dapp)
  const address = dapp.address()
  const message = 'Signed for a dapp'
  const signed = dapp.ask('personal_sign', [hex(message), address])
  const confirmation = await openPage(own, context)
  await expect(confirmation.getByText('Tide Market', { exact: true })).toBeVisible()
  await expect(confirmation.getByText('market.tides.example', { exact: true })).toBeVisible()
  await expect(confirmation.getByText(/nobody has verified that/)).toBeVisible()
  await expectNoViolations(confirmation, 'The page, for a dapp', 'host')
  await confirmAt(confirmation, own, 'Sign and continue')
  expect(await verifyMessage({ address, message, signature: await signed })).toBe(true)

  const ordered = dapp.ask('eth_signTypedData_v4', [address, JSON.stringify(typedData)])
  await confirmAt(await openPage(own, context), own, 'Sign and continue')
  const { EIP712Domain: _, ...types } = typedData.types
  const order = { ...typedData.message, count: 2n }
  const signature = await ordered
  expect(await verifyTypedData({ address, ...typedData, types, message: order, signature })).toBe(true)

  const chain = createChainClient(stack.chainUrl)
  await chain.setAutomine(true)
  await chain.setBalance({ address, value: parseEther('1') })
  const before = await chain.getBalance({ address: someone })
  // Even an amount that a card may approve goes to the page.
  const sent = dapp.ask('eth_sendTransaction', [{ from: address, to: someone, value: '0x2386f26fc10000' }])
  await confirmAt(await openPage(own, context), own, 'Submit')
  expect(await sent).toMatch(/^0x[0-9a-f]{64}$/)
  await expect.poll(() => chain.getBalance({ address: someone })).toBe(before + parseEther('0.01'))
})

test("a login message is signed only for the dapp's own address, and a refusal is returned", async ({
  context,
  dapp,
  own,
}) => {
  await connect(own, dapp)
  const address = dapp.address()
  const logIn = (host: string) =>
    createSiweMessage({
      address,
      chainId: 31337,
      domain: host,
      nonce: 'a1b2c3d4e5',
      uri: `https://${host}/`,
      version: '1',
    })
  const message = logIn('market.tides.example')
  const signed = dapp.ask('personal_sign', [hex(message), address])
  const confirmation = await openPage(own, context)
  await expect(confirmation.getByText(/^This logs you in at market\.tides\.example\./)).toBeVisible()
  await confirmAt(confirmation, own, 'Sign and continue')
  expect(await verifyMessage({ address, message, signature: await signed })).toBe(true)

  const elsewhere = dapp.ask('personal_sign', [hex(logIn('bank.example')), address])
  await expect(own.getByRole('heading', { name: 'This request was blocked' })).toBeVisible()
  await expect(own.getByText(/^This message logs you in at bank\.example/)).toBeVisible()
  await expect(elsewhere).rejects.toMatchObject({ code: -32_602 })

  // After a blocked request the next one is shown.
  const refused = dapp.ask('personal_sign', [hex('No'), address])
  const page = await openPage(own, context)
  await page.getByRole('button', { name: 'Refuse' }).click()
  await expect(refused).rejects.toMatchObject({ code: 4001 })
})

test('a connection is listed, survives a reload, and can be ended by its user', async ({
  context,
  dapp,
  own,
}) => {
  await connect(own, dapp)
  await expect(own.getByRole('listitem').filter({ hasText: 'market.tides.example' })).toBeVisible()
  await expectNoViolations(own, 'Connected apps, with a dapp', 'host')
  await own.reload()
  // Requests appear automatically, on any screen.
  const message = 'After a reload'
  const signed = dapp.ask('personal_sign', [hex(message), dapp.address()])
  await confirmAt(await openPage(own, context), own, 'Sign and continue')
  expect(await verifyMessage({ address: dapp.address(), message, signature: await signed })).toBe(true)

  const closed = dapp.ask('personal_sign', [hex('Not this'), dapp.address()])
  await expect(own.getByText('Not this')).toBeVisible()
  await own.getByRole('button', { name: 'Close' }).click()
  await expect(closed).rejects.toMatchObject({ code: 4001 })

  await own.getByRole('button', { name: 'Connected apps' }).click()
  await own.getByRole('button', { name: 'Disconnect' }).click()
  const asking = own.locator('[data-leaving="false"]', {
    has: own.getByRole('heading', { name: 'Disconnect Tide Market?' }),
  })
  await asking.getByRole('button', { name: 'Disconnect' }).click()
  await expect(own.getByText('Tide Market is disconnected.')).toBeVisible()
  await expect.poll(() => dapp.ended().length).toBe(1)
})

test('a connection ends when the dapp ends it, and when its user logs out', async ({ dapp, own, stack }) => {
  await connect(own, dapp)
  const row = own.getByRole('listitem').filter({ hasText: 'market.tides.example' })
  await expect(row).toBeVisible()
  await dapp.leave()
  await expect(row).toHaveCount(0)

  const another = await openDapp(stack.sandboxUrl)
  const { uri } = await another.link()
  await own.getByRole('button', { name: 'Connect with a link' }).click()
  await own.getByRole('textbox', { name: 'Link' }).fill('https://market.tides.example/')
  await own.getByRole('button', { name: 'Continue' }).click()
  await expect(own.getByRole('alert')).toHaveText(/^This is not a WalletConnect link/)
  await expectNoViolations(own, 'The link of a dapp', 'host')
  await own.getByRole('textbox', { name: 'Link' }).fill(uri)
  await own.getByRole('button', { name: 'Continue' }).click()
  await expect(own.getByRole('heading', { name: 'Connect your wallet?' })).toBeVisible()
  await expectNoViolations(own, 'A dapp that asks', 'host')
  await own.getByRole('button', { name: 'Connect', exact: true }).click()
  await expect(row).toBeVisible()
  await own.getByRole('button', { name: 'Back' }).click()
  await own.getByRole('button', { name: /log out/i }).click()
  await expect.poll(() => another.ended().length).toBe(1)
  const left = () =>
    own.evaluate(async () => {
      const kept = (await indexedDB.databases()).filter(({ name }) => name?.includes('dapps-'))
      const counts = kept.map(
        ({ name = '' }) =>
          new Promise<number>((resolve) => {
            const opening = indexedDB.open(name)
            opening.onsuccess = () => {
              const asked = opening.result.transaction('connections').objectStore('connections').count()
              asked.onsuccess = () => resolve(asked.result)
            }
          }),
      )
      return Promise.all(counts)
    })
  await expect.poll(left).toEqual([0])
  await another.close()
})
