/** The built export window and the built wallet frame: real windows, workers, storage and policies. */
import type { Frame, Page } from 'playwright'
import { mnemonicToAccount, privateKeyToAccount } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import { begin, call, digestOf, pageUrl, pressGated, withOwnPages } from './testing/browser/own-pages.ts'
import { describeSilence } from './testing/browser/silence.ts'

const visit = await withOwnPages(4340)
const { tokenFor, openWindow, complaints } = visit
const exportPath = pageUrl('export')
let windows = 0
/** A dark theme of an app. */
const ocean = {
  scheme: 'dark',
  surface: '#0b1e2d',
  raised: '#12293b',
  pressed: '#193449',
  line: '#24435a',
  'control-line': '#7f9db3',
  text: '#eef6fb',
  muted: '#a3bccd',
  accent: '#35c2b0',
  'accent-line': '#35c2b0',
  'accent-pressed': '#52cdbe',
  'on-accent': '#04211d',
  link: '#6fd6c9',
  focus: '#6fd6c9',
  danger: '#ff9c94',
}

/** Opens a dialog with a wallet on this device. */
async function openDialog() {
  const { page, dialog } = await visit.openDialog()
  const { id, publicKey } = await begin(dialog)
  const { data } = await call(dialog, 'wallet:create', tokenFor('create', publicKey, { id, step: 1 }))
  return { page, dialog, address: String(data?.address) }
}

const secret = (window: Page, form: 'key' | 'phrase') => window.locator(`[data-form=${form}]`)
const isShown = (window: Page, name: string) => window.getByRole('button', { name, exact: true }).waitFor()

/** Opens the window as the dialog does, states the key of its vault, and asks the user. */
async function openExport(dialog: Frame, address: string, query = '') {
  windows += 1
  const handle = String(windows).padStart(43, 'e')
  const beginning = call(dialog, 'export:begin', { window: handle, address })
  const window = await openWindow(dialog, `${exportPath}${query}#${handle}`)
  const { data } = await beginning
  const publicKey = String(data?.publicKey)
  return { window, handle, publicKey }
}
async function approve(dialog: Frame, { handle, window }: { handle: string; window: Page }, address: string) {
  const confirmed = call(dialog, 'export:confirm', {
    window: handle,
    userId: visit.userId(),
    handle: 'c'.repeat(43),
    digest: await digestOf({ method: 'export', params: [address] }),
  })
  await pressGated(window, 'Show my key')
  return confirmed
}
/** Returns the release for a token with that key. */
async function release(
  dialog: Frame,
  { handle, publicKey }: { handle: string; publicKey: string },
  address: string,
) {
  const { id } = await begin(dialog)
  const token = tokenFor('export', publicKey, { id, step: 1 })
  return call(dialog, 'wallet:export', { ...token, address, window: handle })
}
async function exportIn(dialog: Frame, address: string) {
  const opened = await openExport(dialog, address)
  expect(await approve(dialog, opened, address)).toHaveProperty('data.statement')
  expect(await release(dialog, opened, address)).toEqual({ data: {} })
  return opened
}

describe('the export window', () => {
  it("stands at the bottom on phones like the dialog's card, and in the middle on desktops", async () => {
    const { dialog, address } = await openDialog()
    const { window } = await exportIn(dialog, address)
    const main = async () => {
      const { x = 0, y = 0, width = 0, height = 0 } = (await window.locator('main').boundingBox()) ?? {}
      return { x, y, width, height, bottom: Math.round(y + height) }
    }
    await window.setViewportSize({ width: 390, height: 900 })
    await expect.poll(main, { timeout: 20_000 }).toMatchObject({ x: 0, width: 390, bottom: 900 })
    await window.setViewportSize({ width: 1_000, height: 900 })
    await expect.poll(async () => (await main()).width, { timeout: 20_000 }).toBe(440)
    const { x, y, width, height } = await main()
    expect(x + width / 2).toBeCloseTo(500, 0)
    expect(y + height / 2).toBeCloseTo(450, 0)
    expect(y).toBeGreaterThan(16)
  })

  it("shows the app's letter and an address that breaks between groups of four digits", async () => {
    const { dialog, address } = await openDialog()
    const { window } = await exportIn(dialog, address)
    const app = window.locator('.app')
    expect(await app.textContent()).toBe('Fieldnotes')
    expect(await app.evaluate((one) => getComputedStyle(one, '::before').content)).toMatch(/^"F"/)
    const groups = await window.locator('dd.mono').evaluate((one) => one.innerHTML.split('<wbr>'))
    expect(groups).toHaveLength(10)
    expect(groups[0]).toMatch(/^0x[0-9a-fA-F]{4}$/)
    for (const group of groups.slice(1)) expect(group).toMatch(/^[0-9a-fA-F]{4}$/)
    expect(groups.join('')).toBe(address)
  })

  // spec W2.26, W2.27
  it('shows the key of the wallet on a press, without a browser complaint', async () => {
    const { dialog, address } = await openDialog()
    const { window } = await exportIn(dialog, address)
    expect(await window.locator('body').textContent()).not.toMatch(/0x[0-9a-f]{64}/)
    await pressGated(window, 'Show private key')
    await isShown(window, 'Hide private key')
    const key = (await secret(window, 'key').textContent()) ?? ''
    expect(privateKeyToAccount(key as `0x${string}`).address).toBe(address)
    await pressGated(window, 'Show seed phrase')
    await isShown(window, 'Hide seed phrase')
    expect(await secret(window, 'key').textContent()).toBe('Hidden')
    expect(mnemonicToAccount((await secret(window, 'phrase').textContent()) ?? '').address).toBe(address)
    expect(await window.content()).not.toContain(key.slice(2))
    expect(complaints).toEqual([])
  })

  // spec W2.26
  it('has the theme colours of its URL', async () => {
    const { dialog, address } = await openDialog()
    const { window } = await openExport(dialog, address, `?${new URLSearchParams({ address, ...ocean })}`)
    const main = window.locator('main')
    await main.waitFor()
    const background = await main.evaluate((element) => getComputedStyle(element).backgroundColor)
    expect(background).toBe('rgb(11, 30, 45)')
    expect(complaints).toEqual([])
  })

  it('shows nothing if its URL names another wallet', async () => {
    const { dialog, address } = await openDialog()
    const { window } = await openExport(dialog, address, `?address=0x${'1'.repeat(40)}`)
    await window.getByRole('heading', { name: 'The app that asked is gone' }).waitFor()
    expect(await window.locator('body').textContent()).not.toContain(address.slice(0, 6))
  })

  it('hides the secret after a minute', async () => {
    const { dialog, address } = await openDialog()
    const { window } = await exportIn(dialog, address)
    await window.clock.install()
    await pressGated(window, 'Show private key')
    await isShown(window, 'Hide private key')
    await window.clock.fastForward(55_000)
    expect(await secret(window, 'key').textContent()).toMatch(/^0x/)
    await window.clock.fastForward(5_100)
    await secret(window, 'key').filter({ hasText: 'Hidden' }).waitFor()
    expect(await window.content()).not.toMatch(/0x[0-9a-f]{64}/)
    await window.getByText('Hidden again after one minute').waitFor()
  })

  it('ignores an incomplete look in its URL', async () => {
    const { dialog, address } = await openDialog()
    const beginning = call(dialog, 'export:begin', { window: 'l'.repeat(43), address })
    const window = await openWindow(dialog, `${exportPath}?surface=%23102030&width=380#${'l'.repeat(43)}`)
    await beginning
    expect(await window.evaluate(() => document.documentElement.getAttribute('style'))).toBeNull()
    // The handle is removed from the URL too.
    expect(new URL(window.url()).hash).toBe('')
  })

  it('receives no share before the user has approved', async () => {
    const { dialog, address } = await openDialog()
    const opened = await openExport(dialog, address)
    expect(await release(dialog, opened, address)).toEqual({ error: 'not_found' })
    expect(await opened.window.locator('[data-form]').count()).toBe(0)
  })

  it("does not open a share that was released to the frame's vault", async () => {
    const { dialog, address } = await openDialog()
    const opened = await openExport(dialog, address)
    await approve(dialog, opened, address)
    const { id, publicKey } = await begin(dialog)
    const token = tokenFor('export', publicKey, { id, step: 1 })
    expect(await call(dialog, 'wallet:export', { ...token, address, window: opened.handle })).toEqual({
      error: 'error',
    })
    expect(await opened.window.locator('[data-form]').count()).toBe(0)
  })

  it('closes with its frame, and the dialog learns when it is closed', async () => {
    const { page, dialog, address } = await openDialog()
    const { window, handle } = await exportIn(dialog, address)
    const closed = call(dialog, 'export:closed', { window: handle })
    await window.close()
    expect(await closed).toEqual({ data: {} })
    const { window: left } = await exportIn(dialog, address)
    await pressGated(left, 'Show private key')
    await isShown(left, 'Hide private key')
    const goes = left.waitForEvent('close')
    await page.reload()
    await goes
  })
})

describeSilence(visit, async () => {
  const { dialog, address } = await openDialog()
  const { window } = await exportIn(dialog, address)
  const vault = window.workers().find((worker) => worker.url().includes('/export-vault-'))
  if (!vault) throw new Error('The window has no vault')
  return { frame: window.mainFrame(), vault }
})
