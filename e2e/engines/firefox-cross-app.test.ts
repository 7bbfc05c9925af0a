/** A wallet of one app, used in another of another operator, in Firefox. */
import type { Page } from 'puppeteer-core'
import { type Hex, verifyMessage } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { beginCall } from '../pages/page-calls.ts'
import { type LoggedIn, walletOf } from '../pages/provider-window.ts'
import { type Inbox, openInbox } from '../stack/inbox.ts'
import { type Stack, startStack } from '../stack/stack.ts'
import { connectOperators, portsAfter } from '../stack/two-operators.ts'
import { inFirefox } from './firefox.ts'

const firefox = inFirefox()
let wharf: Stack
let method: string

beforeAll(async () => {
  const { stack } = firefox
  wharf = await startStack(stack.serverPort + portsAfter, { beside: stack })
  method = (await connectOperators(stack, wharf)).method
}, 180_000)
afterAll(() => wharf?.stop())

const shows = (window: Page, text: string) =>
  window.waitForFunction((wanted) => document.body?.textContent?.includes(wanted), { timeout: 30_000 }, text)

async function logInThere(window: Page, inbox: Inbox) {
  const field = await window.waitForSelector('input[type="email"]', { visible: true, timeout: 30_000 })
  await field?.type(inbox.address)
  await window.keyboard.press('Enter')
  await window.waitForFunction(
    () => document.activeElement?.matches('input[autocomplete="one-time-code"]') === true,
    { timeout: 20_000 },
  )
  await window.keyboard.type(await inbox.nextCode())
}

/** A moment on the button that approves, and a click; once more where that did not count. */
async function approve(window: Page) {
  const isOver = () => window.isClosed()
  for (let press = 0; press < 4 && !isOver(); press += 1) {
    const button = await window.waitForSelector('button.primary[data-gate]', {
      visible: true,
      timeout: 20_000,
    })
    await button?.hover()
    await window.waitForSelector('button.primary[data-gate="ready"]', { timeout: 10_000 })
    await button?.click()
    const counted = window.waitForFunction(() => !document.querySelector('button.primary[data-gate]'), {
      timeout: 5_000,
    })
    if (await counted.then(() => true).catch(isOver)) return
  }
}

it('logs its user in, and signs, in windows of its own server, in Firefox', async () => {
  const visitor = await firefox.come()
  await visitor.openOneLine()
  await visitor.page.evaluate(async (named) => {
    const handle: unknown = Reflect.get(globalThis, 'latchkey')
    await (handle as { setConfig: (config: object) => Promise<void> }).setConfig({
      loginMethods: ['email', named],
    })
  }, method)
  const login = await beginCall<LoggedIn>(visitor.page, 'login')
  const window = await visitor.windowOf(() => visitor.pressInDialog('Wharf'))
  await logInThere(window, openInbox(firefox.stack.sandboxUrl))
  await shows(window, 'Let this app use your wallet?')
  expect(new URL(window.url()).origin).toBe(wharf.walletOrigin)
  await approve(window)
  const { address } = walletOf((await login()).user?.user)
  await visitor.dialogCloses()

  const message = 'Signed in Firefox'
  const asked = await beginCall<{ readonly user?: { readonly signature: Hex } }>(
    visitor.page,
    'signMessage',
    message,
    { address },
  )
  const signing = await visitor.windowOf(() => visitor.pressInDialog('Continue with Wharf'))
  await shows(signing, message)
  await approve(signing)
  const { user } = await asked()
  expect(await verifyMessage({ address, message, signature: user?.signature ?? '0x' })).toBe(true)
}, 240_000)
