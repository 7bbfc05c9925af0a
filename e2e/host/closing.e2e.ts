import { expect, test } from '../test.ts'

// spec L4.11
test('closing the dialog rejects the call of the host, and the next call starts on the landing', async ({
  host,
  inbox,
}) => {
  const rejections = async () =>
    ((await host.byTestId('event-log').textContent()) ?? '').split('exited_auth_flow').length - 1
  await host.open()
  await host.openLogin()
  await host.dialog.getByRole('button', { name: 'Close' }).click()
  await host.dialogCloses()
  await expect.poll(rejections).toBe(1)

  await host.openLogin()
  await host.escape()
  await host.dialogCloses()
  await expect.poll(rejections).toBe(2)
  await expect(host.byTestId('login')).toBeFocused()

  await host.openLogin()
  await host.askForCode(inbox.address)
  await host.dialog.getByRole('button', { name: 'Close' }).click()
  await host.dialogCloses()
  await expect.poll(rejections).toBe(3)
  await host.openLogin()
  await expect(host.codeFields).toHaveCount(0)
  await expect(host.emailField).toHaveValue('')
})

test.describe('a user with a wallet', () => {
  test.use({ isLoggedIn: true })

  // spec W4.16, W8.21
  test('closing the sign screen rejects with 4001 and signs nothing', async ({ host }) => {
    await host.open()
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
})
