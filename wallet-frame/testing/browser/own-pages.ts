/**
 * A browser with a dialog and a page of the wallet origin, next to the frame or in a window, for browser
 * tests.
 */
import { type AccountAction, toAccountActionText, type WalletPurpose } from '@latchkey/protocol/wallet'
import { type BrowserContext, chromium, type Frame, type Page } from 'playwright'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { headlessShell } from '../../../scripts/local/chromium.ts'
import type { DialogPage } from './dialog-page.ts'
import { appId, openStage } from './stage.ts'

export type Answer = { data?: Record<string, unknown>; error?: string }
export const call = (dialog: Frame, name: string, data: unknown) =>
  dialog.evaluate<Answer, [string, unknown]>(
    async ([event, input]) => {
      const { latchkey } = globalThis as unknown as { latchkey: DialogPage }
      return (await latchkey.call(event as Parameters<DialogPage['call']>[0], input)) as Answer
    },
    [name, data],
  )
export async function begin(dialog: Frame) {
  const { data } = await call(dialog, 'operation:begin', {})
  return { id: String(data?.operationId), publicKey: String(data?.publicKey) }
}

/**
 * Logs in as the dialog does: the vault states the login, and stores its key after the server has answered.
 */
export async function logIn(dialog: Frame, userId: string): Promise<string> {
  const { id } = await begin(dialog)
  const { data } = await call(dialog, 'operation:state', {
    purpose: 'login',
    operation: { id, step: 1 },
    address: null,
    digest: null,
    dialogKey: 'k'.repeat(43),
    userId: null,
  })
  await call(dialog, 'device:file', { operationId: id, userId })
  await call(dialog, 'operation:end', { operationId: id })
  return String(data?.statement)
}

export const pageUrl = (page: 'export' | 'import') => `/apps/${appId}/embedded-wallets/${page}`
export const pageAt = (page: Page, path: string) => {
  const frame = page.frames().find((one) => one.url().includes(path))
  if (!frame) throw new Error(`There is no page at ${path}`)
  return frame
}
export const press = (frame: Frame, name: string) => frame.getByRole('button', { name, exact: true }).click()
/** Moves to the button, rests on it until a press counts, and clicks. */
export async function pressGated(page: Frame | Page, name: string) {
  const button = page.getByRole('button', { name, exact: true })
  await button.hover()
  await page.locator('[data-gate=ready]').filter({ hasText: name }).waitFor()
  await button.click()
}
export async function digestOf(action: AccountAction) {
  const text = new TextEncoder().encode(toAccountActionText(action))
  return `0x${Buffer.from(await crypto.subtle.digest('SHA-256', text)).toString('hex')}`
}

/** Opens a stage for the tests of a file, with a separate profile and user for each test. */
export async function withOwnPages(port: number) {
  const browser = await chromium.launch(headlessShell())
  let opened: Awaited<ReturnType<typeof openStage>> | undefined
  let profile: BrowserContext | undefined
  let users = 0
  const complaints: string[] = []
  const given = <Thing>(thing: Thing | undefined): Thing => {
    if (thing === undefined) throw new Error('The stage is there in a test alone')
    return thing
  }

  beforeAll(async () => {
    opened = await openStage(port)
  })
  afterAll(async () => {
    await browser.close()
    opened?.close()
  })
  beforeEach(async () => {
    profile = await browser.newContext()
    users += 1
    complaints.length = 0
  })
  afterEach(async () => {
    opened?.stripPolicies(false)
    opened?.configure({ hostKeyImport: false })
    await profile?.close()
  })

  return {
    complaints,
    get stage() {
      return given(opened)
    },
    get context() {
      return given(profile)
    },
    userId: () => `user_${users}`,
    tokenFor: (purpose: WalletPurpose, publicKey: string, operation: { id: string; step: number }) => ({
      accessToken: given(opened).server.tokenFor({ sub: `user_${users}`, publicKey, operation, purpose }),
      operation,
    }),
    async openDialog(): Promise<{ page: Page; dialog: Frame }> {
      const { originOf } = given(opened)
      const page = await given(profile).newPage()
      page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
      await page.goto(originOf('host'))
      const dialog = page.frames().find((frame) => frame.url().startsWith(originOf('dialog')))
      if (!dialog) throw new Error('There is no dialog')
      await dialog.waitForFunction(() => 'latchkey' in globalThis)
      await logIn(dialog, `user_${users}`)
      return { page, dialog }
    },
    /** Opens a window as the dialog does. */
    async openWindow(dialog: Frame, path: string): Promise<Page> {
      const [page] = await Promise.all([
        given(profile).waitForEvent('page'),
        dialog.evaluate(
          (address) => void window.open(address, '_blank', 'popup,width=480,height=760'),
          given(opened).originOf('wallet') + path,
        ),
      ])
      page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
      return page
    },
    /** Shows the page in the dialog, in the size of the card. */
    async addFrame(dialog: Frame, path: string) {
      await dialog.parentFrame()?.evaluate(() => {
        const frame = document.querySelector('iframe')
        if (frame) frame.style.cssText = 'position: fixed; inset: 0; width: 400px; height: 700px'
      })
      await dialog.evaluate((src) => {
        const frame = Object.assign(document.createElement('iframe'), { src })
        frame.style.cssText = 'display: block; width: 360px; height: 500px; border: 0'
        document.body.append(frame)
      }, given(opened).originOf('wallet') + path)
    },
  }
}
export type OwnPages = Awaited<ReturnType<typeof withOwnPages>>
