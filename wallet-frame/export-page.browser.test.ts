/** The built page that shows a key, beside the built wallet frame: real windows, workers, storage and policies. */
import type { Frame } from 'playwright'
import { mnemonicToAccount, privateKeyToAccount } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import { begin, call, pageAt, pageUrl, press, withOwnPages } from './testing/own-pages.ts'
import { describeSilence } from './testing/silence.ts'

const visit = await withOwnPages(4340)
const { tokenFor, addFrame, complaints } = visit
const exportPath = pageUrl('export')

/** A dialog with a wallet on this device. */
async function openDialog() {
  const { page, dialog } = await visit.openDialog()
  const { id, publicKey } = await begin(dialog)
  const { data } = await call(dialog, 'wallet:create', tokenFor('create', publicKey, { id, step: 1 }))
  return { page, dialog, address: String(data?.address) }
}

/** As the dialog does it: a page, its key, a token for that, and the release. */
async function exportIn(dialog: Frame, address: string, query = '') {
  const { id } = await begin(dialog)
  await addFrame(dialog, exportPath + query)
  const { data } = await call(dialog, 'page:begin', { page: 'export' })
  const token = tokenFor('export', String(data?.publicKey), { id, step: 1 })
  return call(dialog, 'wallet:export', { ...token, address })
}
const secret = (frame: Frame, form: 'key' | 'phrase') => frame.locator(`[data-form=${form}]`)

describe('the page that shows a key', () => {
  // spec W2.26, W2.27
  it('has what gives the address of the wallet, on press, and a complaint of nobody', async () => {
    const { page, dialog, address } = await openDialog()
    expect(await exportIn(dialog, address)).toEqual({ data: {} })
    const frame = pageAt(page, exportPath)
    expect(await frame.locator('body').textContent()).not.toMatch(/0x/)
    await press(frame, 'Show private key')
    await secret(frame, 'key').filter({ hasText: '0x' }).waitFor()
    const key = (await secret(frame, 'key').textContent()) ?? ''
    expect(privateKeyToAccount(key as `0x${string}`).address).toBe(address)
    await press(frame, 'Show seed phrase')
    await secret(frame, 'key').filter({ hasText: 'Hidden' }).waitFor()
    await secret(frame, 'phrase').filter({ hasText: ' ' }).waitFor()
    const phrase = (await secret(frame, 'phrase').textContent()) ?? ''
    expect(mnemonicToAccount(phrase).address).toBe(address)
    expect(await frame.content()).not.toContain(key.slice(2))
    expect(complaints).toEqual([])
  })

  it('hides after a minute what it shows', async () => {
    await visit.context.clock.install()
    const { page: shown, dialog, address } = await openDialog()
    await exportIn(dialog, address)
    const frame = pageAt(shown, exportPath)
    await press(frame, 'Show private key')
    await secret(frame, 'key').filter({ hasText: '0x' }).waitFor()
    await visit.context.clock.fastForward(55_000)
    expect(await secret(frame, 'key').textContent()).toMatch(/^0x/)
    await visit.context.clock.fastForward(5_100)
    await secret(frame, 'key').filter({ hasText: 'Hidden' }).waitFor()
    expect(await frame.content()).not.toMatch(/0x[0-9a-f]{64}/)
    await frame.getByText('Hidden again after one minute').waitFor()
  })

  it('takes colours of its address, and nothing else that stands in their place', async () => {
    const { page, dialog, address } = await openDialog()
    const query = new URLSearchParams({
      surface: '#102030',
      text: 'url(https://elsewhere.example)',
      scheme: 'dark',
      width: '380',
      accent: '#fff;}',
    })
    await exportIn(dialog, address, `?${query}`)
    const style = await pageAt(page, exportPath).evaluate(() =>
      document.documentElement.getAttribute('style'),
    )
    expect(style).toBe('--lk-surface: #102030; color-scheme: dark; max-inline-size: 380px;')
  })

  it('is found at its path alone, by windows of its origin alone', async () => {
    const { page, dialog, address } = await openDialog()
    await addFrame(dialog, `/apps/${'b'.repeat(25)}/embedded-wallets/export`)
    const beginning = call(dialog, 'page:begin', { page: 'export' })
    // What a window of another origin says is of no window that could be the page.
    await dialog.evaluate((origin) => {
      for (let at = 0; at < window.length; at += 1) window[at]?.postMessage({ namespace: 'penpal' }, origin)
    }, visit.stage.originOf('wallet'))
    let isOver = false
    void beginning.then(() => {
      isOver = true
    })
    await call(dialog, 'iframe:ready', {})
    expect(isOver).toBe(false)
    await addFrame(dialog, exportPath)
    const { data } = await beginning
    const { id } = await begin(dialog)
    const token = tokenFor('export', String(data?.publicKey), { id, step: 1 })
    expect(await call(dialog, 'wallet:export', { ...token, address })).toEqual({ data: {} })
    expect(page.workers().filter((worker) => worker.url().includes('/export-vault-'))).toHaveLength(1)
  })

  it('is given nothing that was released to the vault of the frame', async () => {
    const { page, dialog, address } = await openDialog()
    const { id, publicKey } = await begin(dialog)
    await addFrame(dialog, exportPath)
    await call(dialog, 'page:begin', { page: 'export' })
    const token = tokenFor('export', publicKey, { id, step: 1 })
    expect(await call(dialog, 'wallet:export', { ...token, address })).toEqual({ error: 'error' })
    expect(await pageAt(page, exportPath).getByRole('button').count()).toBe(0)
  })
})

describeSilence(visit, async () => {
  const { page, dialog, address } = await openDialog()
  await exportIn(dialog, address)
  const vault = page.workers().find((worker) => worker.url().includes('/export-vault-'))
  if (!vault) throw new Error('The page has no vault')
  return { frame: pageAt(page, exportPath), vault }
})
