/** Tests of a host app, with the fixtures of `@latchkey/testing`. */
import { expect, test } from '@latchkey/testing/playwright'
import type { Page } from '@playwright/test'
import { reduceDrawing } from '../../scripts/local/drawing.ts'

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const greeting = (page: Page) => page.locator('#greeting')
const answer = (page: Page) => page.locator('#answer')
const signature = /^signMessage .*0x[0-9a-f]{130}/

test.beforeEach(({ context }) => reduceDrawing(context))

test.describe('login()', () => {
  test.beforeEach(async ({ page }) => {
    await page.goto('/')
    await press(page, 'Log in')
  })

  test('logs in by e-mail as a new user', async ({ page, latchkey }) => {
    await latchkey.login()
    await expect(greeting(page)).toHaveText(`Hello ${latchkey.user.email}`)
    expect(await latchkey.wallet()).toMatch(/^0x[0-9a-fA-F]{40}$/)
  })

  test('logs in by SMS code', async ({ page, latchkey }) => {
    await latchkey.login({ via: 'sms' })
    await expect(greeting(page)).toHaveText(/^Hello \+1/)
    await expect(answer(page)).toContainText(latchkey.user.phone.slice(2))
  })

  for (const via of ['google', 'telegram'] as const) {
    test(`logs in at ${via}`, async ({ page, latchkey }) => {
      await latchkey.login({ via })
      await expect(answer(page)).toContainText(latchkey.user.name.slice(0, 8))
    })
  }
})

test.describe('session()', () => {
  test('logs in before the page opens, without a dialog, and the page has requests approved and rejected', async ({
    page,
    latchkey,
  }) => {
    await latchkey.session()
    await page.goto('/')
    await expect(greeting(page)).toHaveText(`Hello ${latchkey.user.email}`)
    await expect(page.locator('dialog[open]')).toHaveCount(0)
    await press(page, 'Sign')
    await latchkey.approve()
    await expect(answer(page)).toHaveText(signature)

    await press(page, 'Sign')
    await latchkey.reject()
    await expect(answer(page)).toHaveText('signMessage user_rejected_request')

    await latchkey.setBalance(10n ** 18n)
    await press(page, 'Send')
    await latchkey.approve()
    await latchkey.card.press(latchkey.card.button('All Done'))
    await expect(answer(page)).toContainText('"transactionHash":"0x')
    const left = await latchkey.balance()
    expect(left).toBeGreaterThan(0n)
    expect(left).toBeLessThan(10n ** 18n)
  })

  test('reaches a page that is already open', async ({ page, latchkey }) => {
    await page.goto('/')
    await latchkey.session()
    await expect(greeting(page)).toHaveText(`Hello ${latchkey.user.email}`)
  })

  test('gives the user a working authenticator app', async ({ page, latchkey }) => {
    await latchkey.session({ mfa: 'totp' })
    await page.goto('/')
    await press(page, 'Sign')
    await latchkey.approve()
    await latchkey.verify()
    await expect(answer(page)).toHaveText(signature)
  })
})

test('fail() makes a third party fail, and the user sees an error', async ({ page, latchkey }) => {
  await page.goto('/')
  await press(page, 'Log in')
  await latchkey.fail({ twilio: 'failing' })
  await latchkey.card.sendSms(latchkey.user.phone)
  await expect(
    latchkey.card.shown.getByText('The SMS service did not answer. Please try again.'),
  ).toBeVisible()
})

test('fail() rejects an unknown fault and lists the valid ones', async ({ latchkey }) => {
  await expect(latchkey.fail({ smpt: 'stall' })).rejects.toThrow(/smtp\?: none \| refuse \| stall/)
})

test('set() changes app settings, and app() runs any operator command', async ({ latchkey }) => {
  await latchkey.set('accent_color="#2f6f4f"')
  expect(await latchkey.app('show', latchkey.product.appId)).toMatch(/accent_color +"?#2f6f4f/)
  await expect(latchkey.set('accent_colour=1')).rejects.toThrow('There is no setting accent_colour')
})
