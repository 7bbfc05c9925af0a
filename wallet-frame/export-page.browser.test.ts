/** The built page that shows a key, beside the built wallet frame: real windows, workers, storage and policies. */
import type { WalletPurpose } from '@latchkey/protocol/wallet'
import { type BrowserContext, chromium, type Frame, type Page } from 'playwright'
import { mnemonicToAccount, privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { DialogPage } from './testing/dialog-page.ts'
import { appId, openStage } from './testing/stage.ts'

const PORT = 4340
/** Playwright switches storage partitioning off in this list; the last list wins, and ours leaves it on. */
const partitioned =
  '--disable-features=AvoidUnnecessaryBeforeUnloadCheckSync,DestroyProfileOnBrowserClose,HttpsUpgrades,HttpsFirstBalancedModeAutoEnable,LensOverlay,MediaRouter,PaintHolding,OptimizationHints'

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', partitioned],
})
let stage: Awaited<ReturnType<typeof openStage>>
let context: BrowserContext
let users = 0
let userId = ''
const complaints: string[] = []

beforeAll(async () => {
  stage = await openStage(PORT)
})
afterAll(async () => {
  await browser.close()
  stage.close()
})
beforeEach(async () => {
  context = await browser.newContext()
  userId = `exporter_${++users}`
  complaints.length = 0
})
afterEach(async () => {
  stage.stripPolicies(false)
  await context.close()
})

type Answer = { readonly data?: Record<string, unknown>; readonly error?: string }
const call = (dialog: Frame, name: string, data: unknown) =>
  dialog.evaluate<Answer, [string, unknown]>(
    async ([event, input]) => {
      const { latchkey } = globalThis as unknown as { latchkey: DialogPage }
      return (await latchkey.call(event as Parameters<DialogPage['call']>[0], input)) as Answer
    },
    [name, data],
  )
async function begin(dialog: Frame) {
  const { data } = await call(dialog, 'operation:begin', {})
  return { id: String(data?.operationId), publicKey: String(data?.publicKey) }
}
const tokenFor = (purpose: WalletPurpose, publicKey: string, operation: { id: string; step: number }) => ({
  accessToken: stage.server.tokenFor({ sub: userId, publicKey, operation, purpose }),
  operation,
})

/** A dialog with a wallet on this device. */
async function openDialog(): Promise<{ page: Page; dialog: Frame; address: string }> {
  const page = await context.newPage()
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  await page.goto(stage.originOf('host'))
  const dialog = page.frames().find((frame) => frame.url().startsWith(stage.originOf('dialog')))
  if (!dialog) throw new Error('There is no dialog')
  await dialog.waitForFunction(() => 'latchkey' in globalThis)
  const { id, publicKey } = await begin(dialog)
  const { data } = await call(dialog, 'wallet:create', tokenFor('create', publicKey, { id, step: 1 }))
  return { page, dialog, address: String(data?.address) }
}

const exportPath = `/apps/${appId}/embedded-wallets/export`
const addFrame = (dialog: Frame, path: string) =>
  dialog.evaluate((src) => {
    document.body.append(Object.assign(document.createElement('iframe'), { src }))
  }, stage.originOf('wallet') + path)

/** As the dialog does it: a page, its key, a token for that, and the release. */
async function exportIn(dialog: Frame, address: string, query = '') {
  const { id } = await begin(dialog)
  await addFrame(dialog, exportPath + query)
  const { data } = await call(dialog, 'page:begin', { page: 'export' })
  const token = tokenFor('export', String(data?.publicKey), { id, step: 1 })
  return call(dialog, 'wallet:export', { ...token, address })
}
const pageAt = (page: Page, path: string) => {
  const frame = page.frames().find((one) => one.url().includes(path))
  if (!frame) throw new Error(`There is no page at ${path}`)
  return frame
}
const secret = (frame: Frame, form: 'key' | 'phrase') => frame.locator(`[data-form=${form}]`)
const press = (frame: Frame, name: string) => frame.getByRole('button', { name, exact: true }).click()

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
    const phrase = (await secret(frame, 'phrase').textContent()) ?? ''
    expect(mnemonicToAccount(phrase).address).toBe(address)
    expect(await frame.content()).not.toContain(key.slice(2))
    expect(complaints).toEqual([])
  })

  it('hides after a minute what it shows', async () => {
    await context.clock.install()
    const { page: shown, dialog, address } = await openDialog()
    await exportIn(dialog, address)
    const frame = pageAt(shown, exportPath)
    await press(frame, 'Show private key')
    await secret(frame, 'key').filter({ hasText: '0x' }).waitFor()
    await context.clock.fastForward(55_000)
    expect(await secret(frame, 'key').textContent()).toMatch(/^0x/)
    await context.clock.fastForward(5_100)
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
    }, stage.originOf('wallet'))
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

describe('the page and its vault are silent', () => {
  const exits: Record<string, string> = {
    fetch: 'fetch(exit)',
    WebSocket: `new Promise((resolve, reject) => {
      new WebSocket(exit.replace('http', 'ws')).onerror = () => reject(new Error('refused'))
    })`,
    'import()': 'import(exit)',
    'a nested worker': `new Promise((resolve, reject) => {
      const worker = new Worker(exit)
      worker.onmessage = resolve
      worker.onerror = () => reject(new Error('refused'))
    })`,
  }
  const ofPage: Record<string, string> = {
    fetch: 'fetch(exit)',
    sendBeacon: `navigator.sendBeacon(exit) ? Promise.resolve() : Promise.reject(new Error('refused'))`,
    'an image': `new Promise((resolve, reject) => {
      const image = new Image()
      image.onload = resolve
      image.onerror = () => reject(new Error('refused'))
      image.src = exit
    })`,
    'a frame': `new Promise((resolve, reject) => {
      addEventListener('securitypolicyviolation', () => reject(new Error('refused')))
      const frame = document.createElement('iframe')
      frame.src = exit
      document.body.append(frame)
    })`,
  }
  const exit = () => `${stage.originOf('wallet')}/exit`

  async function opened() {
    const { page, dialog, address } = await openDialog()
    await exportIn(dialog, address)
    const vault = page.workers().find((worker) => worker.url().includes('/export-vault-'))
    if (!vault) throw new Error('The page has no vault')
    return { frame: pageAt(page, exportPath), vault }
  }
  const outcome = (attempt: Promise<unknown>) =>
    attempt.then(
      () => 'got out',
      () => 'refused',
    )

  it('on every way out of the vault', async () => {
    const { vault } = await opened()
    stage.exits.length = 0
    for (const [name, code] of Object.entries(exits)) {
      expect([name, await outcome(vault.evaluate(`((exit) => ${code})('${exit()}')`))]).toEqual([
        name,
        'refused',
      ])
    }
    expect(stage.exits).toEqual([])
  })

  it('on every way out of the page', async () => {
    const { frame } = await opened()
    stage.exits.length = 0
    for (const [name, code] of Object.entries(ofPage)) {
      const tried = await outcome(frame.evaluate(`((exit) => ${code})('${exit()}')`))
      if (name !== 'sendBeacon') expect([name, tried]).toEqual([name, 'refused'])
    }
    expect(stage.exits).toEqual([])
  })

  it('by their policies: without them both get out', async () => {
    stage.stripPolicies(true)
    const { frame, vault } = await opened()
    stage.exits.length = 0
    await outcome(vault.evaluate(`((exit) => ${exits.fetch})('${exit()}')`))
    await outcome(frame.evaluate(`((exit) => ${ofPage.fetch})('${exit()}')`))
    expect(stage.exits).toEqual(['/exit', '/exit'])
  })
})
