/** Second factors, from enrollment to a signature that requires them. */

import { openPhone } from '@latchkey/sandbox'
import { type AuthenticatorApp, authenticatorApp } from '@latchkey/testing/playwright'
import type { Page } from '@playwright/test'
import { expectNoViolations } from '../pages/axe.ts'
import { confirmOnPage } from '../pages/confirm-page.ts'
import type { HostPage } from '../pages/host-page.ts'
import { beginCall, call, logInByEmail, recordEvent } from '../pages/page-calls.ts'
import { addDevice } from '../pages/passkey-device.ts'
import { pressGated } from '../pages/pointer.ts'
import { appId } from '../stack/stack.ts'
import { expect, test } from '../test.ts'

type User = { mfaMethods: readonly string[]; wallet?: { address: string } }
type Ended = { user?: User & { signature?: string }; code?: string }
const begin = beginCall<Ended>

// An enrollment, a wallet and a signature take longer than other tests.
test.slow()

test.use({ settings: ['mfa_methods=["totp","sms","passkey"]', 'passkey_auth=true'] })
test.beforeEach(async ({ host, inbox, page }) => {
  await host.openOneLine()
  await logInByEmail({ page, host, inbox })
})

const heading = (host: HostPage, name: string) => host.dialog.getByRole('heading', { name })
const button = (host: HostPage, name: string | RegExp) => host.dialog.getByRole('button', { name })

async function openChoice(host: HostPage, { hasMethod = false } = {}) {
  const ended = await begin(host.page, 'showMfaEnrollment')
  if (!hasMethod) {
    await expect(heading(host, 'Transaction Protection')).toBeVisible()
    await button(host, 'Continue').click()
  }
  await expect(heading(host, 'Choose a verification method')).toBeVisible()
  return ended
}

const readSecret = async (host: HostPage) =>
  ((await host.dialog.getByText(/^(?:[A-Z2-7]{1,4} ?){4,}$/).textContent()) ?? '').replace(/\s/g, '')

/** Adds an authenticator app, from the choice to the closed dialog. */
async function addApp(host: HostPage): Promise<AuthenticatorApp> {
  await button(host, /^Authenticator App/).click()
  await expect(heading(host, 'Scan QR code')).toBeVisible()
  const app = authenticatorApp(await readSecret(host))
  await button(host, 'Continue').click()
  await expect(heading(host, 'Enter enrollment code')).toBeVisible()
  await host.typeCode(app.code())
  await expect(heading(host, 'Authenticator app verification added')).toBeVisible()
  await button(host, 'Done').click()
  await host.dialogCloses()
  return app
}

/** Approves a signature that the page requests. */
async function sign(host: HostPage) {
  const ended = await begin(host.page, 'signMessage', 'I agree.')
  await approve(host, 'Sign and continue')
  return ended
}

async function approve(host: HostPage, name: RegExp | string) {
  await pressGated(host.dialog.locator('button[data-gate]').filter({ hasText: name }))
}

const methodsOf = (page: Page) =>
  page.evaluate(async () => {
    const handle: unknown = Reflect.get(globalThis, 'latchkey')
    return (await (handle as { getUser: () => Promise<User> }).getUser()).mfaMethods
  })

// spec L1.10, L2.63, L2.64, L2.68, W1.2
test('an authenticator app is added, and a signature requires its code', async ({ host, page }) => {
  const shown = await openChoice(host)
  await expectNoViolations(page, 'the choice of a method')
  await button(host, /^Authenticator App/).click()
  await expect(heading(host, 'Scan QR code')).toBeVisible()
  await expectNoViolations(page, 'the secret of an authenticator app')
  const secret = await readSecret(host)
  const app = authenticatorApp(secret)
  await button(host, 'Continue').click()
  await expect(heading(host, 'Enter enrollment code')).toBeVisible()
  await button(host, 'Back').click()
  expect(await readSecret(host)).toBe(secret)
  await button(host, 'Continue').click()
  await host.typeCode(app.wrongCode())
  await expect(host.dialog.getByText('The code you entered is not valid')).toBeVisible()
  await expectNoViolations(page, 'a wrong enrollment code')
  await host.typeCode(app.code())
  await expect(heading(host, 'Authenticator app verification added')).toBeVisible()
  await expectNoViolations(page, 'a method added')
  await button(host, 'Done').click()
  expect(await shown()).toMatchObject({ user: { mfaMethods: ['totp'] } })

  const signed = await sign(host)
  await expect(heading(host, 'Enter verification code')).toBeVisible()
  await expectNoViolations(page, 'a verification')
  await host.typeCode(app.wrongCode())
  await expect(host.dialog.getByText('The code you entered is not valid')).toBeVisible()
  await host.typeCode(app.code())
  expect(await signed()).toMatchObject({ user: { signature: expect.stringMatching(/^0x[0-9a-f]{130}$/) } })
  await host.dialogCloses()
})

// spec L2.69, L4.47, L8.42, L8.45, L8.52, W8.34
test('an unverified user signs nothing and can verify later, and four wrong codes end the verification', async ({
  host,
}) => {
  await openChoice(host)
  const app = await addApp(host)
  const signed = await sign(host)
  await button(host, 'Not now').click()
  await expect(host.dialog.getByText('Verification canceled')).toBeVisible()
  await button(host, 'Try again').click()
  await approve(host, 'Sign and continue')
  await expect(heading(host, 'Enter verification code')).toBeVisible()
  await host.typeCode(app.code())
  expect(await signed()).toMatchObject({ user: { signature: expect.stringContaining('0x') } })
  await host.dialogCloses()

  const ended = await sign(host)
  for (let wrong = 0; wrong < 4; wrong += 1) {
    await expect(host.codeFields.first()).toBeEditable()
    await host.typeCode(app.wrongCode())
    if (wrong < 3) await expect(host.codeFields.first()).toHaveValue('')
  }
  // The covered request says the same.
  const exceeded = host.dialog.getByText(
    'You have exceeded the maximum number of attempts. Please close this window',
  )
  await expect(exceeded.filter({ visible: true })).toBeVisible()
  await button(host, 'Close').first().click()
  expect(await ended()).toEqual({ code: 'mfa_verification_max_attempts_reached' })
})

// spec L2.62, L2.67, L2.69, L4.40, L6.5
test('a phone is added after a verification, and chosen for another', async ({ host, page, stack }) => {
  const phone = openPhone(stack.sandboxUrl)
  await openChoice(host)
  const app = await addApp(host)
  await openChoice(host, { hasMethod: true })
  await expect(
    host.dialog.getByText('To add or delete verification methods, verification is required.'),
  ).toBeVisible()
  await button(host, /^SMS/).click()
  await expect(heading(host, 'Set up SMS verification')).toBeVisible()
  await host.dialog.getByRole('textbox', { name: 'Phone number' }).fill(phone.address.slice(2))
  await expectNoViolations(page, 'a phone to be added')
  await page.keyboard.press('Enter')
  await expect(heading(host, 'Enter verification code')).toBeVisible()
  await host.typeCode(app.code())
  await expect(heading(host, 'Enter enrollment code')).toBeVisible()
  await host.typeCode(await phone.nextCode())
  await expect(heading(host, 'SMS verification added')).toBeVisible()
  await button(host, 'Done').click()
  await host.dialogCloses()
  expect(await methodsOf(page)).toEqual(['totp', 'sms'])

  const signed = await sign(host)
  await expect(heading(host, 'Enter verification code')).toBeVisible()
  await button(host, 'Choose another method').click()
  await expect(heading(host, 'Verify your identity')).toBeVisible()
  await expectNoViolations(page, 'the choice of a verification')
  await button(host, /^SMS/).click()
  await host.typeCode(await phone.nextCode())
  expect(await signed()).toMatchObject({ user: { signature: expect.stringContaining('0x') } })
})

// spec L2.65, L2.66, L4.41, L4.44
test('a passkey is created and verifies automatically', async ({ host, page }) => {
  await addDevice(page)
  await openChoice(host)
  await button(host, /^Passkey/).click()
  await expect(heading(host, 'Set up passkey verification')).toBeVisible()
  await button(host, 'Add a new passkey').click()
  await expect(heading(host, 'Passkey verification added')).toBeVisible()
  await button(host, 'Done').click()
  await host.dialogCloses()
  const signed = await sign(host)
  expect(await signed()).toMatchObject({ user: { signature: expect.stringContaining('0x') } })
})

// spec L2.59, L2.61
test('a reload starts an enrollment again, and a method is removed with an approval and a verification', async ({
  host,
  page,
}) => {
  await openChoice(host)
  await button(host, /^Authenticator App/).click()
  await expect(heading(host, 'Scan QR code')).toBeVisible()
  await page.reload()
  await page.waitForFunction('window.latchkey')
  expect(await methodsOf(page)).toEqual([])
  await openChoice(host)
  const app = await addApp(host)
  expect(await methodsOf(page)).toEqual(['totp'])
  const shown = await openChoice(host, { hasMethod: true })
  await button(host, 'Remove Authenticator App').click()
  await expect(heading(host, 'Remove authenticator app verification?')).toBeVisible()
  await expectNoViolations(page, 'a method to be removed')
  await confirmOnPage(host, 'Remove')
  await expect(heading(host, 'Enter verification code')).toBeVisible()
  await expect(host.codeFields.first()).toBeFocused()
  await host.typeCode(app.code())
  await expect(heading(host, 'Choose a verification method')).toBeVisible()
  await expect(host.dialog.getByText('Recommended')).toBeVisible()
  await button(host, 'Close').click()
  expect(await shown()).toMatchObject({ user: { mfaMethods: [] } })
  const signed = await sign(host)
  expect(await signed()).toMatchObject({ user: { signature: expect.stringContaining('0x') } })
})

/** Signs on a page that asks for the code itself. The card is closed. */
async function signByPage(host: HostPage) {
  const { page } = host
  await (await begin(page, 'setConfig', { mfa: { noPromptOnMfaRequired: true } }))()
  const heard = await recordEvent(page, 'mfaRequired')
  const signed = await sign(host)
  await expect.poll(heard).toEqual([{ methods: ['totp'] }])
  await host.dialogCloses()
  return signed
}

// spec L7.45, W6.3
test('a page that asks for the code itself cancels, or submits a wrong one and then the right one', async ({
  host,
  page,
}) => {
  await openChoice(host)
  const app = await addApp(host)
  const cancelled = await signByPage(host)
  await call(page, 'cancelMfa')
  await expect(host.dialog.getByText('Verification canceled')).toBeVisible()
  await button(host, 'Close').first().click()
  expect(await cancelled()).toEqual({ code: 'missing_or_invalid_mfa' })
  await host.dialogCloses()

  const signed = await signByPage(host)
  expect(await call(page, 'initMfa', 'letter')).toMatchObject({ code: 'invalid_data' })
  expect(await call(page, 'initMfa', 'totp')).toEqual({})
  expect(await call(page, 'submitMfa', 'totp', app.wrongCode())).toMatchObject({
    code: 'missing_or_invalid_mfa',
  })
  const code = app.code()
  await call(page, 'submitMfa', 'totp', code)
  expect(await signed()).toMatchObject({ user: { signature: expect.stringMatching(/^0x[0-9a-f]{130}$/) } })
  await host.dialogCloses()
  expect(await call(page, 'submitMfa', 'totp', code)).toMatchObject({ code: 'unknown_mfa_error' })
})

// spec L1.1, L2.58
test('a user of the standalone dialog manages second factors on the account page', async ({
  inbox,
  page,
  stack,
}) => {
  await page.goto(`${stack.dialogOrigin}/apps/${appId}/dialog`)
  await page.getByRole('textbox', { name: /e-?mail/i }).fill(inbox.address)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('group', { name: /code/i }).getByRole('textbox')).toHaveCount(6)
  await page.keyboard.type(await inbox.nextCode())
  await page.getByRole('button', { name: 'Transaction Protection Off' }).click()
  await expect(page.getByRole('heading', { name: 'Transaction Protection' })).toBeVisible()
  await page.getByRole('button', { name: 'Not now' }).click()
  await expect(page.getByRole('button', { name: 'Log out' })).toBeVisible()
})
