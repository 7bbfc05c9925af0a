/** Pages without a host whose screen cannot be rendered: they show an error and reload on request. */
import type { Page, Route } from '@playwright/test'
import type { Stack } from '../stack/stack.ts'
import { appId } from '../stack/stack.ts'
import { expect, test } from '../test.ts'

const screenOfPage = /\/assets\/page-screen-[\w-]+\.js$/

/** Opens the page from a page of its own origin, as the dialog does. */
async function openPasskeyPage(page: Page, { dialogOrigin }: Stack, query = '') {
  await page.goto(`${dialogOrigin}/apps/${appId}/dialog`)
  await expect(page.getByRole('textbox', { name: /e-?mail/i })).toBeVisible()
  await page.evaluate(
    (address) => location.assign(address),
    `/apps/${appId}/passkey/${'h'.repeat(48)}${query}`,
  )
}

/** Makes every export of a script throw when it is rendered. */
async function throwWhenDrawn(route: Route) {
  const answer = await route.fetch()
  const [, names = ''] = /export\{([^}]*)\}/.exec(await answer.text()) ?? []
  const thrown = names.split(',').map((each) => `broken as ${each.split(' as ').at(-1)}`)
  const body = `const broken = () => { throw new Error('This can not be drawn') }; export { ${thrown} }`
  await route.fulfill({ response: answer, body, headers: { 'content-type': 'text/javascript' } })
}

test('the standalone dialog shows a message if its script does not load, and retries on request', async ({
  page,
  stack,
}) => {
  const address = `${stack.dialogOrigin}/apps/${appId}/dialog`
  await page.route(/\/assets\/shell-[\w-]+\.js$/, (route) => route.abort())
  // The page must not reload itself either, so block everything but navigation.
  await page.route(address, (route) =>
    route.request().isNavigationRequest() ? route.continue() : route.abort(),
  )
  await page.goto(address)
  await expect(page.getByRole('alert')).toHaveText('The dialog could not be loaded. (server_unreachable).', {
    timeout: 45_000,
  })
  await page.unrouteAll()
  await page.getByRole('link', { name: 'Try again' }).click()
  await expect(page.getByRole('textbox', { name: /e-?mail/i })).toBeVisible()
  await expect(page.getByRole('alert')).toHaveCount(0)
})

test('a top-level page shows in its language that a screen did not load', async ({ page, stack }) => {
  await page.route(screenOfPage, (route) => route.abort())
  await openPasskeyPage(page, stack, '?locale=ar')
  await expect(page.getByRole('alert')).toHaveText('لا يمكن عرض هذه الصفحة.')
  await expect(page.locator('html')).toHaveAttribute('dir', 'rtl')
  await page.unrouteAll()
  await page.getByRole('link', { name: 'حاول مرة أخرى' }).click()
  await expect(page.getByRole('heading', { name: 'لا يوجد مثل هذا الطلب' })).toBeVisible()
})

test('a top-level page shows that a screen threw an error', async ({ page, stack }) => {
  await page.route(screenOfPage, throwWhenDrawn)
  await page.clock.install()
  await openPasskeyPage(page, stack)
  const words = page.getByRole('alert')
  await expect(words).toHaveText('This page cannot be shown.')
  // The message stays after the lost card is gone, which re-renders if a call is still pending.
  await page.clock.fastForward(1_000)
  await page.evaluate(() => new Promise(requestAnimationFrame))
  await expect(words).toHaveText('This page cannot be shown.')
  await page.unrouteAll()
  await page.getByRole('link', { name: 'Try again' }).click()
  await expect(page.getByRole('heading', { name: 'There is no such request' })).toBeVisible()
})

test('a page reloads after a screen threw, and the interrupted action does not run', async ({
  page,
  stack,
}) => {
  await page.route(screenOfPage, throwWhenDrawn, { times: 1 })
  await page.route(/\/assets\/lost-[\w-]+\.js$/, (route) => route.abort())
  await openPasskeyPage(page, stack)
  await expect(page.getByRole('heading', { name: 'There is no such request' })).toBeVisible()
})
