import { openInbox } from '@latchkey/sandbox'
import { readDatabase } from '../stack/database.ts'
import { appId, appName } from '../stack/stack.ts'
import { expect, test } from '../test.ts'

test.describe('an app with an allowlist', () => {
  test.use({
    settings: [
      'allowlist_enabled=true',
      'allowlist_config={"error_title":"Closed test","error_detail":"Ask Mira.","cta_text":"Join the list","cta_link":"https://fieldnotes.example/list"}',
    ],
  })

  // spec L6.3, L2.35, L2.37
  test('shows its own text and link to an unlisted user, and logs in a listed one', async ({
    host,
    inbox,
    stack,
  }) => {
    await host.open()
    await host.openLogin()
    await host.askForCode(inbox.address)
    await host.typeCode(await inbox.nextCode())
    await expect(host.dialog.getByText('Closed test')).toBeVisible()
    await expect(host.dialog.getByText('Ask Mira.')).toBeVisible()
    await expect(host.dialog.getByRole('link', { name: 'Join the list' })).toHaveAttribute(
      'href',
      'https://fieldnotes.example/list',
    )
    await host.dialog.getByRole('button', { name: 'Close' }).click()
    await expect(host.byTestId('event-log')).toContainText('exited_auth_flow')
    await stack.app('allowlist', appId, 'add', 'email', inbox.address)
    await host.logIn(inbox)
  })
})

// spec L2.39, L8.14
test('an app that has reached its user limit shows an error', async ({ host, inbox, stack }) => {
  await host.open()
  await host.logIn(openInbox(stack.sandboxUrl, 'first'))
  await host.byTestId('logout').click()
  // Other tests of this stack created and deleted users, in this and other apps.
  const [users] = readDatabase(
    stack.databaseFile,
    'select count(*) as count from users where app_id = ? and deleted_at is null',
    appId,
  )
  await stack.app('set', appId, `max_users=${users?.count}`)
  await host.openLogin()
  await host.askForCode(inbox.address)
  await host.typeCode(await inbox.nextCode())
  await expect(host.dialog.getByText('Unable to sign in')).toBeVisible()
})

test.describe('an app with a logo and both links', () => {
  const logo =
    'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  test.use({
    settings: [
      `logo_url=${logo}`,
      'terms_and_conditions_url=https://fieldnotes.example/terms',
      'privacy_policy_url=https://fieldnotes.example/privacy',
    ],
  })

  // spec L1.15, L2.6
  test('shows the logo, and the legal line with both links', async ({ host }) => {
    await host.open()
    await host.openLogin()
    const image = host.dialog.getByRole('img', { name: appName })
    await expect(image).toHaveAttribute('src', logo)
    await expect.poll(() => image.evaluate((one) => 'naturalWidth' in one && one.naturalWidth)).toBe(1)
    await expect(host.card).toContainText('By logging in I agree to the Terms & Privacy Policy')
    await expect(host.dialog.getByRole('link', { name: /Terms/ })).toHaveAttribute(
      'href',
      'https://fieldnotes.example/terms',
    )
    await expect(host.dialog.getByRole('link', { name: /Privacy Policy/ })).toHaveAttribute('rel', /noopener/)
  })
})

// spec L2.5, L2.7
test('the footer shows the product name, and no legal line without both links', async ({ host, stack }) => {
  for (const link of ['', 'terms_and_conditions_url', 'privacy_policy_url']) {
    await stack.useSettings(link ? [`${link}=https://fieldnotes.example/legal`] : [])
    await host.open()
    await host.openLogin()
    await expect(host.dialog.getByText('Protected by Latchkey')).toBeVisible()
    await expect(host.card).not.toContainText('By logging in I agree')
    await expect(host.card).toContainText(appName.slice(0, 1))
  }
})

// spec W7.20, W7.42
test('the wallet frame is hidden, has its own path, and calls only the wallet API', async ({
  host,
  inbox,
  page,
  stack,
}) => {
  const paths = new Set<string>()
  page.on('request', (request) => {
    const { origin, pathname } = new URL(request.url())
    if (origin === stack.walletOrigin && pathname.startsWith('/api/')) paths.add(pathname)
  })
  await host.open()
  await host.logIn(inbox)
  const frame = host.dialog.locator('iframe')
  await expect(frame).toHaveCount(1)
  await expect(frame).toBeHidden()
  await expect(frame).toHaveAttribute(
    'src',
    new RegExp(`/apps/${appId}/embedded-wallets\\?caid=[^&]+&client_id=`),
  )
  const { apiRoutes } = await import('@latchkey/protocol/api')
  const apiPaths = Object.values(apiRoutes).map((route) => `/api/v1${route.path}`)
  expect(paths.size).toBeGreaterThan(0)
  for (const path of paths) expect(apiPaths).toContain(path)
})

test('a host page in Arabic gets Arabic mails in any browser language', async ({ host, inbox }) => {
  await host.open()
  await host.byTestId('language').selectOption('ar')
  await host.byTestId('login').click()
  const email = host.dialog.getByRole('textbox', { name: 'البريد الإلكتروني' })
  await email.fill(inbox.address)
  await email.press('Enter')
  const { subject, html } = await inbox.nextMail()
  expect(subject).toMatch(new RegExp(`^[0-9]{6} هو رمزك في ${appName}$`))
  expect(html).toContain('<html lang="ar" dir="rtl">')
  await expect(host.dialog.getByRole('textbox')).toHaveCount(6)
  await expect(host.dialog.getByRole('textbox').first()).toBeFocused()
  await host.typeCode(subject.slice(0, 6))
  await expect(host.byTestId('user-email')).toHaveText(inbox.address)
})
