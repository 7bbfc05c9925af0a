import { readDatabase } from '../stack/database.ts'
import { expect, test } from '../test.ts'

test.use({
  settings: [
    'require_users_accept_terms=true',
    'terms_and_conditions_url=https://fieldnotes.example/terms',
    'privacy_policy_url=https://fieldnotes.example/privacy',
  ],
})

// spec L2.7, L2.33, L2.34, L4.20, L7.18
test('accepting the terms logs the user in, and then the wallet is created', async ({
  host,
  inbox,
  stack,
}) => {
  await host.open()
  await host.openLogin()
  await expect(host.card).not.toContainText('By logging in I agree')
  await host.askForCode(inbox.address)
  await host.typeCode(await inbox.nextCode())
  await expect(host.dialog.getByRole('heading', { name: 'One last step' })).toBeVisible()
  await expect(host.card).toContainText('By signing up, you agree to our terms and privacy policy.')
  await expect(host.dialog.getByRole('link', { name: 'View Terms' })).toHaveAttribute(
    'href',
    'https://fieldnotes.example/terms',
  )
  await expect(host.dialog.getByRole('link', { name: 'View Privacy Policy' })).toHaveAttribute(
    'href',
    'https://fieldnotes.example/privacy',
  )
  const wallets = () => readDatabase(stack.databaseFile, 'select count(*) as count from wallets')[0]?.count
  const walletsBefore = wallets()
  await host.dialog.getByRole('button', { name: 'Accept' }).click()
  await host.dialogCloses()
  await expect(host.byTestId('user-email')).toHaveText(inbox.address)
  await host.walletAddress()
  expect(wallets()).toBe(Number(walletsBefore) + 1)
})

// spec L4.39
test('declining the terms logs the user out, and the login fails', async ({ host, inbox }) => {
  await host.open()
  await host.enterCode(inbox)
  await host.dialog.getByRole('button', { name: 'No thanks' }).click()
  await host.dialogCloses()
  await expect(host.byTestId('event-log')).toContainText('exited_auth_flow')
  await host.page.reload()
  await host.openLogin()
})

test('unanswered terms are shown again on the next visit', async ({ host, inbox }) => {
  await host.open()
  await host.enterCode(inbox)
  const question = host.dialog.getByRole('heading', { name: 'One last step' })
  await expect(question).toBeVisible()
  await host.page.reload()
  await host.byTestId('login').click()
  await expect(question).toBeVisible()
  await host.dialog.getByRole('button', { name: 'Accept' }).click()
  await host.dialogCloses()
  await expect(host.byTestId('user-email')).toHaveText(inbox.address)
})
