/** The built import page next to the built wallet frame: real windows, workers, storage and policies. */
import type { Frame } from 'playwright'
import { generatePrivateKey, mnemonicToAccount, privateKeyToAccount } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import {
  begin,
  call,
  digestOf,
  pageAt,
  pageUrl,
  press,
  pressGated,
  withOwnPages,
} from './testing/browser/own-pages.ts'
import { describeSilence } from './testing/browser/silence.ts'
import { sealKeyText } from './testing/server/sealing-server.ts'

const visit = await withOwnPages(4345)
const { tokenFor, addFrame, complaints } = visit
const importPath = pageUrl('import')
const phrase = 'test test test test test test test test test test test junk'

/** Opens the page as the dialog does and asks for a key, which the user types there. */
async function openPage(query = '') {
  const { page, dialog } = await visit.openDialog()
  await addFrame(dialog, importPath + query)
  await call(dialog, 'page:begin', { page: 'import' })
  const answer = call(dialog, 'page:key', {})
  // Ignores the answer of a user who never accepts, after the test has ended.
  answer.catch(() => {})
  const frame = pageAt(page, importPath)
  await field(frame).waitFor()
  return { page, dialog, frame, answer }
}
/** Opens the page as the dialog does for a key of the host page. */
async function openForHostKey() {
  const { page, dialog } = await visit.openDialog()
  await addFrame(dialog, importPath)
  const { data } = await call(dialog, 'page:begin', { page: 'import' })
  return { page, dialog, publicKey: String(data?.publicKey) }
}
const field = (frame: Frame) => frame.locator('#key')

/** Types the key and returns the shown address. */
async function bring(frame: Frame, key: string) {
  await field(frame).fill(key)
  await press(frame, 'Continue')
  return review(frame)
}

/** Chromium discards input to a frame that samples its visibility and moved within the last 500 ms. */
async function review(frame: Frame) {
  await frame.locator('[data-gate=armed], [data-gate=ready]').waitFor()
  return frame.locator('.address').textContent()
}

async function importIn(dialog: Frame, address: string) {
  const { id, publicKey } = await begin(dialog)
  const token = tokenFor('import', publicKey, { id, step: 1 })
  return call(dialog, 'wallet:import', { ...token, address })
}

/** Returns all text that could contain the key: the document and the field. */
const textOf = async (frame: Frame) => (await frame.content()) + (await field(frame).inputValue())

describe('the import page', () => {
  // spec W7.25
  it('shows the address, and creates the wallet of the key after the user accepted it', async () => {
    const key = generatePrivateKey()
    const { address } = privateKeyToAccount(key)
    const { dialog, frame, answer } = await openPage()
    expect(await bring(frame, key)).toBe(address)
    expect(await frame.content()).not.toContain(key.slice(2))
    await pressGated(frame, 'Import this wallet')
    expect(await answer).toEqual({ data: { address } })
    expect(await importIn(dialog, address)).toMatchObject({ data: { address, onDevice: true } })
    const { id, publicKey } = await begin(dialog)
    expect(
      await call(dialog, 'wallet:connect', { ...tokenFor('connect', publicKey, { id, step: 1 }), address }),
    ).toEqual({ data: { address } })
    expect(complaints).toEqual([])
  })

  it('clears the typed text with the press that reads it, valid or not', async () => {
    const { frame } = await openPage()
    for (const [typed, problem] of [
      [`${'ab'.repeat(30)}zz`, /^This is not a private key/],
      ['f'.repeat(64), 'No wallet can have this private key.'],
    ] as const) {
      await field(frame).fill(typed)
      await field(frame).press('Enter')
      await frame.getByRole('alert').filter({ hasText: problem }).waitFor()
      expect(await textOf(frame)).not.toContain(typed)
      expect(await field(frame).evaluate((input) => document.activeElement === input)).toBe(true)
    }
    const key = generatePrivateKey()
    await bring(frame, key)
    await press(frame, 'Use another wallet')
    expect(await textOf(frame)).not.toContain(key.slice(2))
  })

  it('imports the account of a seed phrase that the user chose, and no other', async () => {
    const { dialog, frame, answer } = await openPage()
    expect(await bring(frame, phrase)).toBe('0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266')
    expect(await frame.content()).not.toContain('junk')
    expect(await frame.getByLabel('Account', { exact: true }).locator('option').count()).toBe(10)
    await frame.getByLabel('Account', { exact: true }).selectOption('Account 2 · 0x7099…79C8')
    const address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
    expect(await frame.locator('.address').textContent()).toBe(address)
    await pressGated(frame, 'Import this wallet')
    expect(await answer).toEqual({ data: { address } })
    expect(await importIn(dialog, address)).toMatchObject({ data: { address, onDevice: true } })
    expect(complaints).toEqual([])
  })

  it('accepts the passphrase of a seed phrase, and shows no such field for a key', async () => {
    const { frame } = await openPage()
    const passphrase = frame.getByLabel('Passphrase')
    await field(frame).fill('f'.repeat(64))
    expect(await passphrase.isVisible()).toBe(false)
    await field(frame).fill(phrase)
    await passphrase.fill('TREZOR')
    await passphrase.press('Enter')
    const { address } = mnemonicToAccount(phrase, { passphrase: 'TREZOR' })
    expect(await review(frame)).toBe(address)
    await press(frame, 'Use another wallet')
    expect(await passphrase.inputValue()).toBe('')
    expect(await passphrase.isVisible()).toBe(false)
  })

  it('explains the problem of an invalid seed phrase, and keeps it in the field', async () => {
    const { frame } = await openPage()
    for (const [typed, problem] of [
      [phrase.replace('junk', ''), 'A seed phrase has 12, 15, 18, 21 or 24 words. This one has 11.'],
      [phrase.replace('junk', 'junkk'), /^"\u2068junkk\u2069" is not in the word list/],
      [phrase.replace('junk', 'test'), /^These words do not form a seed phrase/],
    ] as const) {
      await field(frame).fill(typed)
      await field(frame).press('Enter')
      await frame.getByRole('alert').filter({ hasText: problem }).waitFor()
      expect(await field(frame).inputValue()).toBe(typed)
      expect(await field(frame).evaluate((area) => document.activeElement === area)).toBe(true)
    }
    await field(frame).fill(phrase.replace('junk', 'junkk'))
    await field(frame).press('Enter')
    await frame.getByRole('alert').filter({ hasText: 'junkk' }).waitFor()
    await field(frame).pressSequentially('junk')
    await field(frame).press('Enter')
    await frame.locator('.address').waitFor()
  })

  it('disables saving, autocompletion and spell checking of the typed text', async () => {
    const { frame } = await openPage()
    await field(frame).fill(phrase)
    for (const one of [field(frame), frame.getByLabel('Passphrase')]) {
      expect(await one.getAttribute('autocomplete')).toBe('off')
      expect(await one.getAttribute('spellcheck')).toBe('false')
      expect(await one.getAttribute('autocapitalize')).toBe('none')
      expect(await one.evaluate((it) => getComputedStyle(it).getPropertyValue('-webkit-text-security'))).toBe(
        'disc',
      )
    }
  })

  it('reports each change of its height to the dialog', async () => {
    const { dialog, frame } = await openPage()
    const heights = () => dialog.evaluate(() => (globalThis as unknown as { heights: number[] }).heights)
    const height = () => frame.evaluate(() => Math.ceil(document.body.offsetHeight))
    await dialog.evaluate(() => {
      const heard: number[] = []
      Object.assign(globalThis, { heights: heard })
      addEventListener('message', ({ data }) => {
        if (data?.type === 'latchkey:page-height') heard.push(data.heightPx)
      })
    })
    await field(frame).fill(phrase)
    await expect.poll(heights).toEqual([await height()])
    await bring(frame, phrase)
    await expect.poll(async () => (await heights()).at(-1)).toBe(await height())
  })

  it('masks the typed text until the user reveals it, and again when the page is hidden', async () => {
    const { frame } = await openPage()
    const hides = () =>
      field(frame).evaluate((input) => getComputedStyle(input).getPropertyValue('-webkit-text-security'))
    expect(await hides()).toBe('disc')
    await press(frame, 'Show')
    expect(await hides()).toBe('none')
    await frame.evaluate(() => {
      Object.defineProperty(document, 'hidden', { value: true })
      document.dispatchEvent(new Event('visibilitychange'))
    })
    expect(await hides()).toBe('disc')
  })

  it('imports nothing that the user did not accept, or discarded', async () => {
    const key = generatePrivateKey()
    const { address } = privateKeyToAccount(key)
    const { dialog, frame } = await openPage()
    await bring(frame, key)
    await press(frame, 'Use another wallet')
    expect(await importIn(dialog, address)).toEqual({ error: 'vault_operation_unknown' })
  })

  it('approves the import of the accepted address only', async () => {
    const { dialog, frame, answer } = await openPage()
    const address = await bring(frame, generatePrivateKey())
    await pressGated(frame, 'Import this wallet')
    await answer
    const other = privateKeyToAccount(generatePrivateKey()).address
    const confirm = async (imported: string) =>
      call(dialog, 'page:confirm', {
        userId: visit.userId(),
        handle: 'h'.repeat(43),
        digest: await digestOf({ method: 'import', params: [imported] }),
      })
    expect(await confirm(other)).toEqual({ error: 'invalid_data' })
    expect(await confirm(String(address))).toMatchObject({ data: { statement: expect.any(String) } })
  })

  it('never arms its button while the dialog covers it', async () => {
    const { dialog, frame } = await openPage()
    await bring(frame, generatePrivateKey())
    const gate = () => frame.getByRole('button', { name: 'Import this wallet' }).getAttribute('data-gate')
    await dialog.evaluate(() => {
      const cover = Object.assign(document.createElement('div'), { id: 'cover' })
      cover.style.cssText = 'position: fixed; inset: 0; background: white; pointer-events: none; z-index: 1'
      document.body.append(cover)
    })
    await expect.poll(gate).toBe('waiting')
    await frame.evaluate(() => new Promise((resolve) => setTimeout(resolve, 1_000)))
    expect(await gate()).toBe('waiting')
    await dialog.evaluate(() => document.querySelector('#cover')?.remove())
    await expect.poll(gate).toBe('armed')
  })

  it('ignores clicks of scripts and presses that came too early', async () => {
    const key = generatePrivateKey()
    const { address } = privateKeyToAccount(key)
    const { dialog, frame } = await openPage()
    await field(frame).fill(key)
    await field(frame).press('Enter')
    const yes = frame.getByRole('button', { name: 'Import this wallet' })
    await yes.click()
    await review(frame)
    await yes.evaluate((button) => button.dispatchEvent(new MouseEvent('click', { bubbles: true })))
    expect(await importIn(dialog, address)).toEqual({ error: 'vault_operation_unknown' })
  })

  it('refuses a key of the host page unless the operator allows it', async () => {
    const key = generatePrivateKey()
    const { dialog, publicKey } = await openForHostKey()
    const privateKey = await sealKeyText(publicKey, key)
    expect(await call(dialog, 'page:key', { privateKey })).toEqual({ error: 'not_supported' })
    expect(await importIn(dialog, privateKeyToAccount(key).address)).toEqual({
      error: 'vault_operation_unknown',
    })
  })

  it('does not import a key of the host page before the user accepted it', async () => {
    visit.stage.configure({ hostKeyImport: true })
    const key = generatePrivateKey()
    const { address } = privateKeyToAccount(key)
    const { page, dialog, publicKey } = await openForHostKey()
    call(dialog, 'page:key', { privateKey: await sealKeyText(publicKey, key) }).catch(() => {})
    await pageAt(page, importPath).getByText(address).waitFor()
    expect(await importIn(dialog, address)).toEqual({ error: 'vault_operation_unknown' })
  })

  it('imports one key of the host page after the user accepted it', async () => {
    visit.stage.configure({ hostKeyImport: true })
    const [first, second] = [generatePrivateKey(), generatePrivateKey()]
    const { page, dialog, publicKey } = await openForHostKey()
    const seal = (key: string) => sealKeyText(publicKey, key)
    const answer = call(dialog, 'page:key', { privateKey: await seal(first) })
    const frame = pageAt(page, importPath)
    const { address } = privateKeyToAccount(first)
    await frame.getByText(address).waitFor()
    expect(await call(dialog, 'page:key', { privateKey: await seal(second) })).toHaveProperty('error')
    await pressGated(frame, 'Import this wallet')
    expect(await answer).toEqual({ data: { address } })
    expect(await importIn(dialog, address)).toMatchObject({ data: { address } })
  })

  it('refuses an import under another address than that of its key', async () => {
    const { dialog, frame, answer } = await openPage()
    await bring(frame, generatePrivateKey())
    await pressGated(frame, 'Import this wallet')
    await answer
    const other = privateKeyToAccount(generatePrivateKey()).address
    expect(await importIn(dialog, other)).toEqual({ error: 'embedded_wallet_already_exists' })
  })
})

describeSilence(visit, async () => {
  const { page, frame } = await openPage()
  await bring(frame, generatePrivateKey())
  const vault = page.workers().find((worker) => worker.url().includes('/import-vault-'))
  if (!vault) throw new Error('The page has no vault')
  return { frame, vault }
})
