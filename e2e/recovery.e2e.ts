import { onAnotherSite } from './pages/another-site.ts'
import { expectNoViolations } from './pages/axe.ts'
import { HostPage } from './pages/host-page.ts'
import { beginCall, logInByEmail } from './pages/page-calls.ts'
import { choosePassword, passwordIsSet, recoverWith, setButton } from './pages/recovery-password.ts'
import { changeDatabase } from './stack/database.ts'
import { appId } from './stack/stack.ts'
import { expect, test } from './test.ts'

const password = 'harbor-Violin-meadow-42'
type Ended = {
  readonly user?: { readonly address?: string; readonly signature?: string }
  readonly code?: string
}
const begin = beginCall<Ended>

test.beforeEach(async ({ host, inbox, page, stack }) => {
  await stack.app('set', appId, 'embedded_wallet_config.user_owned_recovery_options=["user-passcode"]')
  await host.openOneLine()
  await logInByEmail({ page, host, inbox })
})
test.afterEach(
  async ({ stack }) =>
    void (await stack.app('set', appId, 'embedded_wallet_config.user_owned_recovery_options=[]')),
)

// spec W2.7, W2.10, W2.13, W2.16, W4.3, W5.8, W8.11
test('a password is set, and brings the wallet to another device', async ({
  browser,
  host,
  inbox,
  page,
  stack,
}) => {
  test.setTimeout(150_000)
  const { shown: dialog } = host
  const next = () => dialog.getByRole('button', { name: 'Continue' }).click()
  const set = await begin(page, 'setWalletRecovery')
  await expect(dialog.getByRole('heading', { name: 'Create your password' })).toBeVisible()
  await expectNoViolations(page, 'creating a password')
  // spec W5.7
  const goOn = dialog.getByRole('button', { name: 'Continue' })
  await expect(goOn).toBeDisabled()
  await dialog.getByLabel('Password', { exact: true }).fill('per favore')
  await expect(goOn).toBeDisabled()
  await dialog.getByLabel('Password', { exact: true }).fill(password)
  await expect(dialog.getByText('Password strength: Strong')).toBeVisible()
  await next()
  await expect(dialog.getByRole('heading', { name: 'Save your password' })).toBeVisible()
  await expectNoViolations(page, 'saving a password')
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Download recovery file' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('fieldnotes-wallet-recovery.txt')
  await next()
  await expect(dialog.getByRole('heading', { name: 'Confirm your password' })).toBeVisible()
  const again = dialog.getByLabel('Password', { exact: true })
  const different = dialog.getByText('Passwords do not match')
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
  const button = dialog.getByRole('button', { name: 'Set Password' })
  await expect(button).toBeDisabled()
  const understood =
    'I understand that if I lose my password and device, I will lose access to my account and my assets.'
  await dialog.getByRole('checkbox', { name: understood }).check()
  await button.click()
  await expect(dialog.getByRole('heading', { name: 'Password set' })).toBeVisible({ timeout: 30_000 })
  const address = (await set()).user?.address
  await dialog.getByRole('button', { name: 'All done' }).click()
  await host.dialogCloses()

  const device = await browser.newContext()
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
  const field = dialog.getByLabel('Recovery password')
  await expect(field).toBeVisible()
  await expectNoViolations(page, 'recovering with a password')
  const recover = async (given: string) => {
    await field.fill(given)
    await dialog.getByRole('button', { name: 'Recover' }).click()
  }
  await expect(dialog.getByRole('button', { name: 'Recover' })).toBeDisabled()
  await recover('not-this-one')
  await expect(dialog.getByText('Invalid recovery password, please try again.')).toBeVisible()
  await recover(password)
  await dialog.getByRole('button', { name: 'Sign and continue' }).waitFor()
  await there.escape()
  expect(await signed()).toEqual({ code: 'user_rejected_request' })
  expect(address).toMatch(/^0x/)
}

// spec W8.11
test('five wrong passwords lock it, for longer each time, and then the right one opens', async ({
  context,
  host,
  inbox,
  page,
  stack,
}) => {
  test.setTimeout(150_000)
  await begin(page, 'setWalletRecovery')
  await choosePassword(host, password)
  await setButton(host).click()
  await passwordIsSet(host)

  const there = await onAnotherSite(await context.newPage(), stack, inbox)
  const signed = await begin(there.page, 'signMessage', 'hello')
  const says = (text: string | RegExp) => expect(there.shown.getByText(text)).toBeVisible()
  const fiveWrong = async () => {
    for (let wrong = 1; wrong <= 5; wrong += 1) {
      await recoverWith(there, `not-this-one-${wrong}`)
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
  // Whoever has the right one learns nothing sooner.
  await recoverWith(there, password)
  // Of five minutes, as much as is left since the first of them.
  await says(/^Too many tries\. Please try again in [45] minutes\.$/)
  await expectNoViolations(there.page, 'a locked password')
  expect(pass(5 * 60)).toBeGreaterThanOrEqual(15)
  await fiveWrong()
  await recoverWith(there, password)
  await says(/^Too many tries\. Please try again in 5[0-5] minutes\.$/)
  pass(55 * 60)
  await recoverWith(there, password)
  await there.approveButton.waitFor({ timeout: 30_000 })
  await there.escape()
  expect(await signed()).toEqual({ code: 'user_rejected_request' })
})
