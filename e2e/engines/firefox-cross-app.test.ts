/** A wallet of one app, used in an app of another operator, in Firefox. */

import { type Inbox, openInbox } from '@latchkey/sandbox'
import { type Page, TimeoutError } from 'puppeteer-core'
import { type Hex, verifyMessage } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { beginCall, setConfig } from '../pages/page-calls.ts'
import { getCrossAppWallet, type LoggedIn } from '../pages/provider-window.ts'
import { appId, type Stack, startStack } from '../stack/stack.ts'
import { connectOperators, portsAfter } from '../stack/two-operators.ts'
import { inFirefox } from './firefox.ts'
import { pressIn } from './login-window.ts'
import type { Visitor } from './visitor.ts'

/** Each of the two windows opens several pages. */
const waitMs = 30_000
/** The maximum time between a press that counts and its result. */
const answerMs = 5_000

const firefox = inFirefox()
let wharf: Stack
let method = ''
beforeAll(async () => {
  const { stack } = firefox
  wharf = await startStack(stack.serverPort + portsAfter, { beside: stack })
  method = (await connectOperators(stack, wharf)).method
}, 120_000)
afterAll(async () => {
  await firefox.stack.app('providers', appId, 'remove', wharf.appId)
  await wharf.stop()
})

type SignatureResult = { user?: { signature: Hex }; code?: string }

const shows = (window: Page, text: string) =>
  window.waitForFunction((wanted) => document.body?.textContent.includes(wanted), { timeout: waitMs }, text)

/** Logs in at the provider, on the first page of the window. */
async function logInAtProvider(window: Page, inbox: Inbox) {
  const email = await window.waitForSelector('input[type="email"]', { visible: true, timeout: waitMs })
  await email?.type(inbox.address)
  await window.keyboard.press('Enter')
  await window.waitForFunction(() => document.activeElement?.matches('input[inputmode="numeric"]'), {
    timeout: waitMs,
  })
  await window.keyboard.type(await inbox.nextCode())
}

/**
 * Hovers over the approval button and clicks it. Repeats a press that did not count, or that the button asks
 * to repeat.
 */
async function pressGated(window: Page, name: string) {
  const button = await window.waitForSelector(
    `::-p-xpath(//button[@data-gate][normalize-space()='${name}'])`,
    { visible: true, timeout: waitMs },
  )
  // The page navigates, or its window closes.
  const isTaken = () =>
    window
      .waitForFunction((pressed) => !pressed?.isConnected, { timeout: answerMs }, button)
      .then(
        () => true,
        (error: unknown) => !(error instanceof TimeoutError),
      )
  for (;;) {
    await button?.hover()
    await window.waitForFunction(
      (hovered) => hovered?.getAttribute('data-gate') === 'ready',
      { timeout: waitMs },
      button,
    )
    await button?.click()
    if (await isTaken()) return
  }
}

async function logInWithWharf(visitor: Visitor, inbox: Inbox): Promise<Hex> {
  await visitor.openOneLine()
  await setConfig(visitor.page, { loginMethods: ['email', method] })
  const login = await beginCall<LoggedIn>(visitor.page, 'login')
  const window = await visitor.windowOf(() => visitor.pressInDialog('Wharf'))
  await visitor.dialogShows('Waiting for Wharf')
  await logInAtProvider(window, inbox)
  await shows(window, 'Let this app use your wallet?')
  expect(new URL(window.url()).origin).toBe(wharf.walletOrigin)
  await pressGated(window, 'Allow')
  const { user } = await login()
  await visitor.dialogCloses()
  return getCrossAppWallet(user?.user).address
}

/** Requests a signature. Returns the provider's window, which shows the message. */
async function askToSign(visitor: Visitor, message: string, address: Hex) {
  const signatureCall = await beginCall<SignatureResult>(visitor.page, 'signMessage', message, { address })
  const window = await visitor.windowOf(() => visitor.pressInDialog('Continue with Wharf'))
  await shows(window, message)
  expect(new URL(window.url())).toMatchObject({ origin: wharf.walletOrigin, search: '', hash: '' })
  return { asked: signatureCall, window }
}

/** Returns the next message that the dialog receives from a provider window. */
async function nextMessage(visitor: Visitor): Promise<{ said: Promise<unknown> }> {
  const dialog = await visitor.dialog()
  const message = dialog.evaluate(
    (from) =>
      new Promise((resolve) => {
        addEventListener('message', ({ origin, data }) => {
          if (origin === from) resolve(data)
        })
      }),
    wharf.walletOrigin,
  )
  return { said: message }
}

// spec L1.9, W2.31, W7.15, W7.18
it('a user logs in with the wallet of another app, signs with it and rejects a request, in Firefox', async () => {
  const visitor = await firefox.come()
  const address = await logInWithWharf(visitor, openInbox(firefox.stack.sandboxUrl))

  const message = 'Signed in another app'
  const signing = await askToSign(visitor, message, address)
  await pressGated(signing.window, 'Sign and continue')
  const { user } = await signing.asked()
  expect(await verifyMessage({ address, message, signature: user?.signature ?? '0x' })).toBe(true)
  await visitor.dialogCloses()

  const rejecting = await askToSign(visitor, 'Not this', address)
  // The result also comes through the servers. This reads the window's own message to its opener, which
  // Firefox keeps.
  const { said } = await nextMessage(visitor)
  await pressIn(rejecting.window, 'Reject')
  expect(await said).toEqual({ type: 'LATCHKEY_CROSS_APP_ACTION_ERROR', error: 'User rejected request' })
  expect(await rejecting.asked()).toEqual({ code: 'user_rejected_request' })
  await visitor.dialogCloses()
}, 180_000)
