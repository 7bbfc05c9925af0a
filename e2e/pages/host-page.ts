import type { Inbox } from '@latchkey/sandbox'
import { expect, type FrameLocator, type Locator, type Page } from '@playwright/test'
import type { Stack } from '../stack/stack.ts'
import { isReached, pressGated } from './pointer.ts'

/** The demo host page and its dialog. */
export class HostPage {
  readonly page: Page
  readonly stack: Stack
  readonly dialog: FrameLocator

  constructor(page: Page, stack: Stack) {
    this.page = page
    this.stack = stack
    this.dialog = page.frameLocator('iframe')
  }

  async open(path = '/', origin = this.stack.hostOrigin) {
    await this.page.goto(origin + path)
  }

  /** Opens a page with the one-line HTML embed, which has a global handle. */
  async openOneLine(query = '') {
    await this.open(`/one-line.html${query}`)
    await this.page.waitForFunction('window.latchkey')
  }

  /** Returns the row of a method on LANDING, with or without its "Last used" label. */
  methodRow = (name: string): Locator =>
    this.dialog.getByRole('button', { name: new RegExp(`^${name}(?: Last used)?$`) })

  byTestId = (id: string): Locator => this.page.getByTestId(id)

  /** Returns the current screen, without one that is just leaving. */
  get shown(): Locator {
    return this.dialog.locator('[data-leaving="false"]')
  }
  get card(): Locator {
    return this.dialog.getByRole('dialog')
  }
  get emailField(): Locator {
    return this.dialog.getByRole('textbox', { name: /e-?mail/i })
  }
  get codeFields(): Locator {
    return this.dialog.getByRole('group', { name: /code/i }).getByRole('textbox')
  }

  /** Opens the dialog, up to the focus in its first field. */
  private async pressLogin() {
    await isReached(this.byTestId('login'))
    await this.byTestId('login').click()
    await expect(this.emailField).toBeFocused()
  }

  async openLogin() {
    await this.pressLogin()
    await isReached(this.emailField)
  }

  async askForCode(address: string) {
    await this.emailField.fill(address)
    await this.emailField.press('Enter')
    await expect(this.codeFields).toHaveCount(6)
    await expect(this.codeFields.first()).toBeFocused()
  }

  async typeCode(code: string) {
    await this.page.keyboard.type(code)
  }

  /** Logs in up to the last digit of the code, by keys alone, which need no pointer on the card. */
  async enterCode(inbox: Inbox) {
    await this.pressLogin()
    await this.askForCode(inbox.address)
    await this.typeCode(await inbox.nextCode())
  }

  /** Logs in until the dialog is closed and the wallet created. */
  async logIn(inbox: Inbox) {
    await this.enterCode(inbox)
    await expect(this.byTestId('user-email')).toHaveText(inbox.address)
    await this.readOn()
    await this.dialogCloses()
  }

  /** Skips the success screen, which would close itself after some seconds. */
  async readOn() {
    const title = this.dialog.getByRole('heading', { name: /^(Welcome|All set!)$/ })
    const isClosed = async () => (await this.page.locator('dialog:open, dialog[open]').count()) === 0
    await expect
      .poll(async () => (await title.isVisible()) || (await isClosed()), {
        timeout: 45_000,
        intervals: [100],
      })
      .toBe(true)
    // The screen may close itself at this moment.
    if (await title.isVisible()) await title.press('Enter', { timeout: 1_000 }).catch(() => {})
  }

  /** Presses Escape once the card has the focus. Before, the key would go to the page. */
  async escape() {
    await expect.poll(() => this.card.evaluate(() => document.hasFocus()).catch(() => false)).toBe(true)
    await this.page.keyboard.press('Escape')
  }

  async dialogCloses() {
    await expect(this.page.locator('dialog:open, dialog[open]')).toHaveCount(0)
  }

  async walletAddress(): Promise<`0x${string}`> {
    const address = this.byTestId('wallet-address')
    await expect(address).toHaveAttribute('data-address', /^0x[0-9a-fA-F]{40}$/)
    return (await address.getAttribute('data-address')) as `0x${string}`
  }

  get approveButton(): Locator {
    return this.dialog.getByRole('button', { name: 'Sign and continue' })
  }

  approve = (button = this.approveButton) => pressGated(button)

  async sign(message: string): Promise<string> {
    await this.byTestId('sign-input').fill(message)
    await this.byTestId('sign').click()
    await this.approve()
    await expect(this.byTestId('signature')).toHaveAttribute('data-signature', /^0x[0-9a-f]{130}$/, {
      timeout: 45_000,
    })
    return (await this.byTestId('signature').getAttribute('data-signature')) ?? ''
  }
}
