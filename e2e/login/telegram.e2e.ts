import type { Page } from '@playwright/test'
import { expectNoViolations } from '../pages/axe.ts'
import { confirmAs, cutsWindowsOff, openWindow, typeDigits } from '../pages/login-window.ts'
import { call, logInByEmail } from '../pages/page-calls.ts'
import { setFaults } from '../stack/faults.ts'
import { watchRequests } from '../stack/https/front.ts'
import { appId, type Stack } from '../stack/stack.ts'
import { telegramOn } from '../stack/ways-in.ts'
import { test as base, expect } from '../test.ts'

type Fixtures = {
  /** Presses a button that leads to Telegram and returns the window that opens. */
  press: (name?: string) => Promise<Page>
}

const test = base.extend<Fixtures>({
  press: async ({ context, host }, use) =>
    use((name = 'Telegram') => openWindow(context, host.methodRow(name))),
})

test.use({ settings: [...telegramOn] })
test.afterEach(({ stack }) => setFaults(stack, { telegram: 'none', telegramPage: 'none' }))

// spec L1.7, L4.34, L4.35, L7.25, L7.32
test('a user logs in with Telegram, and is the same user the next time', async ({
  host,
  page,
  press,
  somebody,
  stack,
}) => {
  const getRequests = watchRequests(stack)
  const policies: string[] = []
  page.on('console', (line) => {
    if (/Content Security Policy|Trusted/.test(line.text())) policies.push(line.text())
  })
  await host.open()
  await host.openLogin()
  const telegram = await press()
  await expect(host.dialog.getByRole('heading', { name: 'Waiting for Telegram' })).toBeVisible()
  await expectNoViolations(page, 'waiting')
  await expect(telegram.getByText('@FieldnotesBot')).toBeVisible()
  const navigation = { method: 'GET', site: 'same-origin', mode: 'navigate', dest: 'document' }
  expect(getRequests('/telegram/start/')[0]).toMatchObject(navigation)
  await confirmAs(telegram, somebody)
  await expect(host.dialog.getByRole('heading', { name: 'Connected to Telegram' })).toBeVisible()
  await expect.poll(() => telegram.isClosed()).toBe(true)
  const wallet = await host.walletAddress()
  await host.dialogCloses()
  await host.byTestId('logout').click()

  await host.openLogin()
  await confirmAs(await press(), somebody)
  await expect(host.byTestId('wallet-address')).toHaveAttribute('data-address', wallet)
  expect(policies).toEqual([])
})

// Telegram uses the window of OAuth logins; oauth.e2e.ts covers every combination of policies.
test.describe('with opener policies', () => {
  for (const [ofHost, path, ofTelegram] of [
    ['none', '/', 'same-origin'],
    ['same-origin', '/?coop=1', 'same-origin-allow-popups'],
  ] as const) {
    // spec L9.7
    test(`Telegram logs in where the host's policy is ${ofHost} and Telegram's is ${ofTelegram}`, async ({
      host,
      press,
      somebody,
      stack,
    }) => {
      await setFaults(stack, { telegramPage: ofTelegram })
      await stack.app('set', appId, cutsWindowsOff(ofHost === 'same-origin'))
      await host.open(path)
      await host.openLogin()
      const telegram = await press()
      if (ofHost === 'same-origin') await typeDigits(telegram, host.dialog)
      await expect(telegram.getByText('@FieldnotesBot')).toBeVisible()
      const returned = telegram.waitForRequest(
        (request) => request.method() === 'POST' && request.url().includes('/telegram/return/'),
      )
      await confirmAs(telegram, somebody)
      await returned
      await host.walletAddress()
      await host.dialogCloses()
    })
  }
})

// spec L8.33, L8.37, L4.37
test('a window in which the user declines, or that the user closes, can be opened again', async ({
  context,
  host,
  page,
  press,
  somebody,
}) => {
  await host.open()
  await host.openLogin()
  await (await press()).getByRole('button', { name: 'Decline' }).click()
  await expect(host.dialog.getByRole('heading', { name: 'Authentication failed' })).toBeVisible()
  await expect(
    host.dialog.getByText('Retry and check Telegram to finish connecting your account.'),
  ).toBeVisible()
  await expectNoViolations(page, 'declined')
  const pressAndOpen = async (name: string) => openWindow(context, host.dialog.getByRole('button', { name }))
  const second = await pressAndOpen('Retry')
  await expect(second.getByText('@FieldnotesBot')).toBeVisible()
  await second.close()
  await expect(host.dialog.getByText('If you closed the Telegram window, try again.')).toBeVisible()
  const third = await pressAndOpen('Try again')
  await confirmAs(third, somebody)
  await host.walletAddress()
})

// spec L2.13, L7.26, L8.36
test('an id alone in the address, and data that is old or signed by another bot, do not log in', async ({
  host,
  page,
  press,
}) => {
  await host.open('/?id=42&hash=c303')
  await host.openLogin()
  await expect(host.methodRow('Telegram')).toBeVisible()
  expect(new URL(page.url()).search).toBe('?id=42&hash=c303')
  for (const way of ['Answer of an hour ago', 'Answer that another bot signed']) {
    await (await press()).getByRole('button', { name: way }).click()
    await expect(host.dialog.getByText('Something went wrong. Try again.')).toBeVisible()
    await expect(host.dialog.getByRole('button', { name: 'Retry' })).toBeVisible()
    await host.dialog.getByRole('button', { name: 'Back', exact: true }).click()
    await expect(host.emailField).toBeVisible()
  }
})

// spec L7.16, L5.18
test('a host page links an account, which becomes a login method, and the user unlinks it', async ({
  host,
  inbox,
  page,
  press,
  somebody,
  stack,
}) => {
  await host.openOneLine()
  await logInByEmail({ page, host, inbox })

  const linked = call(page, 'linkTelegram')
  await expect(host.dialog.getByRole('heading', { name: 'Link your Telegram account' })).toBeVisible()
  await expectNoViolations(page, 'linking')
  await confirmAs(await press('Continue with Telegram'), somebody)
  const account = (await linked).linkedAccounts.find(({ type }) => type === 'telegram')
  if (account?.telegramUserId === undefined) throw new Error('No account was linked')
  await host.dialogCloses()

  await call(page, 'logout')
  const again = call(page, 'login')
  await confirmAs(await press(), somebody)
  expect(await again).toMatchObject({ user: { email: { address: inbox.address } }, loginMethod: 'telegram' })
  await host.dialogCloses()

  const unlinked = call(page, 'unlinkTelegram', account.telegramUserId)
  await expect(host.dialog.getByText(account.username ?? 'no name')).toBeVisible()
  await host.dialog.getByRole('button', { name: 'Unlink' }).click()
  expect((await unlinked).linkedAccounts.map(({ type }) => type)).not.toContain('telegram')
  await host.dialogCloses()

  await stack.app('set', appId, 'telegram_auth_config.link_enabled=false')
  await page.reload()
  await page.waitForFunction('window.latchkey')
  await expect
    .poll(async () => (await call(page, 'linkTelegram')).code, { timeout: 10_000 })
    .toBe('disallowed_login_method')
})

/** Returns the parameters with which a button of the sandbox's bot opens a page. */
async function getButtonParameters(
  stack: Stack,
  form: 'login' | 'web-app',
  person: string,
): Promise<URLSearchParams> {
  const response = await fetch(`${stack.sandboxUrl}/api/telegram/${form}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ person }),
  })
  const fields: Record<string, string | number> = await response.json()
  return new URLSearchParams(Object.entries(fields).map(([name, value]) => [name, String(value)]))
}

// spec L2.12, L2.14, L3.25
test('a page that Telegram or its bot opened logs in without a click, and removes the data from its address', async ({
  host,
  page,
  somebody,
  stack,
}) => {
  const fragment = new URLSearchParams({
    tgWebAppData: (await getButtonParameters(stack, 'web-app', somebody)).toString(),
    tgWebAppVersion: '8.0',
  })
  await host.open(`/?page=2#${fragment}`)
  await expect(host.dialog.getByRole('heading', { name: 'Connected to Telegram' })).toBeVisible()
  const wallet = await host.walletAddress()
  await host.dialogCloses()
  expect(new URL(page.url()).hash).toBe('#tgWebAppVersion=8.0')
  await host.byTestId('logout').click()
  await expect(host.byTestId('login')).toBeVisible()

  const query = await getButtonParameters(stack, 'login', somebody)
  await host.open(`/?page=2&${query}`)
  await expect(host.byTestId('wallet-address')).toHaveAttribute('data-address', wallet)
  expect(new URL(page.url()).search).toBe('?page=2')
})
