import { setFaults } from '../stack/faults.ts'
import { expect, test } from '../test.ts'

// spec L2.26, L4.17, L8.10
test('a rejecting mail server causes the error screen, and its button leads back to the address', async ({
  host,
  inbox,
  stack,
}) => {
  await host.open()
  await host.openLogin()
  await setFaults(stack, { smtp: 'refuse' })
  try {
    await host.emailField.fill(inbox.address)
    await host.emailField.press('Enter')
    await expect(host.dialog.getByText('Something went wrong')).toBeVisible()
    await expect(host.dialog.getByText('Try again later')).toBeVisible()
  } finally {
    await setFaults(stack, { smtp: 'none' })
  }
  await host.dialog.getByRole('button', { name: 'Try again', exact: true }).click()
  await expect(host.emailField).toHaveValue(inbox.address)
  await host.emailField.press('Enter')
  await expect(host.codeFields).toHaveCount(6)
  await host.typeCode(await inbox.nextCode())
  await expect(host.byTestId('user-email')).toHaveText(inbox.address)
})
