/** Key import: only the import page sees the key. */
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { recoverMessageAddress } from 'viem/utils'
import { onAnotherSite } from '../pages/another-site.ts'
import { expectNoViolations } from '../pages/axe.ts'
import { getFiles, signInAs } from '../pages/cloud-window.ts'
import { approveExport, openExport, reveal } from '../pages/export-window.ts'
import type { HostPage } from '../pages/host-page.ts'
import { watchTraces } from '../pages/key-traces.ts'
import { beginCall, logInByEmail } from '../pages/page-calls.ts'
import { pressGated } from '../pages/pointer.ts'
import { forms } from '../pages/recorded-messages.ts'
import { choosePassword, openWindow, recoverWith, setButton } from '../pages/recovery-window.ts'
import { appId, type Stack } from '../stack/stack.ts'
import { expect, test } from '../test.ts'

type Ended = {
  user?: { address?: string; imported?: boolean; signature?: string }
  code?: string
}
const begin = beginCall<Ended>
const creation = 'embedded_wallet_config.create_on_login'

test.slow()

test.use({ settings: [`${creation}=off`] })
test.beforeEach(async ({ host, inbox, page }) => {
  await host.openOneLine()
  await logInByEmail({ page, host, inbox })
})

const heading = (host: HostPage, name: string) => host.dialog.getByRole('heading', { name, exact: true })
const keyPage = (host: HostPage) => host.dialog.frameLocator('iframe[title="Private key or seed phrase"]')
const keyField = (host: HostPage) => keyPage(host).getByLabel('Private key')

/** Imports a key like a person: types it, checks the address, and confirms. */
async function bring(host: HostPage, key: string, address: string) {
  await keyField(host).fill(key)
  await keyField(host).press('Enter')
  await confirm(host, address)
}
async function confirm(host: HostPage, address: string) {
  await expect(keyPage(host).getByText(address)).toBeVisible()
  await pressGated(keyPage(host).getByRole('button', { name: 'Import this wallet' }))
  await expect(heading(host, 'Wallet imported')).toBeVisible()
}

/** Checks that the wallet signs with the imported key. */
async function expectItSigns(host: HostPage, address: string) {
  const signed = await begin(host.page, 'signMessage', 'hello')
  await host.approve()
  const { user } = await signed()
  const signature = (user?.signature ?? '0x') as `0x${string}`
  expect(await recoverMessageAddress({ message: 'hello', signature })).toBe(address)
  await host.dialogCloses()
}

// spec W7.25, W2.27
test('an imported key signs, is the only one, is recovered on another site, and is exported unchanged', async ({
  context,
  host,
  inbox,
  page,
  stack,
}) => {
  const key = generatePrivateKey()
  const imported = await begin(page, 'importWallet')
  await expect(heading(host, 'Import wallet')).toBeVisible()
  const { address } = privateKeyToAccount(key)
  await expect(keyField(host)).toBeVisible()
  await expectNoViolations(page, 'a field for a key')
  await keyField(host).fill(key)
  await keyPage(host).getByRole('button', { name: 'Continue' }).click()
  await expect(keyPage(host).getByText(address)).toBeVisible()
  await expectNoViolations(page, 'the address of a key')
  await confirm(host, address)
  expect(await imported()).toMatchObject({ user: { address, imported: true } })
  await host.dialogCloses()
  await expectItSigns(host, address)
  for (const method of ['importWallet', 'createWallet'] as const) {
    expect(await (await begin(page, method))()).toEqual({ code: 'embedded_wallet_already_exists' })
  }

  const there = await onAnotherSite(await context.newPage(), stack, inbox)
  await expectItSigns(there, address)

  await begin(there.page, 'exportWallet')
  const shown = await openExport(there)
  await approveExport(shown)
  expect(await reveal(shown, 'private key', 'key')).toBe(key)
  await expect(shown.getByRole('button', { name: 'Show seed phrase' })).toHaveCount(0)
})

test('a text that is no key shows an error and clears the field at once', async ({ host, page }) => {
  const imported = await begin(page, 'importWallet')
  const frame = keyPage(host)
  for (const [text, problem] of [
    ['not a key at all!', /^This is not a private key/],
    [`0x${'ab'.repeat(31)}`, /^This is too short or too long/],
    ['f'.repeat(64), 'No wallet can have this private key.'],
  ] as const) {
    await keyField(host).fill(text)
    await frame.getByRole('button', { name: 'Continue' }).click()
    await expect(frame.getByRole('alert')).toHaveText(problem)
    await expect(keyField(host)).toHaveValue('')
    await expect(keyField(host)).toBeFocused()
  }
  await expectNoViolations(page, 'a key that is none')

  await keyField(host).fill(generatePrivateKey())
  await expect(keyField(host)).toHaveCSS('-webkit-text-security', 'disc')
  await frame.getByRole('button', { name: 'Show', exact: true }).click()
  await expect(keyField(host)).toHaveCSS('-webkit-text-security', 'none')
  await keyField(host).press('Enter')
  // Chromium discards input to a frame that moved within the last 500 ms.
  await frame.locator('[data-gate=armed], [data-gate=ready]').waitFor()
  await frame.getByRole('button', { name: 'Use another wallet' }).click()
  await expect(keyField(host)).toHaveValue('')
  await host.dialog.getByRole('button', { name: 'Cancel' }).click()
  expect(await imported()).toEqual({ code: 'user_rejected_request' })
  await host.dialogCloses()
})

// BIP-39: words of the Japanese list are separated by ideographic spaces.
test('a seed phrase of another wallet is imported with the chosen account, and signs', async ({
  context,
  host,
  page,
  stack,
}) => {
  const phrase =
    'ざいげん　めんせき　にっさん　へいおん　うけたまわる　かわら　あつい　ねほりはほり　やさしい　てみじか　こんや　あんい'
  const address = '0x3f03aEe9d50947cF9aC11b197688588e739e62bF'
  const watched = await watchTraces({ context, page, stack })
  const imported = await begin(page, 'importWallet')
  const frame = keyPage(host)
  await keyField(host).fill(phrase.replace('あんい', 'あんいい'))
  await frame.getByRole('button', { name: 'Continue' }).click()
  await expect(frame.getByRole('alert')).toHaveText(/あんいい.* is not in the word list/)
  await expectNoViolations(page, 'a seed phrase with a mistake')
  await keyField(host).fill(phrase)
  await frame.getByLabel('Passphrase').fill('TREZOR')
  await frame.getByRole('button', { name: 'Continue' }).click()
  await frame.getByLabel('Account', { exact: true }).selectOption('Account 10 · 0x3f03…62bF')
  await expectNoViolations(page, 'the accounts of a seed phrase')
  await confirm(host, address)
  expect(await imported()).toMatchObject({ user: { address, imported: true } })
  await host.dialogCloses()
  await watched.recordDocuments()
  const traces = await watched.all()
  expect(traces.filter(({ text }) => text.includes('うけたまわる')).map(({ where }) => where)).toEqual([])
  await expectItSigns(host, address)
})

// The frame knows the height of the page only from the page's messages.
test('the card fits the height of its import page, without space below the last button', async ({
  host,
  page,
}) => {
  await begin(page, 'importWallet')
  const frame = keyPage(host)
  const spaceBelow = async (name: string) => {
    const page = await host.dialog.locator('iframe[title="Private key or seed phrase"]').boundingBox()
    const button = await frame.getByRole('button', { name }).boundingBox()
    if (!page || !button) throw new Error('No import page found')
    return page.y + page.height - button.y - button.height
  }
  await expect.poll(() => spaceBelow('Continue')).toBeLessThan(20)
  await expect.poll(() => spaceBelow('Continue')).toBeGreaterThan(2)
  await keyField(host).fill('test test test test test test test test test test test junk')
  await expect.poll(() => spaceBelow('Continue')).toBeLessThan(20)
  await expect.poll(() => spaceBelow('Continue')).toBeGreaterThan(2)
  await frame.getByRole('button', { name: 'Continue' }).click()
  await expect.poll(() => spaceBelow('Clear clipboard')).toBeLessThan(20)
  await expect.poll(() => spaceBelow('Clear clipboard')).toBeGreaterThan(2)
})

test("a key of the host page is rejected unless the operator allows it, and then needs the user's approval", async ({
  host,
  page,
  stack,
}) => {
  const key = generatePrivateKey()
  const { address } = privateKeyToAccount(key)
  expect(await (await begin(page, 'importWallet', key))()).toEqual({ code: 'not_supported' })
  await expect(host.dialog.locator('iframe[title="Private key or seed phrase"]')).toHaveCount(0)
  await stack.app('set', appId, 'embedded_wallet_config.host_key_import=true')
  await page.reload()
  await page.waitForFunction('window.latchkey')
  expect(await (await begin(page, 'importWallet', `${key}00`))()).toEqual({ code: 'invalid_data' })
  await host.dialogCloses()
  const imported = await begin(page, 'importWallet', key)
  await expect(keyField(host)).toHaveCount(0)
  await confirm(host, address)
  expect(await imported()).toMatchObject({ user: { address, imported: true } })
  await host.dialogCloses()
})

test('a typed key leaks to no message, URL, storage or log', async ({ context, host, page, stack }) => {
  const watched = await watchTraces({ context, page, stack })
  const key = generatePrivateKey()
  const { address } = privateKeyToAccount(key)
  await begin(page, 'importWallet')
  await keyField(host).fill(key)
  await keyField(host).press('Enter')
  await expect(keyPage(host).getByText(address)).toBeVisible()
  await watched.recordDocuments()
  await confirm(host, address)
  const isThere = () => page.frames().some((frame) => frame.url().includes('/embedded-wallets/import'))
  await expect.poll(isThere).toBe(false)
  await watched.recordDocuments()
  const traces = await watched.all()

  // It occurs only on its way from the page to the vault.
  const ascii = [...Buffer.from(key)].join()
  const toVault = traces.filter(({ text }) => text.includes(ascii))
  expect(new Set(toVault.map(({ where }) => where))).toEqual(new Set([`sent by ${stack.walletOrigin}`]))
  const secrets = [key.slice(2), ...forms(Buffer.from(key.slice(2), 'hex'))]
  const hits = traces.filter(({ text }) => secrets.some((one) => text.includes(one)))
  expect(hits.map(({ where }) => where)).toEqual([])
})

test.describe('with a recovery method to choose first', () => {
  const wallets = 'embedded_wallet_config'
  const chosen = (required: boolean, options: readonly string[]) => [
    `${wallets}.require_user_owned_recovery_on_create=${required}`,
    `${wallets}.user_owned_recovery_options=${JSON.stringify(options)}`,
  ]
  const keep = (stack: Stack, ...options: readonly string[]) =>
    stack.app('set', appId, ...chosen(true, options))
  const reload = async (host: HostPage) => {
    await host.page.reload()
    await host.page.waitForFunction('window.latchkey')
  }

  // spec W1.1, W7.25
  test('an import starts with a password, which recovers the wallet on another site', async ({
    context,
    host,
    inbox,
    page,
    stack,
  }) => {
    await keep(stack, 'user-passcode')
    await reload(host)
    const key = generatePrivateKey()
    const { address } = privateKeyToAccount(key)
    const password = 'correct-horse-battery-staple'
    const imported = await begin(page, 'importWallet')
    const window = await openWindow(host)
    await choosePassword(window, password)
    await setButton(window).click()
    await bring(host, key, address)
    expect(await imported()).toMatchObject({ user: { address, imported: true } })
    await host.dialogCloses()
    await expectItSigns(host, address)

    const there = await onAnotherSite(await context.newPage(), stack, inbox)
    const signed = await begin(there.page, 'signMessage', 'hello')
    await recoverWith(there, password)
    await there.approve()
    const signature = ((await signed()).user?.signature ?? '0x') as `0x${string}`
    expect(await recoverMessageAddress({ message: 'hello', signature })).toBe(address)
  })

  test('an import into Google Drive stores the file before the wallet exists, and leaves nothing if it is cancelled', async ({
    context,
    host,
    page,
    somebody,
    stack,
  }) => {
    await keep(stack, 'google-drive')
    await reload(host)
    const key = generatePrivateKey()
    const { address } = privateKeyToAccount(key)
    const left = await begin(page, 'importWallet')
    await signInAs(context, host, somebody)
    await expect(keyField(host)).toBeVisible()
    await host.dialog.getByRole('button', { name: 'Cancel' }).click()
    expect(await left()).toEqual({ code: 'user_rejected_request' })
    await host.dialogCloses()

    const imported = await begin(page, 'importWallet')
    await signInAs(context, host, somebody)
    await bring(host, key, address)
    expect(await imported()).toMatchObject({ user: { address, imported: true } })
    const named = (await getFiles(stack.sandboxUrl, 'google-drive')).filter(({ name }) =>
      name.includes(address),
    )
    expect(named).toHaveLength(1)
    await host.dialogCloses()
    await expectItSigns(host, address)
  })
})
