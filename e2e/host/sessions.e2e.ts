import { openInbox } from '@latchkey/sandbox'
import { HostPage } from '../pages/host-page.ts'
import { readDatabase } from '../stack/database.ts'
import { holdCalls, loseAnswers } from '../stack/faults.ts'
import { appId, type Stack } from '../stack/stack.ts'
import { expect, test } from '../test.ts'

const livingSessions = ({ databaseFile }: Stack, address: string) =>
  readDatabase(
    databaseFile,
    `select s.id from sessions s join linked_accounts a on a.user_id = s.user_id
      where a.type = 'email' and a.identifier = ? and s.revoked_at is null`,
    address,
  ).length

test('a session is the same on the next visit and in a second tab, and a logout in one tab ends it in both', async ({
  host,
  inbox,
  page,
  context,
  stack,
}) => {
  await host.open()
  await host.logIn(inbox)
  await page.reload()
  await expect(host.byTestId('user-email')).toHaveText(inbox.address)
  await host.dialogCloses()
  const other = new HostPage(await context.newPage(), stack)
  await other.open()
  await expect(other.byTestId('user-email')).toHaveText(inbox.address)
  await other.byTestId('logout').click()
  await expect(other.byTestId('login')).toBeVisible()
  await expect(host.byTestId('login')).toBeVisible()
  await page.reload()
  await expect(host.byTestId('login')).toBeVisible()
})

// spec L4.10
test('a logout clears this browser if the server does not respond, and reaches it on the next visit', async ({
  host,
  inbox,
  page,
  context,
  stack,
}) => {
  await host.open()
  await host.logIn(inbox)
  await context.route(/\/api\/v1\/sessions\/logout/, (route) => route.abort())
  await host.byTestId('logout').click()
  await expect(host.byTestId('login')).toBeVisible()
  expect(livingSessions(stack, inbox.address)).toBe(1)
  await page.reload()
  await expect(host.byTestId('login')).toBeVisible()
  await context.unroute(/\/api\/v1\/sessions\/logout/)
  await page.reload()
  await expect(host.byTestId('login')).toBeVisible()
  await expect.poll(() => livingSessions(stack, inbox.address)).toBe(0)
})

for (const mode of ['storage', 'cookie'] as const) {
  test(`in ${mode} mode a login that completes after the dialog was closed is undone`, async ({
    host,
    inbox,
    page,
    context,
    stack,
  }) => {
    await stack.app('set', appId, `session_mode=${mode}`)
    const heldCalls = await holdCalls(context, /passwordless\/authenticate/)
    await host.open()
    await host.enterCode(inbox)
    await heldCalls.arrived
    await host.dialog.getByRole('button', { name: 'Close' }).click()
    await host.dialogCloses()
    const logoutResponse = page.waitForResponse(/\/api\/v1\/sessions\/logout/)
    heldCalls.release()
    expect((await logoutResponse).ok()).toBe(true)
    await expect.poll(() => livingSessions(stack, inbox.address)).toBe(0)
    await page.reload()
    await expect(host.byTestId('login')).toBeVisible()
  })
}

test('a wallet that the login did not complete is created on the next visit', async ({
  host,
  inbox,
  page,
  context,
}) => {
  const heldCalls = await holdCalls(context, /wallets\/commit/)
  await host.open()
  await host.enterCode(inbox)
  await heldCalls.arrived
  await context.unroute(/wallets\/commit/)
  await page.reload()
  await host.walletAddress()
  await host.sign('Made at the next visit')
})

test('a changing call with a lost response happens once, and the user stays logged in', async ({
  host,
  inbox,
  context,
  stack,
  page,
}) => {
  const lost = await loseAnswers(context, /\/api\/v1\/(?!analytics_events)/)
  await host.open()
  await host.openLogin()
  await host.emailField.fill(inbox.address)
  await host.emailField.press('Enter')
  await expect(host.codeFields).toHaveCount(6)
  const code = await inbox.nextCode()
  expect(await inbox.count()).toBe(1)
  await host.typeCode(code)
  await expect(host.byTestId('user-email')).toHaveText(inbox.address)
  await host.dialogCloses()
  const address = await host.walletAddress()
  await host.sign('Signed although an answer was lost')
  await host.dialogCloses()
  await page.reload()
  await expect(host.byTestId('user-email')).toHaveText(inbox.address)
  expect(lost).toEqual(
    expect.arrayContaining([
      '/api/v1/passwordless/init',
      '/api/v1/passwordless/authenticate',
      '/api/v1/wallets/token',
      '/api/v1/wallets/commit',
      '/api/v1/wallets/shares',
    ]),
  )
  const users = readDatabase(
    stack.databaseFile,
    "select user_id from linked_accounts where type = 'email' and identifier = ?",
    inbox.address,
  )
  expect(users).toHaveLength(1)
  const userId = String(users[0]?.user_id)
  expect(readDatabase(stack.databaseFile, 'select address from wallets where user_id = ?', userId)).toEqual([
    expect.objectContaining({ address }),
  ])
  expect(readDatabase(stack.databaseFile, 'select id from sessions where user_id = ?', userId)).toHaveLength(
    1,
  )
})

test('a server that dies between code and wallet creates the wallet after its restart', async ({
  host,
  page,
  inbox,
  stack,
  context,
}) => {
  const killed = Promise.withResolvers<void>()
  let once = false
  await context.route(/\/api\/v1\/wallets\/commit/, async (route) => {
    if (!once) {
      once = true
      await stack.killServer()
      await stack.startServer()
      killed.resolve()
    }
    await route.fallback()
  })
  await host.open()
  await host.openLogin()
  await host.askForCode(inbox.address)
  // If the server is back only after the deadline of `walletProxy.create`, the login was undone and the user
  // logs in again.
  await page.addLocatorHandler(host.dialog.getByRole('button', { name: 'Try again' }), async (button) => {
    await button.click()
    await host.askForCode(inbox.address)
    await host.typeCode(await inbox.nextCode())
  })
  await host.typeCode(await inbox.nextCode())
  await killed.promise
  await expect(host.byTestId('user-email')).toHaveText(inbox.address)
  await host.walletAddress()
})

test.describe('a logged-in user', () => {
  test.use({ isLoggedIn: true })

  test('the host token is rejected by every call that changes something or releases a share', async ({
    host,
    stack,
  }) => {
    await host.open()
    await host.byTestId('get-token').click()
    await expect(host.byTestId('access-token')).toHaveAttribute('data-token', /^ey/)
    const token = await host.byTestId('access-token').getAttribute('data-token')
    const { apiRoutes } = await import('@latchkey/protocol/api')
    for (const route of Object.values(apiRoutes)) {
      if (route.effect === 'reads' || route.auth === 'none') continue
      const origin = route.auth === 'wallet' ? stack.walletOrigin : stack.dialogOrigin
      const answer = await fetch(`${origin}/api/v1${route.path}`, {
        method: route.method,
        headers: {
          origin,
          'content-type': 'application/json',
          'latchkey-app-id': 'lkdemo0000000000000000001',
          authorization: `Bearer ${token}`,
        },
        body: '{}',
      })
      expect([401, 403], route.path).toContain(answer.status)
    }
  })
})

test('two tabs that create a wallet at the same time end with one wallet', async ({ context, stack }) => {
  await stack.app('set', appId, 'embedded_wallet_config.create_on_login=off')
  const inbox = openInbox(stack.sandboxUrl, 'both')
  const first = new HostPage(await context.newPage(), stack)
  await first.open()
  await first.logIn(inbox)
  const second = new HostPage(await context.newPage(), stack)
  await second.open()
  await expect(second.byTestId('user-email')).toHaveText(inbox.address)
  // Dispatch both clicks at once: one that waits could find the button already removed by the other tab.
  await Promise.all([first, second].map((tab) => tab.byTestId('create-wallet').dispatchEvent('click')))
  const addresses = await Promise.all([first.walletAddress(), second.walletAddress()])
  expect(addresses[0]).toBe(addresses[1])
  await second.sign('From the tab that lost')
})

test('another site is a new device, where the wallet is recovered silently with the same address', async ({
  host,
  inbox,
  context,
  stack,
}) => {
  await host.open()
  await host.logIn(inbox)
  const address = await host.walletAddress()
  const other = new HostPage(await context.newPage(), stack)
  await other.open('/', stack.otherHostOrigin)
  await other.logIn(inbox)
  expect(await other.walletAddress()).toBe(address)
  await other.sign('From another site')
})
