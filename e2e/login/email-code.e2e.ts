import { changeDatabase } from '../stack/database.ts'
import { expect, test } from '../test.ts'

const wrongText = 'Invalid or expired verification code'

/** Returns six other digits. */
const otherThan = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

test.beforeEach(async ({ host }) => {
  await host.open()
  await host.openLogin()
})

// spec L8.12, L4.24
test('an address that was submitted offline gets a code, and a wrong code is followed by the right one', async ({
  host,
  inbox,
  context,
}) => {
  await host.emailField.fill(inbox.address)
  await context.setOffline(true)
  await host.emailField.press('Enter')
  await expect(host.dialog.getByText('You are offline.')).toBeVisible()
  await expect(host.codeFields).toHaveCount(0)
  await context.setOffline(false)
  await expect(host.codeFields).toHaveCount(6)
  expect(await inbox.count()).toBe(1)
  await expect(host.codeFields.first()).toBeFocused()
  const code = await inbox.nextCode()
  await host.typeCode(otherThan(code))
  await expect(host.dialog.getByText(wrongText)).toBeVisible()
  await expect(host.codeFields.first()).toHaveValue('')
  await expect(host.codeFields.first()).toBeFocused()
  await host.typeCode(code)
  await expect(host.byTestId('user-email')).toHaveText(inbox.address)
})

// spec L4.25
test('resend is locked for 30 s while Code sent shows, and each resend mails a new code', async ({
  host,
  inbox,
  page,
}) => {
  await page.clock.install()
  await host.askForCode(inbox.address)
  const first = await inbox.nextCode()
  const resend = host.dialog.getByRole('button', { name: 'Resend code' })
  // Pause the clock, so that a slow machine does not use up the lock.
  await page.clock.pauseAt(Date.now() + 1_000)
  await resend.click()
  const second = await inbox.nextCode()
  await expect(host.dialog.getByText('Code sent')).toBeVisible()
  await expect(resend).toHaveCount(0)
  await page.clock.runFor(29_000)
  await expect(host.dialog.getByText('Code sent')).toBeVisible()
  await page.clock.runFor(1_500)
  await expect(resend).toBeEnabled()
  expect(await inbox.count()).toBe(2)
  expect(second).toMatch(/^\d{6}$/)
  expect(first).toMatch(/^\d{6}$/)
})

test('an expired code shows the same error, and going back keeps the address', async ({
  host,
  inbox,
  stack,
}) => {
  await host.askForCode(inbox.address)
  const code = await inbox.nextCode()
  const changed = changeDatabase(
    stack.databaseFile,
    'update codes set expires_at = expires_at - 601 where identifier = ?',
    inbox.address,
  )
  expect(changed).toBe(1)
  await host.typeCode(code)
  await expect(host.dialog.getByText(wrongText)).toBeVisible()
  await host.dialog.getByRole('button', { name: 'Back' }).click()
  await expect(host.emailField).toHaveValue(inbox.address)
})
