/** The dialog over a page, as its user sees and uses it. */
import { type BrowserContext, expect, type FrameLocator, type Locator, type Page } from '@playwright/test'

/** Rows of the first screen, by what a test calls them. */
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

  /** Without the screen that is just leaving. */
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
   * Until Chromium has drawn a frame that is shown again, a click on it lands on the page around it, and a card that
   * changes its height moves its buttons: too short a moment for a person, and not for a test. So the pointer rests on
   * what stands still, and then clicks.
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

  /** Logs in at somebody else's page, as the person whom that one knows by this name. */
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

  /** Past what says that all is there, and closes by itself after a while. */
  async readOn() {
    const done = this.dialog.getByRole('heading', { name: /^(?:Welcome|All set!|Success)$/ })
    await expect
      .poll(async () => (await done.isVisible()) || (await this.#isOpen.count()) === 0, {
        intervals: quickLooks,
      })
      .toBe(true)
    // It may go by itself just now.
    if (await done.isVisible()) await done.press('Enter', { timeout: 1_000 }).catch(() => {})
    await this.closes()
  }

  /**
   * Approves what is asked for: on the card after a moment on its button, or in the window of the wallet, if that is
   * where it is confirmed.
   */
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

  /** A button that takes no press before somebody has looked at it, and asks once more if the page was busy. */
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
