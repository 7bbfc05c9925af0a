/** Key export: the user gets the key, and nothing else does. */

import { authenticatorApp } from '@latchkey/testing/playwright'
import type { Page } from '@playwright/test'
import { mnemonicToAccount, privateKeyToAccount } from 'viem/accounts'
import { expectNoViolations } from '../pages/axe.ts'
import { approveExport, copy, openExport, reveal } from '../pages/export-window.ts'
import type { HostPage } from '../pages/host-page.ts'
import { watchTraces } from '../pages/key-traces.ts'
import { beginCall, logInByEmail } from '../pages/page-calls.ts'
import { forms } from '../pages/recorded-messages.ts'
import { appId } from '../stack/stack.ts'
import { expect, test } from '../test.ts'

type Ended = { user?: { address?: string } | null; code?: string }
type User = { wallet: { address: string } | null }
const begin = beginCall<Ended>

test.slow()

test.describe.configure({ mode: 'default' })
test.use({ isLoggedIn: true })
test.beforeEach(async ({ host, inbox, isLoggedIn, page }) => {
  await host.openOneLine()
  if (!isLoggedIn) await logInByEmail({ page, host, inbox })
})

const heading = (host: HostPage, name: string) => host.dialog.getByRole('heading', { name, exact: true })

/** Waits for the wallet of a new user, which is created while the card closes. */
async function addressOf(page: Page): Promise<string> {
  const known = () =>
    page.evaluate(async () => {
      const handle: unknown = Reflect.get(globalThis, 'latchkey')
      return (await (handle as { getUser: () => Promise<User> }).getUser()).wallet?.address ?? ''
    })
  await expect.poll(known).toMatch(/^0x[0-9a-fA-F]{40}$/)
  return known()
}

/** Opens the window and approves the export. */
async function approve(host: HostPage): Promise<Page> {
  const window = await openExport(host)
  await approveExport(window)
  return window
}

// spec W2.25, W2.26, W2.27, W4.6
test("the exported key signs for the wallet's address, and is hidden until it is revealed", async ({
  host,
  inbox,
  page,
}) => {
  const address = await addressOf(page)
  const requests: string[] = []
  page.context().on('request', (request) => requests.push(request.url()))
  const exported = await begin(page, 'exportWallet')
  await expect(heading(host, 'Transfer Wallet')).toBeVisible()
  await expect(host.dialog.getByText(/^Never share your private key/)).toBeVisible()
  await expectNoViolations(page, 'the warning of an export')
  const window = await openExport(host)
  await expect(window.getByRole('heading', { name: 'Transfer Wallet' })).toBeVisible()
  await expect(window.getByText(/^Never share your private key/)).toBeVisible()
  await expect(window.getByText(address)).toBeVisible()
  await expectNoViolations(window, 'the question of an export', 'host')
  await approveExport(window)
  await expect(window.getByRole('button', { name: 'Show private key' })).toBeVisible()
  await expect(window.locator('[data-form=key]')).toHaveText('Hidden')
  await expectNoViolations(window, 'a key that is hidden', 'host')
  await expect(heading(host, 'Your key is in the other window')).toBeVisible()
  await expectNoViolations(page, 'a key that is shown elsewhere')

  const before = requests.length
  const key = await reveal(window, 'private key', 'key')
  expect(privateKeyToAccount(key as `0x${string}`).address).toBe(address)
  const phrase = await reveal(window, 'seed phrase', 'phrase')
  expect(mnemonicToAccount(phrase).address).toBe(address)
  await expect(window.locator('[data-form=key]')).toHaveText('Hidden')
  await expectNoViolations(window, 'a phrase that is shown', 'host')
  await window.getByRole('button', { name: 'Hide seed phrase' }).click()
  await expect(window.locator('[data-form=phrase]')).toHaveText('Hidden')
  // Neither the page nor its vault has network access.
  expect(requests.slice(before)).toEqual([])

  const url = new URL(requests.find((asked) => asked.includes('/embedded-wallets/export')) ?? '')
  expect(url.pathname).toBe(`/apps/${appId}/embedded-wallets/export`)
  expect(url.searchParams.has('width')).toBe(false)
  expect(Object.fromEntries(url.searchParams)).toMatchObject({
    client_id: '',
    caid: expect.stringMatching(/.+/),
    lang: 'en',
    address,
    surface: expect.stringMatching(/^#[0-9a-f]{6}$/),
    accent: expect.stringMatching(/^#[0-9a-f]{6}$/),
  })
  await host.dialog.getByRole('button', { name: 'Done' }).click()
  expect(await exported()).not.toHaveProperty('code')
  await host.dialogCloses()
  await expect.poll(() => window.isClosed()).toBe(true)
  expect((await inbox.nextMail()).subject).toMatch(/^The key of your wallet was exported from /)
})

test('a copied key is removed from the clipboard', async ({ context, host, page, stack }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const reader = await context.newPage()
  await reader.goto(stack.hostOrigin)
  await page.bringToFront()
  await begin(page, 'exportWallet')
  const window = await approve(host)
  await window.setViewportSize({ width: 390, height: 844 })
  const key = await reveal(window, 'private key', 'key')
  expect(await window.locator('html').evaluate((html) => html.scrollWidth - html.clientWidth)).toBe(0)
  await expectNoViolations(window, 'a key that is shown on a phone', 'host')
  await copy(window, 'private key')
  expect(await clipboardOf(reader)).toBe(key)
  await window.bringToFront()
  await window.getByRole('button', { name: 'Clear clipboard' }).click()
  await expect(window.getByText('Clipboard cleared')).toBeVisible()
  expect((await clipboardOf(reader)).trim()).toBe('')
})

/** Only the front page can read the clipboard. */
async function clipboardOf(reader: Page): Promise<string> {
  await reader.bringToFront()
  return reader.evaluate(() => navigator.clipboard.readText())
}

test("an export without approval shows nothing and rejects the host's call", async ({ host, page }) => {
  const exported = await begin(page, 'exportWallet')
  const window = await openExport(host)
  await expect(window.getByRole('button', { name: 'Show my key' })).toBeVisible()
  await host.dialog.getByRole('button', { name: 'Cancel' }).click()
  expect(await exported()).toEqual({ code: 'user_rejected_request' })
  await expect.poll(() => window.isClosed()).toBe(true)

  const again = await begin(page, 'exportWallet')
  const another = await openExport(host)
  const closed = another.waitForEvent('close')
  // The window may close before the click returns, which rejects the click.
  await another
    .getByRole('button', { name: 'Cancel' })
    .click()
    .catch(() => {})
  await closed
  expect(await again()).toEqual({ code: 'user_rejected_request' })
  await host.dialogCloses()
})

test('closing the window ends the card, and closing the app closes the window', async ({ host, page }) => {
  const exported = await begin(page, 'exportWallet')
  const window = await approve(host)
  await reveal(window, 'private key', 'key')
  await window.close()
  expect(await exported()).not.toHaveProperty('code')
  await host.dialogCloses()

  await begin(page, 'exportWallet')
  const left = await approve(host)
  await reveal(left, 'private key', 'key')
  const closes = left.waitForEvent('close')
  await page.reload()
  await closes
})

// spec W4.21
test.describe('a user with a second factor', () => {
  test.use({ isLoggedIn: false })
  test('must pass the second factor for an export, and sees nothing before', async ({
    host,
    page,
    stack,
  }) => {
    await stack.app('set', appId, 'mfa_methods=["totp"]')
    await page.reload()
    await page.waitForFunction('window.latchkey')
    const app = await addAuthenticatorApp(host)
    const refused = await begin(page, 'exportWallet')
    const first = await approve(host)
    await page.bringToFront()
    await expect(heading(host, 'Enter verification code')).toBeVisible()
    await expect(first.getByRole('heading', { name: 'Opening your wallet' })).toBeVisible()
    await host.dialog.getByRole('button', { name: 'Not now' }).click()
    await expect(host.dialog.getByText('Verification canceled')).toBeVisible()
    await expect(first.getByRole('heading', { name: 'Your key could not be shown' })).toBeVisible()
    await host.escape()
    expect(await refused()).toEqual({ code: 'missing_or_invalid_mfa' })
    await host.dialogCloses()

    const exported = await begin(page, 'exportWallet')
    const window = await approve(host)
    await page.bringToFront()
    await expect(heading(host, 'Enter verification code')).toBeVisible()
    await host.typeCode(app.code())
    await window.bringToFront()
    const key = await reveal(window, 'private key', 'key')
    expect(privateKeyToAccount(key as `0x${string}`).address).toBe(await addressOf(page))
    await host.dialog.getByRole('button', { name: 'Done' }).click()
    expect(await exported()).not.toHaveProperty('code')
  })
})

async function addAuthenticatorApp(host: HostPage) {
  const { dialog, page } = host
  const enrolled = await begin(page, 'enrollMfa', 'totp')
  await expect(heading(host, 'Scan QR code')).toBeVisible()
  const secret = await dialog.getByText(/^(?:[A-Z2-7]{1,4} ?){4,}$/).textContent()
  const app = authenticatorApp(secret ?? '')
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await host.typeCode(app.code())
  await dialog.getByRole('button', { name: 'Done' }).click()
  expect(await enrolled()).not.toHaveProperty('code')
  await host.dialogCloses()
  return app
}

// spec W2.27
test('a key that was shown and copied leaks to no message, URL, storage or log', async ({
  context,
  host,
  page,
  stack,
}) => {
  const watched = await watchTraces({ context, page, stack })
  await begin(page, 'exportWallet')
  const window = await approve(host)
  const key = await reveal(window, 'private key', 'key')
  await copy(window, 'private key')
  const phrase = await reveal(window, 'seed phrase', 'phrase')
  await watched.recordDocuments()
  const traces = await watched.all()

  const sealed = traces.filter(({ text }) => text.includes('wallet:export'))
  expect(sealed.map(({ where }) => where)).toContain(`heard by ${stack.walletOrigin}`)
  const between = traces.filter(
    ({ where, text }) => /^(sent|heard) by/.test(where) && text.includes('"auth"'),
  )
  expect(new Set(between.map(({ where }) => where.split(' ').at(-1)))).toEqual(new Set([stack.walletOrigin]))
  const bytes = Buffer.from(key.slice(2), 'hex')
  const ascii = [...Buffer.from(key)].join()
  const secrets = [key.slice(2), phrase, ascii, ...forms(bytes)]
  const mayHear = `heard by ${stack.walletOrigin}`
  const hits = traces.filter(
    ({ where, text }) => where !== mayHear && secrets.some((one) => text.includes(one)),
  )
  expect(hits.map(({ where }) => where)).toEqual([])
})
