import { expect, type Locator } from '@playwright/test'
import type { HostPage } from './host-page.ts'
import { isReached } from './pointer.ts'

/** The phone field of LANDING. */
export class PhoneEntry {
  readonly host: HostPage

  constructor(host: HostPage) {
    this.host = host
  }

  get field(): Locator {
    return this.host.dialog.getByRole('textbox', { name: 'Phone number' })
  }
  /** Returns the button of the country list on desktops, once it has loaded. */
  get country(): Locator {
    return this.form.locator('button').and(this.host.dialog.getByRole('combobox', { name: 'Country' }))
  }
  get form(): Locator {
    return this.host.dialog.locator('form').filter({ has: this.field })
  }
  get submit(): Locator {
    return this.form.getByRole('button', { name: 'Submit' })
  }

  async open() {
    await this.host.open()
    await this.host.byTestId('login').click()
    await expect(this.field).toBeVisible()
    await isReached(this.field)
  }

  /** Selects a country by keyboard while its button has the focus. */
  async findCountry(words: string) {
    await this.host.page.keyboard.press('Enter')
    await expect(this.host.dialog.getByRole('combobox', { name: 'Country or dial code' })).toBeFocused()
    await this.host.page.keyboard.type(words)
    await expect(this.host.dialog.getByRole('option')).toHaveCount(1)
    await this.host.page.keyboard.press('Enter')
    await expect(this.field).toBeFocused()
  }

  /** Types the national number and submits it. */
  async askForCode(national: string) {
    await this.field.click()
    await this.host.page.keyboard.type(national)
    await this.host.page.keyboard.press('Enter')
    await expect(this.host.codeFields).toHaveCount(6)
    await expect(this.host.codeFields.first()).toBeFocused()
  }
}
