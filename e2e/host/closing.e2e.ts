import { expect, test } from '../test.ts'

test.describe('closing the dialog rejects the call of the host', () => {
  test.beforeEach(async ({ host }) => {
    await host.open()
    await host.openLogin()
  })

  test('by its button on the landing', async ({ host }) => {
    await host.dialog.getByRole('button', { name: 'Close' }).click()
    await host.dialogCloses()
    await expect(host.byTestId('event-log')).toContainText('exited_auth_flow')
  })

  test('by Escape on the landing', async ({ host }) => {
    await host.escape()
    await host.dialogCloses()
    await expect(host.byTestId('event-log')).toContainText('exited_auth_flow')
    await expect(host.byTestId('login')).toBeFocused()
  })

  test('by its button on the code screen', async ({ host, inbox }) => {
    await host.askForCode(inbox.address)
    await host.dialog.getByRole('button', { name: 'Close' }).click()
    await host.dialogCloses()
    await expect(host.byTestId('event-log')).toContainText('exited_auth_flow')
  })

  // spec L4.11
  test('and the next call starts on the landing', async ({ host, inbox }) => {
    await host.askForCode(inbox.address)
    await host.dialog.getByRole('button', { name: 'Close' }).click()
    await host.dialogCloses()
    await host.openLogin()
    await expect(host.codeFields).toHaveCount(0)
    await expect(host.emailField).toHaveValue('')
  })
})

// spec W4.16, W8.21
test('closing the sign screen rejects with 4001 and signs nothing', async ({ host, inbox }) => {
  await host.open()
  await host.logIn(inbox)
  await host.walletAddress()
  await host.byTestId('sign-input').fill('Not today')
  await host.byTestId('sign').click()
  await expect(host.dialog.getByText('Not today')).toBeVisible()
  await host.dialog.getByRole('button', { name: 'Close' }).click()
  await host.dialogCloses()
  await expect(host.byTestId('event-log')).toContainText('user_rejected_request')
  await expect(host.byTestId('event-log')).toContainText('The user rejected the request')
  await expect(host.byTestId('signature')).not.toHaveAttribute('data-signature', /0x/)
})
