import type { Page } from '@playwright/test'
import { expectNoViolations } from '../pages/axe.ts'
import type { HostPage } from '../pages/host-page.ts'
import { confirmAs, cutsWindowsOff, openWindow, typeDigits } from '../pages/login-window.ts'
import { beginCall, type CallResult, call, logInByEmail, recordEvent } from '../pages/page-calls.ts'
import { readDatabase } from '../stack/database.ts'
import { holdCalls, setFaults } from '../stack/faults.ts'
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

for (const [title, type] of [
  ['Google', 'google_oauth'],
  ['Apple', 'apple_oauth'],
  ['X', 'twitter_oauth'],
] as const) {
  // spec L1.8, L2.41, L4.35, L7.30, L7.37
  test(`a user logs in with ${title}, and is the same user the next time`, async ({
    host,
    press,
    somebody,
    stack,
  }) => {
    const usersBefore = getUsers(stack, type).length
    await host.open()
    await host.openLogin()
    const provider = await press(title)
    await expect(host.dialog.getByRole('heading', { name: `Waiting for ${title}` })).toBeVisible()
    await confirmAs(provider, somebody)
    await expect(host.dialog.getByRole('heading', { name: `Connected to ${title}` })).toBeVisible()
    await expect.poll(() => provider.isClosed()).toBe(true)
    const wallet = await host.walletAddress()
    await host.dialogCloses()
    await host.byTestId('logout').click()

    await host.openLogin()
    await confirmAs(await press(title), somebody)
    await expect(host.byTestId('wallet-address')).toHaveAttribute('data-address', wallet)
    expect(getUsers(stack, type)).toHaveLength(usersBefore + 1)
  })
}

test('the dialog opens the start page, and the provider redirects to the callback', async ({
  context,
  host,
  press,
  somebody,
  stack,
}) => {
  const getRequests = watchRequests(stack)
  await host.open()
  await host.openLogin()
  const provider = await press('Google')
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
  await host.walletAddress()
  const [back] = getRequests('/oauth/callback/google')
  expect(back).toMatchObject({ method: 'GET', site: 'cross-site', mode: 'navigate', dest: 'document' })
})

test('the window opens before the call that fills it has a response', async ({
  context,
  host,
  press,
  somebody,
}) => {
  await host.open()
  await host.openLogin()
  const init = await holdCalls(context, /oauth\/init/)
  const startRequest = context.waitForEvent('request', (request) => request.url().includes('/oauth/start/'))
  const openedWindow = press('Google')
  await Promise.all([init.arrived, startRequest])
  init.release()
  await confirmAs(await openedWindow, somebody)
  await host.walletAddress()
})

// spec L8.37, L4.37, L8.33
test('denying the login shows an error, and another try works', async ({
  context,
  host,
  page,
  press,
  somebody,
}) => {
  await host.open()
  await host.openLogin()
  const provider = await press('Google')
  await provider.getByRole('button', { name: 'Deny' }).click()
  await expect(host.dialog.getByRole('heading', { name: 'Authentication failed' })).toBeVisible()
  await expect(
    host.dialog.getByText('Retry and check Google to finish connecting your account.'),
  ).toBeVisible()
  await expectNoViolations(page, 'denied')
  const [second] = await Promise.all([
    context.waitForEvent('page'),
    host.dialog.getByRole('button', { name: 'Retry' }).click(),
  ])
  await confirmAs(second, somebody)
  await host.walletAddress()
})

// spec L8.36, L8.38, L8.39
test('a provider error shows its message, and only a temporary one offers a retry', async ({
  host,
  press,
}) => {
  const table = [
    ['Suspended account', 'Your X account is suspended. Please try another login method.', 'Go back'],
    ['Code that has expired', 'Something went wrong. Try again.', 'Retry'],
    ['Rate limit', 'Request limit reached for X. Please wait a moment and try again.', 'Go back'],
  ] as const
  await host.open()
  await host.openLogin()
  for (const [trial, text, way] of table) {
    const provider = await press('X')
    await provider.getByRole('button', { name: trial }).click()
    await expect(host.dialog.getByText(text)).toBeVisible()
    await expect(host.dialog.getByRole('button', { name: way, exact: true })).toBeVisible()
    await host.dialog.getByRole('button', { name: 'Back', exact: true }).click()
    await expect(host.emailField).toBeVisible()
  }
})

// spec L9.7
test('a window that the user closed can be opened again', async ({
  context,
  host,
  page,
  press,
  somebody,
}) => {
  await host.open()
  await host.openLogin()
  const provider = await press('Google')
  await expect(provider.getByRole('button', { name: 'Deny' })).toBeVisible()
  await provider.close()
  await expect(host.dialog.getByText('If you closed the Google window, try again.')).toBeVisible()
  await expectNoViolations(page, 'closed')
  const [second] = await Promise.all([
    context.waitForEvent('page'),
    host.dialog.getByRole('button', { name: 'Try again' }).click(),
  ])
  await confirmAs(second, somebody)
  await host.walletAddress()
})

test('going back closes the window', async ({ host, press }) => {
  await host.open()
  await host.openLogin()
  const provider = await press('Google')
  await expect(provider.getByRole('button', { name: 'Deny' })).toBeVisible()
  await host.dialog.getByRole('button', { name: 'Back', exact: true }).click()
  await expect.poll(() => provider.isClosed()).toBe(true)
  await expect(host.emailField).toBeVisible()
})

test('a browser that blocks the window gets a button that opens it', async ({
  context,
  host,
  page,
  somebody,
}) => {
  await page.addInitScript(() => {
    const { open } = window
    let isBlocking = true
    window.open = (...call) => {
      if (!isBlocking) return open.apply(window, call)
      isBlocking = false
      return null
    }
  })
  await host.open()
  await host.openLogin()
  await host.methodRow('Google').click()
  const button = host.dialog.getByRole('button', { name: 'Continue with Google' })
  await expect(button).toBeVisible()
  await expectNoViolations(page, 'blocked')
  const [provider] = await Promise.all([context.waitForEvent('page'), button.click()])
  await confirmAs(provider, somebody)
  await host.walletAddress()
})

for (const [ofHost, path] of [
  ['none', '/'],
  ['same-origin', '/?coop=1'],
] as const) {
  for (const ofProvider of ['none', 'same-origin', 'same-origin-allow-popups'] as const) {
    // spec L9.7
    test(`logs in with the opener policies ${ofHost} of the host and ${ofProvider} of the provider`, async ({
      host,
      press,
      somebody,
      stack,
    }) => {
      await setFaults(stack, { oauthPage: ofProvider })
      await stack.app('set', appId, cutsWindowsOff(ofHost === 'same-origin'))
      await host.open(path)
      await host.openLogin()
      const provider = await press('Google')
      if (ofHost === 'same-origin') await typeDigits(provider, host.dialog)
      if (ofHost === 'none' && ofProvider !== 'none') {
        await expect(host.dialog.getByRole('button', { name: 'Try again' })).toBeVisible()
      }
      if (ofHost !== 'none') {
        await expect(host.dialog.getByRole('button', { name: 'Continue with Google' })).toBeVisible()
      }
      expect(provider.isClosed()).toBe(false)
      await confirmAs(provider, somebody)
      await host.walletAddress()
      await host.dialogCloses()
    })
  }
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

  // spec L2.8, L2.41
  test('the page redirects to the provider, and returns to its place logged in', async ({
    context,
    host,
    page,
    somebody,
  }) => {
    await host.open('/?kept=1')
    await host.openLogin()
    await host.methodRow('Google').click()
    await page.getByRole('button', { name: 'Deny' }).waitFor()
    await confirmAs(page, somebody)
    await host.walletAddress()
    await host.dialogCloses()
    expect(new URL(page.url()).search).toBe('?kept=1')
    expect(context.pages()).toHaveLength(1)
  })

  // spec L8.37
  test('denying there shows an error after the return, but not again after a reload', async ({
    host,
    page,
  }) => {
    await host.open()
    await host.openLogin()
    await host.methodRow('Google').click()
    await page.getByRole('button', { name: 'Deny' }).click()
    await expect(host.dialog.getByRole('heading', { name: 'Authentication failed' })).toBeVisible()
    await expectNoViolations(page, 'denied, back')
    await page.reload()
    await expect(host.byTestId('login')).toBeVisible()
    await expect(host.dialog.getByRole('heading', { name: 'Authentication failed' })).toBeHidden()
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

  test('reach a page that requests them, if its app allows it', async ({
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
  })

  test('reach a page only after a new authorization that it requests', async ({
    host,
    page,
    press,
    somebody,
    stack,
  }) => {
    await stack.app('set', appId, 'oauth_tokens_to_host=true')
    const getTokens = await logIn({ host, page, press }, somebody, {})
    expect(await getTokens()).toEqual([])
    const again = await beginCall<CallResult>(page, 'reauthorize', { provider: 'google' })
    await expect(
      host.dialog.getByRole('heading', { name: 'Connect your Google account again' }),
    ).toBeVisible()
    await expectNoViolations(page, 'connecting again')
    await confirmAs(await press('Continue with Google'), somebody)
    expect((await again()).code).toBeUndefined()
    await expect.poll(getTokens).toMatchObject(tokens)
  })
})

// spec L8.35
test('an account of another user is not linked, and the host page gets the reason', async ({
  host,
  inbox,
  page,
  press,
  somebody,
}) => {
  await host.openOneLine()
  const login = call(page, 'login')
  await confirmAs(await press('Google'), somebody)
  await login
  await host.dialogCloses()
  await call(page, 'logout')

  await logInByEmail({ page, host, inbox })
  const linked = call(page, 'linkGoogle')
  await confirmAs(await press('Continue with Google'), somebody)
  await expect(host.dialog.getByText('This account has already been linked to another user.')).toBeVisible()
  await host.escape()
  expect((await linked).code).toBe('linked_to_another_user')
})

// spec L1.11
test('an app without a provider loads none of its code', async ({ host, page, stack }) => {
  await stack.useSettings([])
  const scripts: string[] = []
  page.on('request', (request) => scripts.push(new URL(request.url()).pathname))
  const row = host.methodRow('Google')
  await expect(async () => {
    await host.open()
    await host.openLogin()
    await expect(row).toHaveCount(0)
  }).toPass()
  scripts.length = 0
  await page.reload()
  await host.openLogin()
  await page.waitForLoadState('networkidle')
  expect(scripts.filter((path) => /\/oauth-/.test(path))).toEqual([])
})
