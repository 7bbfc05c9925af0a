/** The demo host and its dialog, in an engine that Playwright does not drive. */

import type { Inbox } from '@latchkey/sandbox'
import type { Browser, BrowserContext, ElementHandle, Frame, Page } from 'puppeteer-core'
import { vi } from 'vitest'
import { drawLess } from '../../scripts/local/drawing.ts'
import type { Stack } from '../stack/stack.ts'

const waitMs = 20_000
/** The maximum time between a press and the card's response. A card that has changed needs a new hover. */
const answerMs = 3_000

/** Labels of a row besides its name. */
const rowMarks = ['Last used', 'On your phone', 'Connect']

/** Browser errors and policy violations. Our pages must cause none. */
export type Complaints = { seen: string[] }

export class Visitor {
  readonly page: Page
  readonly stack: Stack
  readonly complaints: Complaints = { seen: [] }

  private constructor(page: Page, stack: Stack) {
    this.page = page
    this.stack = stack
    page.setDefaultTimeout(waitMs)
    page.on('pageerror', (error) => this.complaints.seen.push(String(error)))
    page.on('console', (message) => {
      if (message.type() === 'error') this.complaints.seen.push(message.text())
    })
  }

  /** Opens a tab for a visitor. */
  static async come(browser: Browser | BrowserContext, stack: Stack): Promise<Visitor> {
    const visitor = new Visitor(await browser.newPage(), stack)
    // Firefox does not report policy violations to drivers, so the pages log them.
    await visitor.page.evaluateOnNewDocument(() =>
      addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sourceFile }) =>
        console.error(`Policy violation of ${effectiveDirective}: ${blockedURI} in ${sourceFile}`),
      ),
    )
    await visitor.page.evaluateOnNewDocument(drawLess)
    return visitor
  }

  async open(path = '/') {
    await this.page.goto(this.stack.hostOrigin + path)
  }

  /** Opens a page with the one-line HTML embed, which has a global handle. */
  async openOneLine(query = '') {
    await this.open(`/one-line.html${query}`)
    await this.page.waitForFunction('window.latchkey')
  }

  element(testId: string, state = ''): Promise<ElementHandle> {
    return this.page.waitForSelector(`[data-testid="${testId}"]${state}`, {
      visible: true,
    }) as Promise<ElementHandle>
  }

  async press(testId: string) {
    await (await this.element(testId)).click()
  }

  /** The loader creates the frame, and creates it again after each reload. */
  dialog(): Promise<Frame> {
    return this.page.waitForFrame((frame) => frame.url().startsWith(this.stack.dialogOrigin), {
      timeout: waitMs,
    })
  }

  /**
   * Finds a button or link on the current card by its accessible name, ignoring row labels. Avoids
   * Puppeteer's `aria/` selectors: in Firefox each query blocks the page for seconds.
   */
  async inDialog(name: string, within = 'button, a'): Promise<ElementHandle<HTMLElement>> {
    const frame = await this.dialog()
    const handle = await frame.waitForFunction(
      (wanted, selector, marks) =>
        [...document.querySelectorAll<HTMLElement>(selector)]
          .filter((each) => each.closest('[data-leaving="true"]') === null && each.checkVisibility())
          .find((each) => {
            const isHidden = (part: Node) => part instanceof Element && part.ariaHidden === 'true'
            const texts = [...each.childNodes].map((part) => !isHidden(part) && part.textContent?.trim())
            const label = each.ariaLabel ?? texts.filter((text) => text && !marks.includes(text)).join(' ')
            return label === wanted
          }),
      { timeout: waitMs },
      name,
      within,
      rowMarks,
    )
    return handle as ElementHandle<HTMLElement>
  }

  /** Waits until the button stops moving, then clicks it. */
  async pressInDialog(name: string) {
    const button = await this.inDialog(name)
    await this.dialogStands()
    await button.click()
  }

  /**
   * Waits until nothing on the card has moved for three frames. A click targets the position that the button
   * had when it was found.
   */
  async dialogStands() {
    const frame = await this.dialog()
    await frame.evaluate(async () => {
      const moving = () =>
        document
          .getAnimations()
          // Animations that follow scrolling never end.
          .filter((each) => each.timeline === document.timeline)
          .filter((each) => each.effect?.getComputedTiming().iterations === 1)
      for (let still = 0; still < 3; still += 1) {
        await new Promise(requestAnimationFrame)
        const now = moving()
        if (now.length > 0) still = 0
        await Promise.allSettled(now.map((each) => each.finished))
      }
    })
  }

  /** Presses the wallet origin's button on the card, which opens a window. */
  async pressWalletButton(name: string) {
    const frame = await this.page.waitForFrame(
      async (each) => {
        const { origin, pathname } = new URL(each.url(), 'about:blank')
        if (origin !== this.stack.walletOrigin || !pathname.endsWith('/open-window')) return false
        return each.evaluate(() => document.querySelector('button') !== null).catch(() => false)
      },
      { timeout: waitMs },
    )
    const button = await frame.waitForSelector(`::-p-xpath(//button[normalize-space()='${name}'])`, {
      timeout: waitMs,
      visible: true,
    })
    await button?.click()
  }

  async dialogShows(title: string) {
    await this.inDialog(title, 'h1, h2')
  }

  /** Returns the fields and rows of the card, in order. */
  async choices(): Promise<readonly string[]> {
    const frame = await this.dialog()
    return frame.$$eval(
      '[data-leaving="false"] :is(input:not([aria-hidden]), select, button[type="button"])',
      (all) =>
        all
          .filter((each) => each.checkVisibility() && each.closest('header') === null)
          .map((each) => {
            const isHidden = (part: Node) => part instanceof Element && part.ariaHidden === 'true'
            const texts = [...each.childNodes].map((part) => !isHidden(part) && part.textContent?.trim())
            return each.ariaLabel ?? texts.filter(Boolean).join(' ')
          }),
    )
  }

  /**
   * Presses Tab until the element has the focus. After the last control the focus moves to the browser's own
   * interface, where the driver's keys have no effect.
   */
  async tabTo(name: string, direction: 'on' | 'back' = 'on') {
    const frame = await this.dialog()
    if (direction === 'back') await this.page.keyboard.down('Shift')
    const seen: string[] = []
    do {
      await this.page.keyboard.press('Tab')
      seen.push(
        await frame.evaluate(() => {
          const focused = document.hasFocus() ? document.activeElement : null
          return (focused?.ariaLabel ?? focused?.textContent ?? '').trim()
        }),
      )
      if (seen.at(-1) === '') throw new Error(`${name} was never focused, only ${seen.join(', ')}`)
    } while (seen.at(-1) !== name)
    if (direction === 'back') await this.page.keyboard.up('Shift')
  }

  /** Returns the window that this action opens. */
  async windowOf(open: () => Promise<void>): Promise<Page> {
    const profile = this.page.browserContext()
    const pagesBefore = await profile.pages()
    const others = async () => (await profile.pages()).filter((page) => !pagesBefore.includes(page))
    await Promise.all([
      profile.waitForTarget(async () => (await others()).length > 0, { timeout: waitMs }),
      open(),
    ])
    const [opened] = await others()
    if (opened === undefined) throw new Error('The window closed again')
    opened.setDefaultTimeout(waitMs)
    await isLoaded(opened)
    return opened
  }

  async dialogSays(text: string) {
    const frame = await this.dialog()
    await frame.waitForFunction(
      (wanted) => document.body.textContent.includes(wanted),
      { timeout: waitMs },
      text,
    )
  }

  /** Waits until this field of the dialog has the focus. */
  async dialogFocuses(selector: string) {
    const frame = await this.dialog()
    await frame.waitForFunction(
      (wanted) => document.activeElement?.matches(wanted) === true && document.hasFocus(),
      { timeout: waitMs },
      selector,
    )
  }

  async openLogin() {
    await this.press('login')
    await this.dialogFocuses('input[type="email"]')
  }

  async askForCode(address: string) {
    await this.dialogFocuses('input[type="email"]')
    await this.page.keyboard.type(address)
    await this.page.keyboard.press('Enter')
    await this.dialogFocuses('input[inputmode="numeric"]')
  }

  async typeCode(code: string) {
    await this.page.keyboard.type(code)
  }

  /** Waits until the code fields are empty and the first is focused, as after a wrong code. */
  async codeIsCleared() {
    await this.dialogFocuses('input[inputmode="numeric"]')
    const frame = await this.dialog()
    await frame.waitForFunction(() =>
      [...document.querySelectorAll<HTMLInputElement>('input[inputmode="numeric"]')].every(
        (input) => input.value === '',
      ),
    )
  }

  async logIn(inbox: Inbox) {
    await this.openLogin()
    await this.askForCode(inbox.address)
    await this.page.keyboard.type(await inbox.nextCode())
    await this.isLoggedIn(inbox)
    await this.dialogCloses()
  }

  isLoggedIn({ address }: Inbox) {
    return this.isLoggedInAs(address)
  }

  async isLoggedInAs(name: string) {
    await this.page.waitForFunction(
      (wanted) => document.querySelector('[data-testid="user-email"]')?.textContent === wanted,
      {},
      name,
    )
  }

  async dialogCloses() {
    await this.page.waitForFunction(() => document.querySelector('dialog[open]') === null)
  }

  async walletAddress(): Promise<string> {
    const element = await this.element('wallet-address', '[data-address^="0x"]')
    return element.evaluate((node) => node.getAttribute('data-address') ?? '')
  }

  async sign(message: string): Promise<string> {
    const input = await this.element('sign-input')
    await input.evaluate((node) => {
      ;(node as HTMLInputElement).value = ''
    })
    await input.type(message)
    await this.press('sign')
    await this.approve()
    const element = await this.element('signature', '[data-signature^="0x"]')
    return element.evaluate((node) => node.getAttribute('data-signature') ?? '')
  }

  /**
   * Hovers over the approval button and clicks it, until the press counts. On a new device the wallet
   * recovery replaces the review, so elements may disappear at any step.
   */
  async approve(on?: Page) {
    const frame = on?.mainFrame() ?? (await this.dialog())
    const button = on ? 'button[data-gate]' : '[data-leaving="false"] button[data-gate]'
    const givesUpAt = Date.now() + waitMs
    let failure: unknown
    while (Date.now() < givesUpAt) {
      try {
        return await approveIn(frame, button)
      } catch (error) {
        failure = error
      }
    }
    throw new Error('No press of the approval button counted', { cause: failure })
  }

  async receives(text: string) {
    await this.page.waitForFunction(
      (wanted) => document.querySelector('[data-testid="event-log"]')?.textContent?.includes(wanted) === true,
      {},
      text,
    )
  }

  focusedTestId(): Promise<string | null> {
    return this.page.evaluate(() => document.activeElement?.getAttribute('data-testid') ?? null)
  }
}

/**
 * Waits until the window has left its first, empty document. With WebDriver BiDi a `waitForFunction` that
 * starts in that document can miss the navigation and never run in the next one.
 */
const isLoaded = (window: Page) =>
  vi.waitUntil(
    async () =>
      window.isClosed() ||
      (await window
        .evaluate(() => location.href !== 'about:blank' && document.readyState === 'complete')
        .catch(() => false)),
    { timeout: waitMs },
  )

async function approveIn(frame: Frame, selector: string) {
  const button = await frame.waitForSelector(selector, { timeout: waitMs })
  if (!button) throw new Error('No approval button found')
  await button.hover()
  await frame.waitForFunction(
    (node) => !node.isConnected || node.getAttribute('data-gate') === 'ready',
    { timeout: answerMs },
    button,
  )
  await button.click()
  await frame.waitForFunction(
    () =>
      document.querySelector('[data-gate][aria-busy]') ??
      ['Success', 'Confirmed'].some((title) => document.body.textContent.includes(title)),
    { timeout: answerMs },
  )
}
