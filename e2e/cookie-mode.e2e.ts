import { appId } from './stack/stack.ts'
import { expect, test } from './test.ts'

test.beforeAll(({ stack }) => stack.app('set', appId, 'session_mode=cookie'))
test.afterAll(({ stack }) => stack.app('set', appId, 'session_mode=storage'))

// spec L4.6, L7.27
test('in cookie mode the refresh token lies in a cookie that no script reads, and the session outlives a reload', async ({
  host,
  inbox,
  page,
  context,
  stack,
}) => {
  await host.open()
  await host.logIn(inbox)
  await host.walletAddress()
  const cookies = await context.cookies(stack.dialogOrigin)
  const refresh = cookies.find(({ name }) => name === `__Host-latchkey-refresh-${appId}`)
  expect(refresh).toMatchObject({ httpOnly: true, secure: true, sameSite: 'None' })
  const { origins } = await context.storageState({ indexedDB: true })
  const token = refresh?.value ?? ''
  expect(token.length).toBeGreaterThan(20)
  expect(JSON.stringify(origins)).not.toContain(token)

  await page.reload()
  await expect(host.byTestId('user-email')).toHaveText(inbox.address)
  await host.sign('From a session in a cookie')
  await host.dialogCloses()
  await host.byTestId('logout').click()
  await expect(host.byTestId('login')).toBeVisible()
  await page.reload()
  await expect(host.byTestId('login')).toBeVisible()
})
