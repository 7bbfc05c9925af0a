import type { Page } from '@playwright/test'
import type { HostPage } from '../pages/host-page.ts'
import { appId, type Stack } from '../stack/stack.ts'
import { expect, test } from '../test.ts'

test.use({ settings: ['session_mode=cookie'] })

// spec L4.6, L7.27
test('in cookie mode the refresh token is in an HttpOnly cookie, and the session survives a reload', async ({
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
  expect(refresh).toMatchObject({
    domain: 'dialog.localhost',
    path: '/',
    httpOnly: true,
    secure: true,
    sameSite: 'None',
    partitionKey: 'https://demo.localhost',
  })
  const { origins } = await context.storageState({ indexedDB: true })
  const token = refresh?.value ?? ''
  expect(token.length).toBeGreaterThan(20)
  expect(JSON.stringify(origins)).not.toContain(token)

  await page.reload()
  await expect(host.byTestId('user-email')).toHaveText(inbox.address)
  await signAndLogOut(host, 'From a session in a cookie')
})

async function signAndLogOut(host: HostPage, message: string) {
  await host.sign(message)
  await host.dialogCloses()
  await host.byTestId('logout').click()
  await expect(host.byTestId('login')).toBeVisible()
  await host.page.reload()
  await expect(host.byTestId('login')).toBeVisible()
}

/** Expires the access token, as its lifetime of 15 minutes would. */
async function outliveTheToken(page: Page, { dialogOrigin }: Stack) {
  const frame = page.frames().find((each) => each.url().startsWith(dialogOrigin))
  const changed = await frame?.evaluate(() => {
    const aged = (token: string) => {
      const [header = '', payload = '', signature = ''] = token.split('.')
      const claims = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')))
      const later = btoa(JSON.stringify({ ...claims, exp: claims.exp - 3_600 })).replace(/=+$/, '')
      return [header, later.replaceAll('+', '-').replaceAll('/', '_'), signature].join('.')
    }
    const isToken = /eyJ[\w-]+\.[\w-]+\.[\w-]+/g
    return Object.entries(localStorage).filter(([name, value]) => {
      const older = value.replace(isToken, aged)
      localStorage.setItem(name, older)
      return older !== value
    }).length
  })
  expect(changed).toBeGreaterThan(0)
}

// spec L4.6, L9.4
test('an API on its own hostname keeps the session in its cookies past the life of an access token', async ({
  host,
  inbox,
  page,
  context,
  stack,
}) => {
  const apiOrigin = stack.dialogOrigin.replace('dialog.localhost', 'api.localhost')
  await stack.app('set', appId, `custom_api_url=${apiOrigin}`)
  await host.open()
  await host.logIn(inbox)
  await host.walletAddress()
  const names = (await context.cookies(apiOrigin)).map(({ name }) => name)
  expect(names).toContain(`__Host-latchkey-refresh-${appId}`)
  expect(await context.cookies(stack.dialogOrigin)).toEqual([])

  for (let times = 0; times < 2; times += 1) {
    await outliveTheToken(page, stack)
    const refreshed = page.waitForResponse(
      (response) => response.url() === `${apiOrigin}/api/v1/sessions` && response.status() === 200,
    )
    await page.reload()
    await refreshed
    await expect(host.byTestId('user-email')).toHaveText(inbox.address)
  }
  await signAndLogOut(host, 'From a session of another hostname')
})
