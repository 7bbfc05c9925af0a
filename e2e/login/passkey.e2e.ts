import { expectNoViolations } from '../pages/axe.ts'
import type { HostPage } from '../pages/host-page.ts'
import { beginCall } from '../pages/page-calls.ts'
import { addDevice, type Device } from '../pages/passkey-device.ts'
import { test as base, expect } from '../test.ts'

type CallResult = {
  user?: { id: string; linkedAccounts: readonly Record<string, unknown>[] }
  code?: string
}
const begin = beginCall<CallResult>

const test = base.extend<{ device: Device; suggestsPasskeys: boolean }>({
  suggestsPasskeys: [false, { option: true }],
  device: async ({ page, suggestsPasskeys }, use) =>
    use(await addDevice(page, { autofill: suggestsPasskeys })),
})
const addButton = (host: HostPage) => host.dialog.getByRole('button', { name: 'Add new passkey' })
const entry = (host: HostPage) => host.dialog.getByRole('button', { name: 'I have a passkey' })
const listed = (host: HostPage) => host.dialog.getByRole('button', { name: /Unlink$/ })
const getPasskeys = ({ user }: CallResult) =>
  user?.linkedAccounts.filter(({ type }) => type === 'passkey').map(({ credentialId }) => credentialId) ?? []

async function addPasskey(host: HostPage): Promise<CallResult> {
  const linked = await begin(host.page, 'linkPasskey')
  await addButton(host).click()
  await expect(host.dialog.getByRole('heading', { name: 'Passkey added' })).toBeVisible()
  const ended = await linked()
  await host.dialogCloses()
  return ended
}

test.use({ settings: ['passkey_auth=true'] })
test.beforeEach(async ({ device, host, inbox, page }) => {
  await host.openOneLine()
  expect(await device.passkeys()).toBe(0)
  await begin(page, 'login')
  await host.askForCode(inbox.address)
  await host.typeCode(await inbox.nextCode())
  await host.dialogCloses()
})

// spec L1.5, L2.21, L2.32, L2.52, L2.53, L4.33, L7.33, L7.40
test('a linked passkey logs the same user in, and is removed from the device when it is unlinked', async ({
  device,
  host,
  page,
}) => {
  const linked = await begin(page, 'linkPasskey')
  await expect(host.dialog.getByRole('heading', { name: 'Your passkeys' })).toBeVisible()
  await expectNoViolations(page, 'linking a passkey')
  await addButton(host).click()
  await expect(host.dialog.getByRole('heading', { name: 'Passkey added' })).toBeVisible()
  const { user } = await linked()
  await host.dialogCloses()
  expect(await device.passkeys()).toBe(1)

  await page.evaluate(() => latchkey.logout())
  const loggedIn = await begin(page, 'login')
  await expect(entry(host)).toBeVisible()
  await expectNoViolations(page, 'landing with a passkey')
  await entry(host).click()
  await expect(host.dialog.getByRole('heading', { name: 'Success' })).toBeVisible()
  await host.dialogCloses()
  expect(await loggedIn()).toMatchObject({
    user: {
      user: { id: user?.id },
      isNewUser: false,
      loginMethod: 'passkey',
      loginAccount: { type: 'passkey' },
    },
  })

  await begin(page, 'linkPasskey')
  await listed(host).first().click()
  await host.dialog.getByRole('button', { name: 'Unlink', exact: true }).click()
  await expect.poll(device.passkeys).toBe(0)
})

test.describe('in a browser that suggests passkeys', () => {
  test.use({ suggestsPasskeys: true })

  test("selecting the passkey in the e-mail field logs its user in, in the page's frame", async ({
    host,
    page,
  }) => {
    const { user } = await addPasskey(host)
    await page.evaluate(() => latchkey.logout())
    // The virtual authenticator selects its passkey as soon as the field has the focus.
    const loggedIn = await begin(page, 'login')
    await expect(host.dialog.getByRole('heading', { name: 'Success' })).toBeVisible()
    await host.dialogCloses()
    expect(await loggedIn()).toMatchObject({
      user: { user: { id: user?.id }, isNewUser: false, loginMethod: 'passkey' },
    })
  })
})

// spec L2.32, L8.29, L8.31
test('a request that the user cancels can be repeated, and one that waits for the device can be left', async ({
  device,
  host,
  inbox,
  page,
}) => {
  const { user } = await addPasskey(host)
  await page.evaluate(() => latchkey.logout())
  await device.setVerifiesUser(false)
  const loggedIn = await begin(page, 'login')
  await entry(host).click()
  await expect(host.dialog.getByText('Passkey request timed out or rejected by user.')).toBeVisible()
  await expect(
    host.dialog.getByText('You will have to sign up with another method first to register a passkey'),
  ).toBeVisible()
  await expectNoViolations(page, 'a passkey refused')
  await device.setVerifiesUser(true)
  await host.dialog.getByRole('button', { name: 'Retry' }).click()
  await host.dialogCloses()
  expect(await loggedIn()).toMatchObject({ user: { user: { id: user?.id } } })

  await page.evaluate(() => latchkey.logout())
  await device.setPresent(false)
  const again = await begin(page, 'login')
  await entry(host).click()
  await expect(host.dialog.getByRole('heading', { name: 'Waiting for your passkey' })).toBeVisible()
  await expectNoViolations(page, 'waiting for a passkey')
  await host.dialog.getByRole('button', { name: 'Back' }).click()
  await host.askForCode(inbox.address)
  await host.typeCode(await inbox.nextCode())
  expect(await again()).toMatchObject({ user: { loginMethod: 'email' } })
})

// spec L5.15, L2.54, L2.55, L7.17
test('at most five passkeys are linked, and each can be unlinked', async ({ device, host, page }) => {
  // Seven cards in a row.
  test.slow()
  for (let count = 1; count <= 5; count += 1) {
    expect(getPasskeys(await addPasskey(host))).toHaveLength(count)
    await device.replace()
  }
  const left = await begin(page, 'linkPasskey')
  await expect(listed(host)).toHaveCount(2)
  await expect(addButton(host)).toHaveCount(0)
  await host.dialog.getByRole('button', { name: 'View all' }).click()
  await expect(listed(host)).toHaveCount(5)
  await expect(host.dialog.locator(':focus').getByRole('button')).toHaveCount(5)
  await expectNoViolations(page, 'five passkeys')

  await listed(host).first().click()
  await expect(host.dialog.getByRole('heading', { name: 'Unlink your passkey?' })).toBeVisible()
  await host.dialog.getByRole('button', { name: 'Keep it' }).click()
  await expect(addButton(host)).toHaveCount(0)

  await listed(host).first().click()
  await host.dialog.getByRole('button', { name: 'Unlink', exact: true }).click()
  await addButton(host).click()
  expect(getPasskeys(await left())).toHaveLength(5)
  await host.dialogCloses()
})
