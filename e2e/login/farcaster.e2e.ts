import { expectNoViolations } from '../pages/axe.ts'
import type { HostPage } from '../pages/host-page.ts'
import { call, logInByEmail } from '../pages/page-calls.ts'
import { FarcasterPhones } from '../phones/farcaster.ts'
import { readDatabase } from '../stack/database.ts'
import type { Stack } from '../stack/stack.ts'
import { test as base, expect } from '../test.ts'

type Fixtures = {
  relay: FarcasterPhones
}
const test = base.extend<Fixtures>({
  relay: async ({ stack }, use) => use(new FarcasterPhones(stack)),
})

test.use({ settings: ['farcaster_auth=true'] })
test.afterEach(({ relay }) => relay.setFault('none'))

const codeIn = ({ dialog }: HostPage) =>
  dialog.getByRole('img', { name: 'Code that opens your Farcaster app' })
const says = ({ dialog }: HostPage, text: string) => dialog.getByText(text, { exact: true })

/** Goes from LANDING to the QR code. */
async function chooseFarcaster(host: HostPage) {
  await host.methodRow('Farcaster').click()
  await expect(codeIn(host)).toBeVisible()
}

const getUsers = (stack: Stack) =>
  readDatabase(stack.databaseFile, 'select user_id from linked_accounts where type = ?', 'farcaster').length

// spec L1.6, L2.30, L4.31, L7.31, L7.38
test("a phone's approval logs in the same user each time", async ({ host, page, relay, somebody, stack }) => {
  const usersBefore = getUsers(stack)
  await host.open()
  await host.openLogin()
  await chooseFarcaster(host)
  await expectNoViolations(page, 'code')
  await relay.phone(somebody)
  await expect(host.dialog.getByRole('heading', { name: 'Connected to Farcaster' })).toBeVisible()
  const wallet = await host.walletAddress()
  await host.dialogCloses()
  await host.byTestId('logout').click()

  await host.openLogin()
  await chooseFarcaster(host)
  await relay.phone(somebody)
  await expect(host.byTestId('wallet-address')).toHaveAttribute('data-address', wallet)
  expect(getUsers(stack)).toBe(usersBefore + 1)
})

test.describe('on a phone', () => {
  test.use({
    userAgent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Safari/604.1',
    viewport: { width: 390, height: 844 },
    hasTouch: true,
  })

  // spec L2.30
  test('a link opens the app, and approving there logs the user in after the return', async ({
    context,
    host,
    page,
    somebody,
  }) => {
    await host.open()
    await host.openLogin()
    await host.dialog.getByRole('button', { name: 'Farcaster' }).click()
    const link = host.dialog.getByRole('link', { name: 'Take me to Warpcast' })
    await expectNoViolations(page, 'link')
    const [app] = await Promise.all([context.waitForEvent('page'), link.click()])
    await expect(app.getByText('demo.localhost')).toBeVisible()
    await app.getByRole('textbox', { name: 'Somebody else' }).fill(somebody)
    await app.getByRole('button', { name: 'Sign in', exact: true }).click()
    await expect(app.getByRole('heading', { name: 'Signed in' })).toBeVisible()
    await app.close()
    await host.walletAddress()
  })
})

// spec L8.21, L8.23
test('an invalid approval shows an error, and Retry creates a new request', async ({
  host,
  relay,
  somebody,
}) => {
  await host.open()
  await host.openLogin()
  await chooseFarcaster(host)
  const table = [
    ['stolen', 'Something went wrong. Try again.'],
    ['forgotten', 'Something went wrong. Try again.'],
    ['wrong-domain', 'Something went wrong. Please try again.'],
  ] as const
  for (const [wrong, text] of table) {
    const { opened } = await relay.channels()
    await relay.phone(somebody, wrong)
    await expect(host.dialog.getByRole('heading', { name: 'Authentication failed' })).toBeVisible()
    await expect(says(host, text)).toBeVisible()
    await host.dialog.getByRole('button', { name: 'Retry' }).click()
    await expect(codeIn(host)).toBeVisible()
    expect((await relay.channels()).opened).toBe(opened + 1)
  }
  await relay.phone(somebody)
  await host.walletAddress()
})

const linkRow = ({ dialog }: HostPage) => dialog.getByRole('button', { name: 'Continue with Farcaster' })

// spec L1.6, L7.15
test('a host page links an account, which becomes a login method, and the user unlinks it', async ({
  host,
  inbox,
  page,
  relay,
  somebody,
}) => {
  await host.openOneLine()
  await logInByEmail({ page, host, inbox })
  const linked = call(page, 'linkFarcaster')
  await expect(host.dialog.getByRole('heading', { name: 'Link your Farcaster account' })).toBeVisible()
  await linkRow(host).click()
  await expect(codeIn(host)).toBeVisible()
  await relay.phone(somebody)
  const { linkedAccounts } = await linked
  const { fid } = linkedAccounts.find(({ type }) => type === 'farcaster') ?? {}
  expect(fid).toEqual(expect.any(Number))
  await host.dialogCloses()

  await call(page, 'logout')
  const again = call(page, 'login')
  await chooseFarcaster(host)
  await relay.phone(somebody)
  expect(await again).toMatchObject({
    user: { email: { address: inbox.address } },
    loginMethod: 'farcaster',
  })
  await host.dialogCloses()

  const unlinked = call(page, 'unlinkFarcaster', String(fid))
  await expect(host.dialog.getByRole('heading', { name: 'Unlink your Farcaster account?' })).toBeVisible()
  await host.dialog.getByRole('button', { name: 'Unlink' }).click()
  expect((await unlinked).linkedAccounts.map(({ type }) => type)).not.toContain('farcaster')
})
