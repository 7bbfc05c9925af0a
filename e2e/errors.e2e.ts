import { expect, test } from './test.ts'

// spec L2.26, L4.17, L8.10
test('a mail server that refuses: the error screen says so, and its button leads back to the address', async ({
  host,
  inbox,
  stack,
}) => {
  const setMail = (smtp: 'refuse' | 'none') =>
    fetch(`${stack.sandboxUrl}/api/faults`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ smtp }),
    })
  await host.open()
  await host.openLogin()
  expect((await setMail('refuse')).ok).toBe(true)
  try {
    await host.emailField.fill(inbox.address)
    await host.emailField.press('Enter')
    await expect(host.dialog.getByText('Something went wrong')).toBeVisible({ timeout: 30_000 })
    await expect(host.dialog.getByText('Try again later')).toBeVisible()
  } finally {
    await setMail('none')
  }
  await host.dialog.getByRole('button', { name: 'Try again', exact: true }).click()
  await expect(host.emailField).toHaveValue(inbox.address)
  await host.emailField.press('Enter')
  await expect(host.codeFields).toHaveCount(6)
  await host.typeCode(await inbox.nextCode())
  await expect(host.byTestId('user-email')).toHaveText(inbox.address, { timeout: 20_000 })
})
