/** Pages without a host behind them, where a screen can not be drawn: they say so, and begin anew when they are asked. */
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

/** All that a script brings throws when it is drawn. */
async function throwWhenDrawn(route: Route) {
  const answer = await route.fetch()
  const [, names = ''] = /export\{([^}]*)\}/.exec(await answer.text()) ?? []
  const thrown = names.split(',').map((each) => `broken as ${each.split(' as ').at(-1)}`)
  const body = `const broken = () => { throw new Error('This can not be drawn') }; export { ${thrown} }`
  await route.fulfill({ response: answer, body, headers: { 'content-type': 'text/javascript' } })
}

test('standalone, a face that does not come is said in plain words, and comes when it is tried again', async ({
  page,
  stack,
}) => {
  const address = `${stack.dialogOrigin}/apps/${appId}/dialog`
  await page.route(/\/assets\/shell-[\w-]+\.js$/, (route) => route.abort())
  // Nor does the page begin anew by itself: the server is away.
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

test('on a page at the top of a tab a screen that does not come is said so, in the language of the page', async ({
  page,
  stack,
}) => {
  await page.route(screenOfPage, (route) => route.abort())
  await openPasskeyPage(page, stack, '?locale=ar')
  await expect(page.getByRole('alert')).toHaveText('لا يمكن عرض هذه الصفحة.')
  await expect(page.locator('html')).toHaveAttribute('dir', 'rtl')
  await page.unrouteAll()
  await page.getByRole('link', { name: 'حاول مرة أخرى' }).click()
  await expect(page.getByRole('heading', { name: 'لا يوجد مثل هذا الطلب' })).toBeVisible()
})

test('on a page at the top of a tab a screen that throws is said so', async ({ page, stack }) => {
  await page.route(screenOfPage, throwWhenDrawn)
  await page.clock.install()
  await openPasskeyPage(page, stack)
  const words = page.getByRole('alert')
  await expect(words).toHaveText('This page cannot be shown.')
  // They stay when the card that was lost has gone, which is drawn anew then where somebody waits behind it.
  await page.clock.fastForward(1_000)
  await page.evaluate(() => new Promise(requestAnimationFrame))
  await expect(words).toHaveText('This page cannot be shown.')
  await page.unrouteAll()
  await page.getByRole('link', { name: 'Try again' }).click()
  await expect(page.getByRole('heading', { name: 'There is no such request' })).toBeVisible()
})

test('a page begins anew where a screen throws, and what is done then does not come', async ({
  page,
  stack,
}) => {
  await page.route(screenOfPage, throwWhenDrawn, { times: 1 })
  await page.route(/\/assets\/lost-[\w-]+\.js$/, (route) => route.abort())
  await openPasskeyPage(page, stack)
  await expect(page.getByRole('heading', { name: 'There is no such request' })).toBeVisible()
})
