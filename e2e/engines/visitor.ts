/** The demo host and the dialog over it, as a visitor of another engine sees them. */

import type { Inbox } from '@latchkey/sandbox'
import type { Browser, BrowserContext, ElementHandle, Frame, Page } from 'puppeteer-core'
import type { Stack } from '../stack/stack.ts'

const waitMs = 20_000
/** From what a hand does to what the card says of it. A card that moved on is to be pointed at again. */
const answerMs = 3_000

/** What a row says besides the name of what it stands for. */
const rowMarks = ['Last used', 'On your phone', 'Connect']

/** What the browser itself complains of: none of it may come from a page of ours. */
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

  /** Opens an empty tab for a visitor. */
  static async come(browser: Browser | BrowserContext, stack: Stack): Promise<Visitor> {
    const visitor = new Visitor(await browser.newPage(), stack)
    // Firefox tells drivers of no policy that was violated; the pages themselves hear of it.
    await visitor.page.evaluateOnNewDocument(() =>
      addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sourceFile }) =>
        console.error(`Policy violation of ${effectiveDirective}: ${blockedURI} in ${sourceFile}`),
      ),
    )
    return visitor
  }

  async open(path = '/') {
    await this.page.goto(this.stack.hostOrigin + path)
  }

  /** A page with the handle as a global, as its one line of HTML makes it. */
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

  /** The frame is there once the loader made it, and again after each reload. */
  dialog(): Promise<Frame> {
    return this.page.waitForFrame((frame) => frame.url().startsWith(this.stack.dialogOrigin), {
      timeout: waitMs,
    })
  }

  /**
   * A button or link on the card that is shown, by the name that a person reads or hears, without the marks that
   * a row may carry. Not by Puppeteer's `aria/`: Firefox takes seconds for each such query, in which the page stands
   * still, so that no look at a card stays fresh.
   */
  async inDialog(name: string, within = 'button, a'): Promise<ElementHandle<HTMLElement>> {
    const frame = await this.dialog()
    const found = await frame.waitForFunction(
      (wanted, selector, marks) =>
        [...document.querySelectorAll<HTMLElement>(selector)]
          .filter((each) => each.closest('[data-leaving="true"]') === null && each.checkVisibility())
          .find((each) => {
            const isHidden = (part: Node) => part instanceof Element && part.ariaHidden === 'true'
            const texts = [...each.childNodes].map((part) => !isHidden(part) && part.textContent?.trim())
            const named = each.ariaLabel ?? texts.filter((text) => text && !marks.includes(text)).join(' ')
            return named === wanted
          }),
      { timeout: waitMs },
      name,
      within,
      rowMarks,
    )
    return found as ElementHandle<HTMLElement>
  }

  /** Presses as a hand does, which waits until the button stands still. */
  async pressInDialog(name: string) {
    const found = await this.inDialog(name)
    await this.dialogStands()
    await found.click()
  }

  /**
   * Waits until nothing of the card moves, nor begins to within three frames: a press goes to where a button was when it
   * was looked for.
   */
  async dialogStands() {
    const frame = await this.dialog()
    await frame.evaluate(async () => {
      const moving = () =>
        document
          .getAnimations()
          // What goes with the scrolling never ends.
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

  /** The button of the wallet's origin, in a frame of its own on the card, which opens a window. */
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

  /** What there is to choose from on the card, fields and rows, as they follow each other. */
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
   * From key to key until it has the focus. Past the last control the focus is the browser's own, and what a driver
   * types then reaches nobody.
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
      if (seen.at(-1) === '') throw new Error(`The focus never came to ${name}, but to ${seen.join(', ')}`)
    } while (seen.at(-1) !== name)
    if (direction === 'back') await this.page.keyboard.up('Shift')
  }

  /** The window that this opens. */
  async windowOf(open: () => Promise<void>): Promise<Page> {
    const profile = this.page.browserContext()
    const before = await profile.pages()
    const others = async () => (await profile.pages()).filter((page) => !before.includes(page))
    await Promise.all([
      profile.waitForTarget(async () => (await others()).length > 0, { timeout: waitMs }),
      open(),
    ])
    const [opened] = await others()
    if (opened === undefined) throw new Error('The window closed again')
    opened.setDefaultTimeout(waitMs)
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

  /** Waits until the field that has the focus in the dialog is this one. */
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

  /** Waits until the fields are empty and the first has the focus, as after a wrong code. */
  async codeIsCleared() {
    await this.dialogFocuses('input[inputmode="numeric"]')
    const frame = await this.dialog()
    await frame.waitForFunction(() =>
      [...document.querySelectorAll('input')].every((input) => input.value === ''),
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
    const shown = await this.element('wallet-address', '[data-address^="0x"]')
    return shown.evaluate((node) => node.getAttribute('data-address') ?? '')
  }

  async sign(message: string): Promise<string> {
    const input = await this.element('sign-input')
    await input.evaluate((node) => {
      ;(node as HTMLInputElement).value = ''
    })
    await input.type(message)
    await this.press('sign')
    await this.approve()
    const shown = await this.element('signature', '[data-signature^="0x"]')
    return shown.evaluate((node) => node.getAttribute('data-signature') ?? '')
  }

  /**
   * To the button, a moment on it, and a click; and again where that did not count. On a new device the review gives
   * way to the recovery of the wallet and comes back as another card, so what was found may be gone at any step.
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
    throw new Error('No press of the approving button counted', { cause: failure })
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

async function approveIn(frame: Frame, selector: string) {
  const button = await frame.waitForSelector(selector, { timeout: waitMs })
  if (!button) throw new Error('There is nothing to approve')
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
