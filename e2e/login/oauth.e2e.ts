import type { Page } from '@playwright/test'
import { expectNoViolations } from '../pages/axe.ts'
import type { HostPage } from '../pages/host-page.ts'
import { confirmAs, cutsWindowsOff, openWindow, typeDigits } from '../pages/login-window.ts'
import { beginCall, type CallResult, call, logInByEmail, recordEvent } from '../pages/page-calls.ts'
import { readDatabase } from '../stack/database.ts'
import { setFaults } from '../stack/faults.ts'
import { watchRequests } from '../stack/https/front.ts'
import { appId, type Stack } from '../stack/stack.ts'
import { test as base, expect } from '../test.ts'

type Fixtures = {
  /** Presses a provider's row and returns the window that opens. */
  press: (title: string) => Promise<Page>
}

const test = base.extend<Fixtures>({
  press: async ({ context, host }, use) => use((name) => openWindow(context, host.methodRow(name))),
})

/** LANDING shows this many methods at once. */
test.use({ settings: ['google_oauth=true', 'apple_oauth=true', 'twitter_oauth=true'] })
test.afterEach(({ stack }) => setFaults(stack, { oauth: 'none', oauthPage: 'none' }))

const getUsers = (stack: Stack, type: string) =>
  readDatabase(stack.databaseFile, 'select user_id from linked_accounts where type = ?', type)

for (const { title, name, method } of [
  { title: 'Google', name: 'google', method: 'GET' },
  { title: 'Apple', name: 'apple', method: 'POST' },
]) {
  const type = `${name}_oauth`
  // spec L1.8, L2.41, L4.35, L7.30, L7.37
  test(`a user logs in with ${title}, and is the same user the next time`, async ({
    context,
    host,
    press,
    somebody,
    stack,
  }) => {
    const getRequests = watchRequests(stack)
    const usersBefore = getUsers(stack, type).length
    await host.open()
    await host.openLogin()
    const provider = await press(title)
    await expect(host.dialog.getByRole('heading', { name: `Waiting for ${title}` })).toBeVisible()
    await provider.getByRole('button', { name: 'Deny' }).waitFor()
    expect(new URL(provider.url()).origin).toBe(stack.visitedSandboxUrl)
    const [start] = getRequests('/oauth/start/')
    expect(start).toMatchObject({ method: 'GET', site: 'same-origin', mode: 'navigate', dest: 'document' })
    expect(new URL(start?.url ?? '').origin).toBe(stack.dialogOrigin)
    const cookies = await context.cookies(stack.dialogOrigin)
    const hostCookies = cookies.filter(({ name }) => name.startsWith('__Host-'))
    expect(hostCookies.length).toBeGreaterThan(0)
    for (const cookie of hostCookies) {
      expect(cookie).toMatchObject({ domain: 'dialog.localhost', path: '/', secure: true, httpOnly: true })
    }
    await confirmAs(provider, somebody)
    await expect(host.dialog.getByRole('heading', { name: `Connected to ${title}` })).toBeVisible()
    await expect.poll(() => provider.isClosed()).toBe(true)
    const wallet = await host.walletAddress()
    const [back] = getRequests(`/oauth/callback/${name}`)
    expect(back).toMatchObject({ method, site: 'cross-site', mode: 'navigate', dest: 'document' })
    await host.dialogCloses()
    await host.byTestId('logout').click()

    await host.openLogin()
    await confirmAs(await press(title), somebody)
    await expect(host.byTestId('wallet-address')).toHaveAttribute('data-address', wallet)
    expect(getUsers(stack, type)).toHaveLength(usersBefore + 1)
  })
}

// spec L4.37, L8.33, L8.37, L9.7
test('a window that is denied, closed, left or blocked can be opened again, and logs in', async ({
  context,
  host,
  page,
  press,
  somebody,
}) => {
  const { dialog } = host
  const pressAndOpen = async (name: string) => openWindow(context, dialog.getByRole('button', { name }))
  const isAtProvider = (provider: Page) =>
    expect(provider.getByRole('button', { name: 'Deny' })).toBeVisible()
  await page.addInitScript(() => {
    const { open } = window
    window.open = (...call) => (Reflect.get(globalThis, 'isBlocking') ? null : open.apply(window, call))
  })
  await host.open()
  await host.openLogin()

  const denied = await press('Google')
  await denied.getByRole('button', { name: 'Deny' }).click()
  await expect(dialog.getByRole('heading', { name: 'Authentication failed' })).toBeVisible()
  await expect(dialog.getByText('Retry and check Google to finish connecting your account.')).toBeVisible()
  await expectNoViolations(page, 'denied')

  const closed = await pressAndOpen('Retry')
  await isAtProvider(closed)
  await closed.close()
  await expect(dialog.getByText('If you closed the Google window, try again.')).toBeVisible()
  await expectNoViolations(page, 'closed')

  const left = await pressAndOpen('Try again')
  await isAtProvider(left)
  await dialog.getByRole('button', { name: 'Back', exact: true }).click()
  await expect.poll(() => left.isClosed()).toBe(true)
  await expect(host.emailField).toBeVisible()

  const blockWindows = (isBlocking: boolean) =>
    dialog
      .locator('html')
      .evaluate((_, value) => Object.assign(globalThis, { isBlocking: value }), isBlocking)
  await blockWindows(true)
  await host.methodRow('Google').click()
  await expect(dialog.getByRole('button', { name: 'Continue with Google' })).toBeVisible()
  await expectNoViolations(page, 'blocked')
  await blockWindows(false)
  await confirmAs(await pressAndOpen('Continue with Google'), somebody)
  await host.walletAddress()
})

for (const { ofHost, path, ofProviders, again } of [
  {
    ofHost: 'none',
    path: '/',
    // The tests above log in without policies.
    ofProviders: ['same-origin', 'same-origin-allow-popups'],
    again: 'Try again',
  },
  {
    ofHost: 'same-origin',
    path: '/?coop=1',
    ofProviders: ['none', 'same-origin', 'same-origin-allow-popups'],
    again: 'Continue with Google',
  },
]) {
  // spec L9.7
  test(`logs in with the opener policy ${ofHost} of the host and each of the provider`, async ({
    host,
    press,
    somebody,
    stack,
  }) => {
    const isCutOff = ofHost === 'same-origin'
    await stack.app('set', appId, cutsWindowsOff(isCutOff))
    await host.open(path)
    for (const ofProvider of ofProviders) {
      await setFaults(stack, { oauthPage: ofProvider })
      await host.openLogin()
      const provider = await press('Google')
      if (isCutOff) await typeDigits(provider, host.dialog)
      await expect(host.dialog.getByRole('button', { name: again })).toBeVisible()
      expect(provider.isClosed()).toBe(false)
      await confirmAs(provider, somebody)
      await host.walletAddress()
      await host.dialogCloses()
      await host.byTestId('logout').click()
    }
  })
}

// spec L2.42, L9.21
test.describe('in an in-app browser', () => {
  test.use({ userAgent: 'Mozilla/5.0 (Linux; Android 15; wv) Chrome/140 Mobile [FB_IAB/FB4A;FBAV/470.0;]' })
  test('Google shows at once that it is not supported', async ({ host, page }) => {
    await host.open()
    await host.openLogin()
    await host.methodRow('Google').click()
    await expect(host.dialog.getByRole('heading', { name: 'Could not log in with provider' })).toBeVisible()
    await expectNoViolations(page, 'in-app browser')
    await host.dialog.getByRole('button', { name: 'Go back' }).click()
    await expect(host.emailField).toBeVisible()
  })
})

test.describe('on a phone', () => {
  test.use({
    userAgent: 'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/140 Mobile Safari/537.36',
    viewport: { width: 390, height: 780 },
  })

  // spec L2.8, L2.41, L8.37
  test('the page redirects to the provider, and returns to its place with an error or logged in', async ({
    context,
    host,
    page,
    somebody,
  }) => {
    const failed = host.dialog.getByRole('heading', { name: 'Authentication failed' })
    await host.open('/?kept=1')
    await host.openLogin()
    await host.methodRow('Google').click()
    await page.getByRole('button', { name: 'Deny' }).click()
    await expect(failed).toBeVisible()
    await expectNoViolations(page, 'denied, back')
    await page.reload()
    await expect(host.byTestId('login')).toBeVisible()
    await expect(failed).toBeHidden()

    await host.openLogin()
    await host.methodRow('Google').click()
    await page.getByRole('button', { name: 'Deny' }).waitFor()
    await confirmAs(page, somebody)
    await host.walletAddress()
    await host.dialogCloses()
    expect(new URL(page.url()).search).toBe('?kept=1')
    expect(context.pages()).toHaveLength(1)
  })
})

test('a host page links an account, which becomes a login method, and the user unlinks it', async ({
  context,
  host,
  inbox,
  page,
  press,
  somebody,
  stack,
}) => {
  await host.openOneLine()
  await logInByEmail({ page, host, inbox })

  const linked = call(page, 'linkGoogle')
  await expect(host.dialog.getByRole('heading', { name: 'Link your Google account' })).toBeVisible()
  await expectNoViolations(page, 'linking')
  await confirmAs(await press('Continue with Google'), somebody)
  const { linkedAccounts } = await linked
  const account = linkedAccounts.find(({ type }) => type === 'google_oauth')
  if (account?.subject === undefined) throw new Error('No account was linked')
  await host.dialogCloses()
  const owner = readDatabase(
    stack.databaseFile,
    'select user_id from linked_accounts where type = ? and identifier = ?',
    'google_oauth',
    account.subject,
  )
  expect(owner).toHaveLength(1)

  await call(page, 'logout')
  const again = call(page, 'login')
  await confirmAs(await press('Google'), somebody)
  expect(await again).toMatchObject({ user: { email: { address: inbox.address } }, loginMethod: 'google' })
  await host.dialogCloses()

  const unlinked = call(page, 'unlinkGoogle', account.subject)
  await host.dialog.getByRole('button', { name: 'Unlink' }).click()
  expect((await unlinked).linkedAccounts.map(({ type }) => type)).not.toContain('google_oauth')
  await host.dialogCloses()
  expect(context.pages()).toHaveLength(1)
})

test.describe('provider tokens', () => {
  const tokens = [
    {
      tokens: { provider: 'google', accessToken: expect.any(String), scopes: ['openid', 'email', 'profile'] },
      user: { linkedAccounts: expect.arrayContaining([expect.objectContaining({ type: 'google_oauth' })]) },
    },
  ]
  type At = { host: HostPage; page: Page; press: Fixtures['press'] }

  /** A page with a listener, on which this person logs in. */
  async function logIn({ host, page, press }: At, somebody: string, config: object) {
    await host.openOneLine()
    const getTokens = await recordEvent(page, 'oauthTokens')
    await (await beginCall(page, 'setConfig', config))()
    const login = call(page, 'login')
    await confirmAs(await press('Google'), somebody)
    expect(await login).toMatchObject({ loginMethod: 'google' })
    await host.dialogCloses()
    return getTokens
  }

  test('reach a page that requests them at a login or a new authorization, if its app allows it', async ({
    host,
    page,
    press,
    somebody,
    stack,
  }) => {
    const asks = { loginConfig: { oauthTokens: true } }
    const withheld = await logIn({ host, page, press }, somebody, asks)
    expect(await withheld()).toEqual([])
    await call(page, 'logout')
    await stack.app('set', appId, 'oauth_tokens_to_host=true')
    const getTokens = await logIn({ host, page, press }, somebody, asks)
    await expect.poll(getTokens).toMatchObject(tokens)
    await call(page, 'logout')

    const getNewTokens = await logIn({ host, page, press }, somebody, {})
    expect(await getNewTokens()).toEqual([])
    const again = await beginCall<CallResult>(page, 'reauthorize', { provider: 'google' })
    await expect(
      host.dialog.getByRole('heading', { name: 'Connect your Google account again' }),
    ).toBeVisible()
    await expectNoViolations(page, 'connecting again')
    await confirmAs(await press('Continue with Google'), somebody)
    expect((await again()).code).toBeUndefined()
    await expect.poll(getNewTokens).toMatchObject(tokens)
  })
})

// spec L1.11
test('an app without OAuth, SMS and Telegram shows none of them, and loads none of their code', async ({
  host,
  page,
  stack,
}) => {
  await stack.useSettings([])
  const scripts: string[] = []
  page.on('request', (request) => scripts.push(new URL(request.url()).pathname))
  const phoneField = host.dialog.getByRole('textbox', { name: 'Phone number' })
  await expect(async () => {
    await host.open()
    await host.openLogin()
    await expect(host.methodRow('Google')).toHaveCount(0)
    await expect(host.methodRow('Telegram')).toHaveCount(0)
    await expect(phoneField).toHaveCount(0)
  }).toPass()
  scripts.length = 0
  await page.reload()
  await host.openLogin()
  await page.waitForLoadState('networkidle')
  expect(scripts.length).toBeGreaterThan(0)
  expect(scripts.filter((path) => /\/(?:oauth|phone|sms)-|telegram|window-login/.test(path))).toEqual([])
})
