import type { Page } from '@playwright/test'
import { expectNoViolations } from '../pages/axe.ts'
import { holdCalls } from '../stack/faults.ts'
import { expect, test } from '../test.ts'

/** Slows down timers of screens that close themselves, and extends deadlines, so that axe has time. */
async function keepScreens(page: Page) {
  for (const frame of page.frames()) {
    await frame.evaluate(() => {
      const later = window.setTimeout
      const lookedAtMs = 20_000
      const slowDown = (ms: number) => (ms >= 5_000 ? ms * 10 : ms)
      Reflect.set(window, 'setTimeout', (run: () => void, ms = 0) =>
        later(run, ms === 1_400 || ms === 2_500 ? lookedAtMs : slowDown(ms)),
      )
    })
  }
}

for (const scheme of ['light', 'dark'] as const) {
  test(`every state of the path passes axe (${scheme})`, async ({ host, inbox, page, context }) => {
    test.slow()
    await host.open()
    await host.byTestId(`theme-${scheme}`).click()
    await expectNoViolations(page, 'host', 'host')
    await host.openLogin()
    await expectNoViolations(page, 'landing')
    await host.emailField.fill('mira@')
    await expectNoViolations(page, 'landing, half typed')
    await host.askForCode(inbox.address)
    await expectNoViolations(page, 'code')
    const code = await inbox.nextCode()
    await host.typeCode('x')
    await expectNoViolations(page, 'code, not numeric')
    const wrong = await holdCalls(context, /passwordless\/authenticate/)
    await host.typeCode(code === '000000' ? '000001' : '000000')
    await wrong.arrived
    await expectNoViolations(page, 'code, checking')
    wrong.release()
    await expect(host.dialog.getByText('Invalid or expired verification code')).toBeVisible()
    await expectNoViolations(page, 'code, wrong')
    await expect(host.codeFields.first()).toHaveValue('')
    await context.unroute(/passwordless\/authenticate/)
    await host.dialog.getByRole('button', { name: 'Resend code' }).click()
    await expect(host.dialog.getByText('Code sent')).toBeVisible()
    await expectNoViolations(page, 'code sent')
    await keepScreens(page)
    const creating = await holdCalls(context, /wallets\/commit/)
    await host.typeCode(await inbox.nextCode())
    await creating.arrived
    await expect(host.dialog.getByRole('heading', { name: 'Creating your wallet' })).toBeVisible()
    await expectNoViolations(page, 'wallet being made')
    creating.release()
    await expect(host.dialog.getByText('Welcome')).toBeVisible()
    await expectNoViolations(page, 'wallet made')
    await host.dialog.getByRole('heading', { name: 'Welcome' }).press('Enter')
    await host.dialogCloses()
    await host.byTestId('sign-input').fill('Read me')
    await host.byTestId('sign').click()
    await expect(host.dialog.getByRole('button', { name: 'Sign and continue' })).toBeEnabled()
    await expectNoViolations(page, 'sign')
    const signing = await holdCalls(context, /wallets\/shares/)
    await host.approve()
    await signing.arrived
    await expectNoViolations(page, 'signing')
    signing.release()
    await expect(host.dialog.getByText('Success')).toBeVisible()
    await expectNoViolations(page, 'signed')
  })
}

test('a user logs in, signs and logs out by keyboard alone, and the focus is restored', async ({
  host,
  inbox,
  page,
}) => {
  await host.open()
  await host.byTestId('login').focus()
  await page.keyboard.press('Enter')
  await expect(host.emailField).toBeFocused()
  await page.keyboard.type(inbox.address)
  await page.keyboard.press('Enter')
  await expect(host.codeFields.first()).toBeFocused()
  await page.keyboard.type(await inbox.nextCode())
  await host.walletAddress()
  await host.dialogCloses()
  await host.byTestId('sign-input').focus()
  await page.keyboard.type('By keyboard')
  await host.byTestId('sign').focus()
  await page.keyboard.press('Enter')
  const button = host.dialog.getByRole('button', { name: 'Sign and continue' })
  await expect(button).toBeEnabled()
  for (
    let presses = 0;
    presses < 8 && !(await button.evaluate((node) => node === document.activeElement));
    presses++
  ) {
    await page.keyboard.press('Tab')
  }
  await expect(button).toBeFocused()
  await expect(button).toHaveAttribute('data-gate', 'ready')
  await page.keyboard.press('Enter')
  await expect(host.byTestId('signature')).toHaveAttribute('data-signature', /^0x/)
  await host.dialogCloses()
  await expect(host.byTestId('sign')).toBeFocused()
})

test('the focus stays inside the open dialog', async ({ host, page }) => {
  await host.open()
  await host.openLogin()
  for (let presses = 0; presses < 12; presses++) {
    await page.keyboard.press('Tab')
    const onHost = await page.evaluate(() => {
      const active = document.activeElement
      return (
        active !== null &&
        active !== document.body &&
        active.tagName !== 'IFRAME' &&
        active.tagName !== 'DIALOG'
      )
    })
    expect(onHost).toBe(false)
  }
})
