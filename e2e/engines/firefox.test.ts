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
  it('logs in after a wrong code, creates a wallet and signs validly', async () => {
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
    await visitor.dialogCloses()
    await signsValidly(visitor, await visitor.walletAddress())
    await visitor.dialogCloses()
  }, 60_000)

  it("rejects the host's call when the card is closed, and Escape restores the focus", async () => {
    const visitor = await arrive()
    await visitor.openLogin()
    await visitor.pressInDialog('Close')
    await visitor.dialogCloses()
    await visitor.receives('exited_auth_flow')

    await visitor.open()
    const login = await visitor.element('login')
    await login.focus()
    await visitor.page.keyboard.press('Enter')
    await visitor.dialogFocuses('input[type="email"]')
    await visitor.page.keyboard.press('Escape')
    await visitor.dialogCloses()
    await visitor.receives('exited_auth_flow')
    expect(await visitor.focusedTestId()).toBe('login')
  }, 60_000)

  it('keeps the session across a reload, but another site is a new device with the same wallet', async () => {
    const inbox = openInbox(firefox.stack.sandboxUrl)
    const first = await arrive()
    await first.logIn(inbox)
    await first.page.reload()
    await first.isLoggedIn(inbox)
    const address = await first.walletAddress()
    // A tab that still loads another page would abort this navigation.
    const otherVisitor = await firefox.come()
    await otherVisitor.page.goto(firefox.stack.otherHostOrigin)
    await otherVisitor.logIn(inbox)
    expect(await otherVisitor.walletAddress()).toBe(address)
    await signsValidly(otherVisitor, address)

    const second = await arrive()
    await second.isLoggedIn(inbox)
    // One logout ends both tabs.
    await second.press('logout')
    await second.element('login')
    // Background tabs do not render, so waiting for them would hang.
    await first.page.bringToFront()
    await first.element('login')
  }, 90_000)
})

async function signsValidly(visitor: Visitor, address: string) {
  const message = 'Signed in Firefox'
  const signature = (await visitor.sign(message)) as Hex
  expect(await verifyMessage({ address: address as Hex, message, signature })).toBe(true)
}

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
