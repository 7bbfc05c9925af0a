import { changeDatabase } from '../stack/database.ts'
import { expect, test } from '../test.ts'

const wrongText = 'Invalid or expired verification code'

/** Returns six other digits. */
const otherThan = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

test.beforeEach(async ({ host }) => {
  await host.open()
  await host.openLogin()
})

// spec L5.2
test('Submit is disabled until the address is valid, and Enter submits it', async ({ host, inbox }) => {
  const submit = host.dialog.getByRole('button', { name: 'Submit' })
  await expect(submit).toBeDisabled()
  await host.emailField.fill('mira@')
  await expect(submit).toBeDisabled()
  await host.emailField.press('Enter')
  await expect(host.codeFields).toHaveCount(0)
  await host.emailField.fill(inbox.address)
  await expect(submit).toBeEnabled()
  await host.emailField.press('Enter')
  await expect(host.codeFields).toHaveCount(6)
})

// spec L2.27, L5.10
test('the code has six single-digit inputs and a resend button, and the sixth digit submits', async ({
  host,
  inbox,
}) => {
  await host.askForCode(inbox.address)
  await expect(host.dialog.getByRole('button', { name: 'Resend code' })).toBeVisible()
  await expect(host.codeFields).toHaveCount(6)
  await host.typeCode(await inbox.nextCode())
  await expect(host.byTestId('user-email')).toHaveText(inbox.address)
})

// spec L8.12, L4.24
test('a wrong code shows an error and clears, and the right one still works', async ({ host, inbox }) => {
  await host.askForCode(inbox.address)
  const code = await inbox.nextCode()
  await host.typeCode(otherThan(code))
  await expect(host.dialog.getByText(wrongText)).toBeVisible()
  await expect(host.codeFields.first()).toHaveValue('')
  await expect(host.codeFields.first()).toBeFocused()
  await host.typeCode(code)
  await expect(host.byTestId('user-email')).toHaveText(inbox.address)
})

test('an expired code shows the same error', async ({ host, inbox, stack }) => {
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
})

// spec L5.9
test('a pasted code fills all fields', async ({ host, inbox, context, stack }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: stack.dialogOrigin })
  await host.askForCode(inbox.address)
  const code = await inbox.nextCode()
  await host.codeFields.first().evaluate(
    (field, text) => {
      const data = new DataTransfer()
      data.setData('text/plain', text)
      field.dispatchEvent(
        new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
      )
    },
    ` ${code.slice(0, 3)} ${code.slice(3)} `,
  )
  await expect(host.byTestId('user-email')).toHaveText(inbox.address)
})

test('an autofilled code, set on the first field, fills all fields', async ({ host, inbox }) => {
  await host.askForCode(inbox.address)
  const code = await inbox.nextCode()
  await expect(host.codeFields.first()).toHaveAttribute('autocomplete', 'one-time-code')
  await host.codeFields.first().evaluate((field, text) => {
    const input = field as HTMLInputElement
    // Simulates browser autofill: set the native value, then dispatch `input`.
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, text)
    input.dispatchEvent(
      new InputEvent('input', { bubbles: true, inputType: 'insertReplacementText', data: text }),
    )
  }, code)
  await expect(host.byTestId('user-email')).toHaveText(inbox.address)
})

// spec L5.8
test('a letter is rejected with a message and changes nothing', async ({ host, inbox }) => {
  await host.askForCode(inbox.address)
  await host.typeCode('12a')
  await expect(host.dialog.getByText('Code should be numeric')).toBeVisible()
  await expect(host.codeFields.nth(2)).toHaveValue('')
  await expect(host.codeFields.nth(1)).toHaveValue('2')
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

test('going back keeps the address and requests a new code', async ({ host, inbox }) => {
  await host.askForCode(inbox.address)
  await host.dialog.getByRole('button', { name: 'Back' }).click()
  await expect(host.emailField).toHaveValue(inbox.address)
})

test('an offline browser shows it at once, and sends the address when it is online again', async ({
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
})
