/** The demo host and the dialog over it, as a visitor of another engine sees them. */
import type { Browser, BrowserContext, ElementHandle, Frame, Page } from 'puppeteer-core'
import type { Inbox } from '../stack/inbox.ts'
import type { Stack } from '../stack/stack.ts'

const waitMs = 20_000
/** From what a hand does to what the card says of it. A card that moved on is to be pointed at again. */
const answerMs = 3_000

/** What the browser itself complains of: none of it may come from a page of ours. */
export type Complaints = { readonly seen: string[] }

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

  static async arrive(browser: Browser | BrowserContext, stack: Stack, path = '/'): Promise<Visitor> {
    const visitor = new Visitor(await browser.newPage(), stack)
    await visitor.page.goto(stack.hostOrigin + path)
    return visitor
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
   * A button in the dialog, by the name that a person reads or hears. Not by Puppeteer's `aria/`: Firefox takes
   * seconds for each such query, in which the page stands still, so that no look at a card stays fresh.
   */
  async buttonInDialog(name: string): Promise<ElementHandle> {
    const frame = await this.dialog()
    const found = await frame.waitForFunction(
      (wanted) =>
        [...document.querySelectorAll('button')].find(
          (button) => (button.ariaLabel ?? button.textContent).trim() === wanted,
        ),
      { timeout: waitMs },
      name,
    )
    return found as ElementHandle
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
    await this.page.keyboard.type(address)
    await this.page.keyboard.press('Enter')
    await this.dialogFocuses('input[inputmode="numeric"]')
  }

  async logIn(inbox: Inbox) {
    await this.openLogin()
    await this.askForCode(inbox.address)
    await this.page.keyboard.type(await inbox.nextCode())
    await this.isLoggedIn(inbox)
    await this.dialogCloses()
  }

  async isLoggedIn({ address }: Inbox) {
    await this.page.waitForFunction(
      (wanted) => document.querySelector('[data-testid="user-email"]')?.textContent === wanted,
      {},
      address,
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
  async approve() {
    const frame = await this.dialog()
    const givesUpAt = Date.now() + waitMs
    let failure: unknown
    while (Date.now() < givesUpAt) {
      try {
        return await approveIn(frame)
      } catch (error) {
        failure = error
      }
    }
    throw new Error('No press of the approving button counted', { cause: failure })
  }

  async hears(text: string) {
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

async function approveIn(frame: Frame) {
  const button = await frame.waitForSelector('[data-leaving="false"] button[data-gate]', { timeout: waitMs })
  if (!button) throw new Error('There is nothing to approve')
  await button.hover()
  await frame.waitForFunction(
    (node) => !node.isConnected || node.dataset.gate === 'ready',
    { timeout: answerMs },
    button,
  )
  await button.click()
  await frame.waitForFunction(
    () => document.querySelector('[data-gate][aria-busy]') ?? document.body.textContent.includes('Success'),
    { timeout: answerMs },
  )
}
