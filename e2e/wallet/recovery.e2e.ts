import { onAnotherSite } from '../pages/another-site.ts'
import { expectNoViolations } from '../pages/axe.ts'
import { HostPage } from '../pages/host-page.ts'
import { beginCall, logInByEmail } from '../pages/page-calls.ts'
import { pressGated } from '../pages/pointer.ts'
import { forms, recordMessages } from '../pages/recorded-messages.ts'
import {
  enterPassword,
  openWindow,
  passwordIsSet,
  setButton,
  setPasswordIn,
} from '../pages/recovery-window.ts'
import { changeDatabase } from '../stack/database.ts'
import { expect, openDevice, test } from '../test.ts'

const password = 'harbor-Violin-meadow-42'
type Ended = {
  user?: { address?: string; signature?: string }
  code?: string
}
const begin = beginCall<Ended>

test.use({ settings: ['embedded_wallet_config.user_owned_recovery_options=["user-passcode"]'] })
test.beforeEach(async ({ host, inbox, page }) => {
  await host.openOneLine()
  await logInByEmail({ page, host, inbox })
})

// spec W2.7, W2.10, W2.12, W2.13, W2.16, W4.3, W5.8, W8.11
test('a password is set and recovers the wallet on another device', async ({
  browser,
  context,
  host,
  inbox,
  page,
  stack,
}) => {
  test.setTimeout(360_000)
  const traces: string[] = []
  await context.exposeFunction('__record', (where: string, text: string) => traces.push(where + text))
  await context.addInitScript(recordMessages)
  context.on('request', (request) =>
    traces.push(request.url(), JSON.stringify(request.headers()), request.postData() ?? ''),
  )
  await page.reload()
  await page.waitForFunction('window.latchkey')
  const { shown: dialog } = host
  const set = await begin(page, 'setWalletRecovery')
  await expect(dialog.getByRole('heading', { name: 'Create your password' })).toBeVisible()
  await expectNoViolations(page, 'leading to the window of a password')
  const window = await openWindow(host)
  expect(new URL(window.url()).origin).toBe(stack.walletOrigin)
  await expect(dialog.getByText('Check the address of the window before you type anything.')).toBeVisible()
  const next = () => window.getByRole('button', { name: 'Continue' }).click()
  await expect(window.getByRole('heading', { name: 'Create your password' })).toBeVisible()
  await expectNoViolations(window, 'creating a password', 'host')
  // spec W5.7
  const goOn = window.getByRole('button', { name: 'Continue' })
  await expect(goOn).toBeDisabled()
  const field = window.getByLabel('Password', { exact: true })
  // spec W5.1
  await field.fill('abcde')
  await expect(window.getByText('Password must be at least 6 characters', { exact: true })).toBeVisible()
  // spec W5.3
  await field.fill('a b=c =')
  await expect(window.getByText('Invalid characters used ( SPACE = )', { exact: true })).toBeVisible()
  await expect(goOn).toBeDisabled()
  await field.fill('')
  // spec W2.15, W9.5
  await window.getByRole('button', { name: 'Generate a strong password' }).click()
  await expect(field).toHaveValue(/^([a-z]{3,8}-){3}[a-z]{3,8}$/)
  await expect(window.getByText('Password strength: Strong')).toBeVisible()
  await expect(window.locator('.strength')).toHaveAttribute('data-strength', 'strong')
  await field.fill(password)
  await expect(window.getByText('Password strength: Strong')).toBeVisible()
  await next()
  await expect(window.getByRole('heading', { name: 'Save your password' })).toBeVisible()
  await expectNoViolations(window, 'saving a password', 'host')
  const [download] = await Promise.all([
    window.waitForEvent('download'),
    window.getByRole('button', { name: 'Download recovery file' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('fieldnotes-wallet-recovery.txt')
  await next()
  await expect(window.getByRole('heading', { name: 'Confirm your password' })).toBeVisible()
  const again = window.getByLabel('Password', { exact: true })
  const different = window.getByText('Passwords do not match')
  // spec W4.10
  await window.getByRole('button', { name: 'Back' }).click()
  await expect(window.getByRole('heading', { name: 'Save your password' })).toBeVisible()
  await expect(window.getByLabel('Your password')).toHaveValue(password)
  await next()
  // spec W5.8
  await expect(different).toBeHidden()
  await again.focus()
  await again.blur()
  await expect(different).toBeVisible()
  await again.fill('harbor')
  await again.fill('')
  await expect(different).toBeVisible()
  await again.fill('harbor')
  await expect(different).toBeVisible()
  await expect(goOn).toBeDisabled()
  await again.fill(password)
  await next()
  const button = setButton(window)
  await expect(button).toBeDisabled()
  const understood =
    'I understand that if I lose my password and device, I will lose access to my account and my assets.'
  await window.getByRole('checkbox', { name: understood }).check()
  await expect(button).toBeEnabled()
  await expectNoViolations(window, 'setting a password', 'host')
  // spec W4.11
  const isBegun = () => traces.some((trace) => trace.endsWith('/wallets/reshare/begin'))
  expect(isBegun()).toBe(false)
  await pressGated(button)
  await expect(dialog.getByRole('heading', { name: 'Password set' })).toBeVisible()
  expect(isBegun()).toBe(true)
  const address = (await set()).user?.address
  await dialog.getByRole('button', { name: 'All done' }).click()
  await host.dialogCloses()
  // The password was typed in the window only, and is in no message, request or log.
  const everything = [...traces, stack.logs('server')].join('\n')
  expect(everything).toContain('latchkey:recovery:ask')
  expect(everything).toContain('recoveryWindow')
  for (const form of [password, ...forms(new TextEncoder().encode(password))]) {
    expect(everything).not.toContain(form)
  }

  const device = await openDevice(browser)
  const there = new HostPage(await device.newPage(), stack)
  await there.openOneLine()
  await logInByEmail({ page: there.page, host: there, inbox })
  await useWith(there, address)
  const told = async () => (await inbox.nextMail()).subject
  await expect.poll(told).toContain('Your wallet was recovered on a new device in ')
  await device.close()
})

async function useWith(there: HostPage, address: string | undefined) {
  const { page, shown: dialog } = there
  const signed = await begin(page, 'signMessage', 'hello')
  await expect(dialog.getByRole('heading', { name: 'Enter your password' })).toBeVisible()
  await expectNoViolations(page, 'leading to the window of a recovery')
  const window = await openWindow(there)
  await expect(window.getByLabel('Recovery password')).toBeVisible()
  await expectNoViolations(window, 'recovering with a password', 'host')
  await expect(window.getByRole('button', { name: 'Recover' })).toBeDisabled()
  // spec W8.12
  const shares = /\/wallets\/recovery\/shares$/
  await page.route(shares, (route) => route.fulfill({ status: 400, json: { error: 'No', code: 'error' } }))
  await enterPassword(window, password)
  await expect(window.getByText('An error has occurred, please try again.', { exact: true })).toBeVisible()
  await page.unroute(shares)
  await enterPassword(window, 'not-this-one')
  await expect(window.getByText('Invalid recovery password, please try again.')).toBeVisible()
  await enterPassword(window, password)
  await dialog.getByRole('button', { name: 'Sign and continue' }).waitFor()
  await there.escape()
  expect(await signed()).toEqual({ code: 'user_rejected_request' })
  expect(address).toMatch(/^0x/)
}

// spec W8.11
test('five wrong passwords lock recovery, for longer each time, and then the right one works', async ({
  context,
  host,
  inbox,
  page,
  stack,
}) => {
  test.setTimeout(360_000)
  await begin(page, 'setWalletRecovery')
  await setPasswordIn(await openWindow(host), password)
  await passwordIsSet(host)

  const there = await onAnotherSite(await context.newPage(), stack, inbox)
  const signed = await begin(there.page, 'signMessage', 'hello')
  const window = await openWindow(there)
  const says = (text: string | RegExp) => expect(window.getByText(text)).toBeVisible()
  const fiveWrong = async () => {
    for (let wrong = 1; wrong <= 5; wrong += 1) {
      await enterPassword(window, `not-this-one-${wrong}`)
      await says('Invalid recovery password, please try again.')
    }
  }
  const pass = (seconds: number) =>
    changeDatabase(
      stack.databaseFile,
      "update attempts set expires_at = expires_at - ? where key like 'recovery-password:%'",
      seconds,
    )
  await fiveWrong()
  // The right password gives no earlier response either.
  await enterPassword(window, password)
  // The rest of five minutes since the first attempt.
  await says(/^Too many tries\. Please try again in [45] minutes\.$/)
  await expectNoViolations(window, 'a locked password', 'host')
  expect(pass(5 * 60)).toBeGreaterThanOrEqual(15)
  await fiveWrong()
  await enterPassword(window, password)
  await says(/^Too many tries\. Please try again in 5[0-5] minutes\.$/)
  pass(55 * 60)
  await enterPassword(window, password)
  await there.approveButton.waitFor()
  await there.escape()
  expect(await signed()).toEqual({ code: 'user_rejected_request' })
})
