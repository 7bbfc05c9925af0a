/** The path from login to signature in Firefox, on the same built pages and headers. */

import { openInbox } from '@latchkey/sandbox'
import type { Browser } from 'puppeteer-core'
import { type Hex, verifyMessage } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inFirefox, launchFirefox } from './firefox.ts'
import { Visitor } from './visitor.ts'

const firefox = inFirefox()
const { arrive } = firefox

describe('Firefox', () => {
  it('logs in, creates a wallet and signs validly', async () => {
    const visitor = await arrive()
    await visitor.logIn(openInbox(firefox.stack.sandboxUrl))
    const address = await visitor.walletAddress()
    const signature = await visitor.sign('Signed in Firefox')
    const valid = await verifyMessage({
      address: address as Hex,
      message: 'Signed in Firefox',
      signature: signature as Hex,
    })
    expect(valid).toBe(true)
    await visitor.dialogCloses()
  }, 60_000)

  it('rejects a wrong code, and accepts the right one after it', async () => {
    const inbox = openInbox(firefox.stack.sandboxUrl)
    const visitor = await arrive()
    await visitor.openLogin()
    await visitor.askForCode(inbox.address)
    const code = await inbox.nextCode()
    await visitor.page.keyboard.type(code === '000000' ? '111111' : '000000')
    await visitor.dialogSays('Invalid or expired verification code')
    await visitor.codeIsCleared()
    await visitor.page.keyboard.type(code)
    await visitor.isLoggedIn(inbox)
  }, 60_000)

  it('keeps the session across a reload and in a second tab, and one logout ends both', async () => {
    const inbox = openInbox(firefox.stack.sandboxUrl)
    const first = await arrive()
    await first.logIn(inbox)
    await first.page.reload()
    await first.isLoggedIn(inbox)
    const second = await arrive()
    await second.isLoggedIn(inbox)
    await second.press('logout')
    await second.element('login')
    // Background tabs do not render, so waiting for them would hang.
    await first.page.bringToFront()
    await first.element('login')
  }, 60_000)

  it('works by keyboard alone, and Escape restores the focus', async () => {
    const visitor = await arrive()
    const login = await visitor.element('login')
    await login.focus()
    await visitor.page.keyboard.press('Enter')
    await visitor.dialogFocuses('input[type="email"]')
    await visitor.page.keyboard.press('Escape')
    await visitor.dialogCloses()
    await visitor.receives('exited_auth_flow')
    expect(await visitor.focusedTestId()).toBe('login')
  }, 60_000)

  it("rejects the host's call when the card is closed", async () => {
    const visitor = await arrive()
    await visitor.openLogin()
    await visitor.pressInDialog('Close')
    await visitor.dialogCloses()
    await visitor.receives('exited_auth_flow')
  }, 60_000)

  it('treats another site as a new device, and recovers the same wallet there', async () => {
    const inbox = openInbox(firefox.stack.sandboxUrl)
    const here = await arrive()
    await here.logIn(inbox)
    const address = await here.walletAddress()
    // A tab that still loads another page would abort this navigation.
    const otherVisitor = await firefox.come()
    await otherVisitor.page.goto(firefox.stack.otherHostOrigin)
    await otherVisitor.logIn(inbox)
    expect(await otherVisitor.walletAddress()).toBe(address)
    const signature = await otherVisitor.sign('From another site')
    const valid = await verifyMessage({
      address: address as Hex,
      message: 'From another site',
      signature: signature as Hex,
    })
    expect(valid).toBe(true)
  }, 90_000)
})

describe.each([
  { blocked: 'cookies and storage of other sites', cookieBehavior: 1 },
  { blocked: 'all cookies and storage', cookieBehavior: 2 },
])('Firefox with $blocked blocked', ({ cookieBehavior }) => {
  let browser: Browser
  beforeAll(async () => {
    browser = await launchFirefox({ 'network.cookie.cookieBehavior': cookieBehavior })
  }, 60_000)
  afterAll(() => browser.close())

  it('tells the host at once that storage is blocked, and shows the user the setting', async () => {
    const visitor = await Visitor.come(browser, firefox.stack)
    await visitor.open()
    await visitor.press('login')
    await visitor.receives('session_storage_unavailable')
    await visitor.dialogSays('block cookies and storage from other sites')
    await visitor.pressInDialog('Close')
    await visitor.dialogCloses()
    expect(visitor.complaints.seen).toEqual([])
  }, 60_000)
})
