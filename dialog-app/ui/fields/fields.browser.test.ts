/** Fields in a real browser: focus, accepted input, and the country list, under the page's CSP. */
import type { BrowserContextOptions } from 'playwright'
import { describe, expect, it } from 'vitest'
import { openShell, page } from '../../shell/testing/opened.ts'

async function open(caption: string, options: BrowserContextOptions = {}, locale = 'en') {
  await openShell(options)
  if (locale !== 'en') await page.evaluate((given) => shell.locale(given), locale)
  await page.evaluate((given) => shell.go(given), caption)
}
const phone: BrowserContextOptions = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
const number = () => page.getByRole('textbox', { name: 'Phone number' })
const country = () => page.locator('button').and(page.getByRole('combobox', { name: 'Country' }))
const search = () => page.getByRole('combobox', { name: 'Country or dial code' })
const listed = () => page.getByRole('option').allTextContents()
const isFocused = (label: string) =>
  expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe(label)

describe('phone field', () => {
  it('focuses its number, with a mouse and on a phone', async () => {
    await open('Landing, phone')
    await isFocused('Phone number')
    await page.keyboard.type('202')
    expect(await number().inputValue()).toBe('(202)')
    await open('Landing, phone', phone)
    await isFocused('Phone number')
  })

  it("uses the system's country list on a phone", async () => {
    await open('Landing, phone', phone)
    const select = page.locator('select')
    await select.focus()
    expect(await select.evaluate((one) => one.ariaLabel)).toBe('Country')
    await expect.poll(() => select.locator('option').count()).toBeGreaterThan(240)
    await select.selectOption({ label: 'United Kingdom (+44)' })
    await page.getByText('+44', { exact: true }).waitFor()
    expect(await country().count()).toBe(0)
  })

  it('labels its submit button, like the e-mail field', async () => {
    await open('Landing, phone typed')
    await page.getByRole('button', { name: 'Submit phone number', exact: true }).waitFor()
    await page.evaluate(() => shell.go('Landing, address typed'))
    await page.getByRole('button', { name: 'Submit e-mail address', exact: true }).waitFor()
  })

  it('accepts full-width and keycap digits', async () => {
    await open('Landing, phone')
    await page.keyboard.insertText('２０２5️⃣550123')
    expect(await number().inputValue()).toBe('(202) 555-0123')
  })
})

describe('country list', () => {
  it('filters by any part of a name and by calling code, and returns the focus to the number', async () => {
    await open('Landing, phone')
    await country().click()
    await isFocused('Country or dial code')
    await expect.poll(async () => (await listed()).length).toBeGreaterThan(240)
    await page.keyboard.type('kingdom')
    await expect.poll(listed).toEqual(['United Kingdom+44'])
    await search().fill('+49')
    await expect.poll(listed).toEqual(['Germany+49'])
    await search().fill('９７１')
    await expect.poll(listed).toEqual(['United Arab Emirates+971'])
    await search().fill('aland')
    await expect.poll(listed).toContain('Åland Islands+358')
    await search().fill('nowhere')
    await page.getByText('No country found', { exact: true }).waitFor()
    await search().fill('germ')
    await expect.poll(listed).toEqual(['Germany+49'])
    await page.keyboard.press('Enter')
    await isFocused('Phone number')
    expect(await country().textContent()).toBe('Germany +49')
    expect(await page.evaluate(() => shell.sent())).toEqual([])
  })

  it('is a combobox with keyboard support: the active option is announced, and Escape closes only the list', async () => {
    await open('Landing, phone')
    await country().waitFor()
    await page.keyboard.press('Shift+Tab')
    await isFocused('Country')
    expect(await country().getAttribute('aria-expanded')).toBe('false')
    await page.keyboard.press('Enter')
    await isFocused('Country or dial code')
    expect(await search().getAttribute('aria-expanded')).toBe('true')
    await page.keyboard.type('united')
    await expect.poll(async () => (await listed()).length).toBe(3)
    const current = () =>
      search().evaluate(
        (one) => document.getElementById(one.getAttribute('aria-activedescendant') ?? '')?.textContent,
      )
    await expect.poll(current).toBe('United Arab Emirates+971')
    await page.keyboard.press('ArrowDown')
    await expect.poll(current).toBe('United Kingdom+44')
    await page.keyboard.press('Escape')
    await isFocused('Country')
    expect(await search().count()).toBe(0)
    expect(await page.evaluate(() => shell.sent())).toEqual([])
    expect(await country().textContent()).toBe('United States +1')
  })

  it.each([
    ['at 390 px', { viewport: { width: 390, height: 844 } }, 'en'],
    ['at 320 px, low', { viewport: { width: 320, height: 400 } }, 'en'],
    ['from right to left', { viewport: { width: 800, height: 600 } }, 'ar'],
  ])('fits into the window with the width of its field, %s', async (_name, options, locale) => {
    await open('Landing, phone', options, locale)
    const trigger = page.locator('form button[role="combobox"]')
    await trigger.click()
    const popup = page.locator('[role="dialog"] [role="listbox"]').locator('xpath=..')
    await popup.waitFor()
    const [form, list] = [await page.locator('form').boundingBox(), await popup.boundingBox()]
    const { width, height } = options.viewport
    expect(list?.x).toBeGreaterThanOrEqual(0)
    expect(list?.y).toBeGreaterThanOrEqual(0)
    expect((list?.x ?? 0) + (list?.width ?? 0)).toBeLessThanOrEqual(width)
    expect((list?.y ?? 0) + (list?.height ?? 0)).toBeLessThanOrEqual(height)
    expect(Math.abs((list?.width ?? 0) - (form?.width ?? 0))).toBeLessThanOrEqual(2)
    expect(await page.getByRole('option').first().isVisible()).toBe(true)
  })
})

describe('remembered address', () => {
  it('is replaced by typing', async () => {
    await open('Landing, address remembered')
    await isFocused('E-mail')
    await page.keyboard.type('noor@wharf.example')
    expect(await page.getByRole('textbox', { name: 'E-mail' }).inputValue()).toBe('noor@wharf.example')
    expect(await page.getByRole('button', { name: 'Not you?' }).count()).toBe(0)
  })

  it('is prefilled, and its link clears it and focuses the field', async () => {
    await open('Landing, address remembered')
    const field = page.getByRole('textbox', { name: 'E-mail' })
    expect(await field.inputValue()).toBe('mira@fieldnotes.example')
    await page.getByRole('button', { name: 'Not you?', exact: true }).click()
    expect(await field.inputValue()).toBe('')
    await isFocused('E-mail')
    expect(await page.getByRole('button', { name: 'Not you?' }).count()).toBe(0)
    expect(await page.evaluate(() => shell.sent())).toEqual([['forget']])
  })
})
