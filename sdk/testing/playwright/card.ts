/** The dialog over a page, as its user operates it. */
import { type BrowserContext, expect, type FrameLocator, type Locator, type Page } from '@playwright/test'

/** Button names of the first screen, by login method. */
const rows = {
  google: 'Google',
  apple: 'Apple',
  twitter: 'X',
  discord: 'Discord',
  github: 'GitHub',
  linkedin: 'LinkedIn',
  spotify: 'Spotify',
  tiktok: 'TikTok',
  instagram: 'Instagram',
  telegram: 'Telegram',
} as const
export type WindowMethod = keyof typeof rows

const quickLooks = [50, 100, 250]

export class Card {
  readonly page: Page
  readonly dialog: FrameLocator
  readonly #isOpen: Locator

  constructor(page: Page, dialogUrl: string) {
    this.page = page
    this.dialog = page.frameLocator(`dialog iframe[src^="${dialogUrl}/"]`)
    this.#isOpen = page
      .locator('dialog:open, dialog[open]')
      .filter({ has: page.locator(`iframe[src^="${dialogUrl}/"]`) })
  }

  /** The current screen, without one that is animating out. */
  get shown(): Locator {
    return this.dialog.locator('[data-leaving="false"]')
  }
  button = (name: string | RegExp): Locator => this.shown.getByRole('button', { name })

  async opens() {
    await expect(this.#isOpen, 'the dialog opens: press what opens it first').toHaveCount(1)
  }
  async closes() {
    await expect(this.#isOpen, 'the dialog closes').toHaveCount(0)
  }

  /**
   * Clicks a control once it is stable. Chromium sends clicks to the host page until it has drawn the frame
   * again, and a resizing card moves its buttons. A human is too slow to notice, but a test is not.
   */
  async press(control: Locator) {
    let before = ''
    await expect
      .poll(
        async () => {
          await control.hover()
          const isUnderPointer = await control.evaluate((element) => element.matches(':hover'))
          const now = JSON.stringify(await control.boundingBox())
          const stands = now === before
          before = now
          return isUnderPointer && stands
        },
        { intervals: quickLooks },
      )
      .toBe(true)
    await control.click()
  }

  async sendEmail(address: string) {
    await this.opens()
    const field = this.shown.getByRole('textbox', { name: /e-?mail/i })
    const entry = this.button('Continue with e-mail')
    await expect(field.or(entry).first()).toBeVisible()
    if (await entry.isVisible()) await this.press(entry)
    await field.fill(address)
    await field.press('Enter')
  }

  async sendSms(number: string) {
    await this.opens()
    const field = this.shown.getByRole('textbox', { name: 'Phone number' })
    const entry = this.button('Continue with SMS')
    await expect(field.or(entry).first()).toBeVisible()
    if (await entry.isVisible()) await this.press(entry)
    await field.fill(number)
    await field.press('Enter')
  }

  async typeCode(code: string) {
    const fields = this.shown.getByRole('group', { name: /code/i }).getByRole('textbox')
    await expect(fields).toHaveCount(6)
    await fields.first().click()
    await this.page.keyboard.type(code)
  }

  /** Logs in on the page of an OAuth provider, as the account with this name. */
  async logInAt(method: WindowMethod, name: string) {
    await this.opens()
    const row = this.button(new RegExp(`^${rows[method]}(?: Last used)?$`))
    const others = this.button(/^(?:Other socials|More options)$/)
    await expect(row.or(others).first()).toBeVisible()
    if (!(await row.isVisible())) await this.press(others.first())
    const opened = this.page.context().waitForEvent('page')
    await this.press(row)
    const window = await opened
    await window.getByRole('textbox', { name: 'Somebody else' }).fill(name)
    await window.getByRole('button', { name: 'Continue', exact: true }).click()
  }

  /** Leaves the success screen, which also closes by itself. */
  async readOn() {
    const done = this.dialog.getByRole('heading', { name: /^(?:Welcome|All set!|Success)$/ })
    await expect
      .poll(async () => (await done.isVisible()) || (await this.#isOpen.count()) === 0, {
        intervals: quickLooks,
      })
      .toBe(true)
    // It may be closing by itself right now.
    if (await done.isVisible()) await done.press('Enter', { timeout: 1_000 }).catch(() => {})
    await this.closes()
  }

  /** Approves the request: on the card, or on the confirmation page if it opens one. */
  async approve(context: BrowserContext) {
    await this.opens()
    const gate = this.shown.locator('button[data-gate]')
    const elsewhere = this.dialog.frameLocator('iframe[title="Continue to confirm"]').getByRole('button')
    await expect(gate.or(this.shown.locator('iframe[title="Continue to confirm"]')).first()).toBeVisible()
    if (await gate.isVisible()) return this.#pass(gate)
    const opened = context.waitForEvent('page')
    await elsewhere.click()
    const window = await opened
    await this.#pass(window.locator('button[data-gate]'))
    await expect.poll(() => window.isClosed()).toBe(true)
    await this.page.bringToFront()
  }

  /** Clicks a gated button, which becomes ready only after the user could see it. Retries on a busy page. */
  async #pass(button: Locator) {
    await expect(async () => {
      if ((await button.count()) === 0) return
      await button.hover({ timeout: 5_000 })
      await expect(button).toHaveAttribute('data-gate', 'ready', { timeout: 15_000 })
      await button.click({ timeout: 2_000 })
      await button.waitFor({ state: 'detached', timeout: 5_000 })
    }).toPass()
  }

  async reject() {
    await this.opens()
    await expect(this.shown).toBeVisible()
    await this.press(this.dialog.getByRole('button', { name: 'Close' }))
    await this.closes()
  }
}
