/**
 * In Firefox the recovery password is set and entered in a wallet window, and recovers the wallet on another
 * site.
 */

import { openInbox } from '@latchkey/sandbox'
import type { Page } from 'puppeteer-core'
import { expect, it } from 'vitest'
import { beginCall } from '../pages/page-calls.ts'
import { inFirefox } from './firefox.ts'

const firefox = inFirefox(['embedded_wallet_config.user_owned_recovery_options=["user-passcode"]'])
const password = 'harbor-Violin-meadow-42'

/** Waits for the step with this title. */
const shows = (window: Page, title: string) =>
  window.waitForFunction(
    (wanted) => document.querySelector('h1')?.textContent === wanted,
    { timeout: 20_000 },
    title,
  )
async function type(window: Page, text: string) {
  const field = await window.waitForSelector('#password', { visible: true })
  await field?.type(text)
}
const next = (window: Page) => window.locator('button.primary').click()

/** Hovers over the button and clicks it. Repeats a press that did not count. */
async function pressGated(window: Page) {
  const button = await window.waitForSelector('button[data-gate]:not(:disabled)', { visible: true })
  const counts = () =>
    window
      .waitForFunction(() => document.querySelector('button[data-gate]') === null, { timeout: 3_000 })
      .then(
        () => true,
        () => window.isClosed(),
      )
  do {
    await button?.hover()
    await window.waitForSelector('button[data-gate="ready"]', { timeout: 5_000 })
    await button?.click()
  } while (!(await counts()))
}

it('Firefox sets a password in a wallet window, which recovers the wallet on another site', async () => {
  const { stack } = firefox
  const inbox = openInbox(stack.sandboxUrl)
  const visitor = await firefox.arrive()
  await visitor.logIn(inbox)
  const wallet = await visitor.walletAddress()
  await visitor.openOneLine()
  const set = await beginCall<{
    user: { recoveryMethod: string; address: string }
  }>(visitor.page, 'setWalletRecovery')
  await visitor.dialogShows('Create your password')
  const window = await visitor.windowOf(() => visitor.pressWalletButton('Continue'))
  await shows(window, 'Create your password')
  expect(new URL(window.url()).origin).toBe(stack.walletOrigin)
  await type(window, password)
  await next(window)
  await shows(window, 'Save your password')
  await next(window)
  await shows(window, 'Confirm your password')
  await type(window, password)
  await next(window)
  await shows(window, 'One last thing')
  await window.locator('#understood').click()
  await window.waitForFunction(() =>
    document.body.textContent.includes('The way that brought it back until now'),
  )
  await pressGated(window)
  await visitor.dialogShows('Password set')
  expect(await set()).toMatchObject({ user: { recoveryMethod: 'user-passcode', address: wallet } })

  const otherVisitor = await firefox.come()
  await otherVisitor.page.goto(`${stack.otherHostOrigin}/one-line.html`)
  await otherVisitor.page.waitForFunction('window.latchkey')
  const login = await beginCall(otherVisitor.page, 'login')
  await otherVisitor.askForCode(inbox.address)
  await otherVisitor.typeCode(await inbox.nextCode())
  await login()
  await otherVisitor.dialogCloses()
  const signed = await beginCall<{ code: string }>(otherVisitor.page, 'signMessage', 'hello')
  await otherVisitor.dialogShows('Enter your password')
  const asking = await otherVisitor.windowOf(() => otherVisitor.pressWalletButton('Continue'))
  await shows(asking, 'Enter your password')
  await type(asking, 'not-this-one')
  await next(asking)
  await asking.waitForFunction(
    () =>
      document.querySelector('[role=alert]')?.textContent === 'Invalid recovery password, please try again.',
    { timeout: 20_000 },
  )
  await type(asking, password)
  await next(asking)
  await otherVisitor.dialogShows('Sign message')
  await otherVisitor.page.bringToFront()
  await otherVisitor.page.keyboard.press('Escape')
  expect(await signed()).toEqual({ code: 'user_rejected_request' })
}, 120_000)
