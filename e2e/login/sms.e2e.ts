import { type Inbox, openPhone } from '@latchkey/sandbox'
import type { Locator } from '@playwright/test'
import { openConnections } from '../client/http.ts'
import { linkPhone, unlinkPhone } from '../client/phone.ts'
import { logIn, type Place, RefusedError } from '../client/user.ts'
import { expectNoViolations } from '../pages/axe.ts'
import { PhoneEntry } from '../pages/phone-entry.ts'
import { readDatabase } from '../stack/database.ts'
import { holdCalls, setFaults } from '../stack/faults.ts'
import { appId, type Stack } from '../stack/stack.ts'
import { test as base, expect } from '../test.ts'

const wrongText = 'Invalid or expired verification code'
const otherThan = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

type Fixtures = { phone: Inbox; entry: PhoneEntry }
const test = base.extend<Fixtures>({
  phone: async ({ stack }, use) => use(openPhone(stack.sandboxUrl)),
  entry: async ({ host }, use) => use(new PhoneEntry(host)),
})

const isFocused = (locator: Locator) => locator.evaluate((node) => node === document.activeElement)

test.use({ settings: ['sms_auth=true'] })
test.afterEach(({ stack }) => setFaults(stack, { twilio: 'none' }))

/** Returns the part after the calling code of a US number. */
const getNationalNumber = ({ address }: Inbox) => address.slice('+1'.length)
const formatWithCallingCode = (phone: Inbox) => `+1 ${getNationalNumber(phone)}`

// spec L1.3, L2.20, L4.24, L5.11, L7.29, L7.36, L8.9, L8.12
test('a number and the digits of its message log the same user in, after failures and a wrong code', async ({
  entry,
  host,
  phone,
  stack,
}) => {
  const getUsers = () =>
    readDatabase(
      stack.databaseFile,
      "select user_id from linked_accounts where type = 'phone' and identifier = ?",
      formatWithCallingCode(phone),
    )
  await setFaults(stack, { twilio: 'failing' })
  await entry.open()
  await expect(entry.submit).toBeDisabled()
  await entry.field.fill(getNationalNumber(phone))
  await entry.field.press('Enter')
  await expect(host.dialog.getByText('The SMS service did not answer. Please try again.')).toBeVisible()
  await host.dialog.getByRole('button', { name: 'Try again' }).click()
  await expect(entry.field).toHaveValue(/\d/)
  await setFaults(stack, { twilio: 'none' })
  await entry.field.press('Enter')
  await expect(host.codeFields).toHaveCount(6)
  await expect(host.dialog.getByText(formatWithCallingCode(phone))).toBeVisible()
  // A failure during the check does not consume the code.
  const code = await phone.nextCode()
  await setFaults(stack, { twilio: 'failing' })
  await host.typeCode(code)
  await expect(host.dialog.getByText('Issue verifying code')).toBeVisible()
  await expect(host.codeFields.first()).toHaveValue('')
  await setFaults(stack, { twilio: 'none' })
  await host.typeCode(otherThan(code))
  await expect(host.dialog.getByText(wrongText)).toBeVisible()
  await expect(host.codeFields.first()).toHaveValue('')
  await expect(host.codeFields.first()).toBeFocused()
  await host.typeCode(code)
  await expect(host.byTestId('user-email')).toHaveText(formatWithCallingCode(phone))
  const wallet = await host.walletAddress()
  await host.dialogCloses()
  const usersBefore = getUsers()
  expect(usersBefore).toHaveLength(1)

  await host.byTestId('logout').click()
  await expect(host.byTestId('login')).toBeVisible()
  await entry.open()
  await entry.askForCode(getNationalNumber(phone))
  await host.typeCode(await phone.nextCode())
  await expect(host.byTestId('user-email')).toHaveText(formatWithCallingCode(phone))
  expect(await host.walletAddress()).toBe(wallet)
  expect(getUsers()).toEqual(usersBefore)
})

// spec L5.3, L5.4, L5.5, L5.6, L5.7
test('the country is selected, its numbers are formatted and checked, and the SMS goes to that country', async ({
  entry,
  host,
  phone,
  stack,
}) => {
  await entry.open()
  await expect(entry.country).toHaveText('United States +1')
  await entry.field.fill(getNationalNumber(phone).slice(0, -1))
  await entry.field.press('Enter')
  await expect(host.dialog.getByRole('alert')).toHaveText(
    'This is not a valid phone number for that country.',
  )
  await expect(entry.field).toHaveAttribute('aria-invalid', 'true')
  await expect(entry.submit).toBeDisabled()
  await entry.field.press('End')
  await host.page.keyboard.type(getNationalNumber(phone).slice(-1))
  await expect(host.dialog.getByRole('alert')).toHaveCount(0)
  await expect(entry.submit).toBeEnabled()
  expect(await phone.count()).toBe(0)
  await entry.field.fill('2025550123')
  await expect(entry.field).toHaveValue('(202) 555-0123')
  await entry.country.click()
  await host.dialog.getByRole('option', { name: 'United Kingdom' }).click()
  await expect(entry.country).toHaveText('United Kingdom +44')
  await expect(entry.field).toBeFocused()
  await expect(entry.field).toHaveValue('')
  const national = `7400${String(Date.now()).slice(-6)}`
  await entry.field.click()
  await host.page.keyboard.type(national)
  await expect(entry.field).toHaveValue(`${national.slice(0, 4)} ${national.slice(4)}`)
  await host.page.keyboard.press('Enter')
  await expect(host.dialog.getByText(`+44 ${national}`)).toBeVisible()
  const sent = await fetch(
    `${stack.sandboxUrl}/api/messages?${new URLSearchParams({ to: `+44${national}` })}`,
  )
  expect(((await sent.json()) as { messages: unknown[] }).messages).toHaveLength(1)
})

test('a user logs in by SMS with the keyboard alone, from the country to the last digit', async ({
  entry,
  host,
  page,
  phone,
}) => {
  await host.open()
  await host.byTestId('login').focus()
  await page.keyboard.press('Enter')
  await expect(host.emailField).toBeFocused()
  for (let presses = 0; presses < 4 && !(await isFocused(entry.country)); presses += 1) {
    await page.keyboard.press('Tab')
  }
  await expect(entry.country).toBeFocused()
  await entry.findCountry('kingdom')
  await expect(entry.country).toHaveText('United Kingdom +44')
  await page.keyboard.press('Shift+Tab')
  await entry.findCountry('United States')
  await expect(entry.country).toHaveText('United States +1')
  await page.keyboard.type(getNationalNumber(phone))
  await page.keyboard.press('Tab')
  await expect(entry.submit).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(host.codeFields.first()).toBeFocused()
  await page.keyboard.type(await phone.nextCode())
  await expect(host.byTestId('user-email')).toHaveText(formatWithCallingCode(phone))
  await host.dialogCloses()
})

for (const scheme of ['light', 'dark'] as const) {
  // spec L8.5
  test(`the phone field, its code and the error of a region without SMS pass axe (${scheme})`, async ({
    entry,
    host,
    page,
    phone,
    context,
    stack,
  }) => {
    test.slow()
    await host.open()
    await host.byTestId(`theme-${scheme}`).click()
    await host.byTestId('login').click()
    await expect(entry.field).toBeVisible()
    await expectNoViolations(page, 'landing')
    await entry.field.fill('202')
    await entry.field.press('Enter')
    await expect(host.dialog.getByRole('alert')).toBeVisible()
    await expectNoViolations(page, 'no number')
    const sending = await holdCalls(context, /passwordless_sms\/init/)
    await entry.field.fill(getNationalNumber(phone))
    await entry.field.press('Enter')
    await sending.arrived
    await expectNoViolations(page, 'sending')
    sending.release()
    await expect(host.codeFields).toHaveCount(6)
    await expectNoViolations(page, 'code')
    await setFaults(stack, { twilio: 'blocked-region' })
    await host.dialog.getByRole('button', { name: 'Back' }).click()
    await entry.field.press('Enter')
    await expect(host.dialog.getByText('This region is not supported')).toBeVisible()
    await expect(host.dialog.getByText('SMS authentication from this region is not available')).toBeVisible()
    await expectNoViolations(page, 'region')
    await host.dialog.getByRole('button', { name: 'Try another method' }).click()
    await expect(entry.field).toBeVisible()
  })
}

test.describe('a phone number linked to an e-mail user', () => {
  const place = (stack: Stack): Place & { close: () => void } => {
    const connections = openConnections(stack.serverPort, 2)
    const { dialogOrigin, walletOrigin, sandboxUrl } = stack
    return { connections, dialogOrigin, walletOrigin, appId, sandboxUrl, close: connections.close }
  }
  const getRefusal = (error: unknown) => (error instanceof RefusedError ? error.message : String(error))

  // spec L1.3, L5.16, L7.12, L6.2
  test('is linked, logs in as that user alone, is the only one of its type, and is unlinked', async ({
    entry,
    host,
    phone,
    stack,
  }) => {
    const at = place(stack)
    const user = await logIn(at)
    const linked = await linkPhone(at, user, formatWithCallingCode(phone), phone.nextCode)
    expect(linked).toMatchObject({
      id: user.userId,
      linked_accounts: expect.arrayContaining([
        expect.objectContaining({ type: 'phone', phoneNumber: formatWithCallingCode(phone) }),
      ]),
    })
    const second = openPhone(stack.sandboxUrl)
    const refused = await linkPhone(at, user, formatWithCallingCode(second), second.nextCode).catch(
      getRefusal,
    )
    expect(refused).toContain('User already has an account of type phone linked.')

    await entry.open()
    await entry.askForCode(getNationalNumber(phone))
    await host.typeCode(await phone.nextCode())
    await expect(host.byTestId('user-email')).toHaveText(user.email)
    await host.walletAddress()

    const other = await logIn(at)
    expect(
      await linkPhone(at, other, formatWithCallingCode(phone), phone.nextCode).catch(getRefusal),
    ).toContain('linked_to_another_user')
    expect(await unlinkPhone(at, other, formatWithCallingCode(phone)).catch(getRefusal)).toContain(
      'linked_account_not_found',
    )

    const left = await unlinkPhone(at, user, formatWithCallingCode(phone))
    expect(left).toMatchObject({ id: user.userId, linked_accounts: [{ type: 'email' }, { type: 'wallet' }] })
    at.close()
  })
})
