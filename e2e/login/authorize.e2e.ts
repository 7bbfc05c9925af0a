/** The authorize page: the user logs in to connect their wallet to another app, in a window of that app. */
import type { Page } from '@playwright/test'
import { confirmAs, openWindow } from '../pages/login-window.ts'
import { appId, appName } from '../stack/stack.ts'
import { expect, test } from '../test.ts'

const state = 's'.repeat(43)

test.use({ settings: ['cross_app_provider=true'] })

/** Records the form posts to the wallet page instead of serving it. */
async function recordForms(page: Page, walletOrigin: string) {
  const posted: { url: string; fields: object }[] = []
  await page.route(`${walletOrigin}/apps/${appId}/cross-app/session`, async (route) => {
    const request = route.request()
    const fields = Object.fromEntries(new URLSearchParams(request.postData() ?? ''))
    if (request.method() === 'POST') posted.push({ url: request.url(), fields })
    await route.fulfill({ contentType: 'text/html', body: '<title>The wallet</title>' })
  })
  return posted
}

test('a login on the authorize page posts a form to the wallet page and leaves no session', async ({
  page,
  stack,
  inbox,
}) => {
  const complaints: string[] = []
  page.on('console', (message) => {
    if (/Content Security|Trusted Types|TrustedHTML/i.test(message.text())) complaints.push(message.text())
  })
  const posted = await recordForms(page, stack.walletOrigin)
  await page.setViewportSize({ width: 400, height: 680 })
  await page.goto(`${stack.dialogOrigin}/apps/${appId}/authorize#${state}`)
  await expect(
    page.getByRole('heading', { name: `Log in to ${appName} to connect your wallet` }),
  ).toBeVisible()
  await expect(page.getByRole('button', { name: 'Close' })).toHaveCount(0)
  const email = page.getByRole('textbox', { name: /e-?mail/i })
  await email.fill(inbox.address)
  await email.press('Enter')
  await expect(page.getByRole('group', { name: /code/i }).getByRole('textbox').first()).toBeFocused()
  expect(page.frames().map((frame) => new URL(frame.url()).origin)).toEqual([stack.dialogOrigin])
  await page.keyboard.type(await inbox.nextCode())
  await expect(page).toHaveTitle('The wallet')
  expect(posted).toEqual([
    {
      url: `${stack.walletOrigin}/apps/${appId}/cross-app/session`,
      fields: { code: expect.stringMatching(/^[\w-]{43,}$/), state, user: expect.stringMatching(/^\w+/) },
    },
  ])
  expect(complaints).toEqual([])
  // The dialog's origin has no session from it.
  await page.goto(`${stack.dialogOrigin}/apps/${appId}/dialog`)
  await expect(page.getByRole('textbox', { name: /e-?mail/i })).toBeVisible()
})

test('a user with a session at that origin logs in again and keeps the session', async ({
  page,
  stack,
  inbox,
}) => {
  await page.goto(`${stack.dialogOrigin}/apps/${appId}/dialog`)
  const email = page.getByRole('textbox', { name: /e-?mail/i })
  await email.fill(inbox.address)
  await email.press('Enter')
  await expect(page.getByRole('group', { name: /code/i }).getByRole('textbox').first()).toBeFocused()
  await page.keyboard.type(await inbox.nextCode())
  await expect(page.getByRole('button', { name: 'Log out' })).toBeVisible()
  await page.goto(`${stack.dialogOrigin}/apps/${appId}/authorize#${state}`)
  await expect(email).toBeVisible()
  await page.goto(`${stack.dialogOrigin}/apps/${appId}/dialog`)
  await expect(page.getByRole('button', { name: 'Log out' })).toBeVisible()
})

test('the authorize page has the language of its URL, and keeps its opener', async ({ page, stack }) => {
  await page.goto(stack.hostOrigin)
  const opening = page.waitForEvent('popup')
  const address = `${stack.dialogOrigin}/apps/${appId}/authorize?locale=ar#${state}`
  await page.evaluate((it) => void window.open(it, '_blank', 'popup,width=400,height=680'), address)
  const popup = await opening
  await expect(popup.getByRole('heading', { name: `سجّل الدخول إلى ${appName} لتوصيل محفظتك` })).toBeVisible()
  expect(await popup.evaluate(() => window.opener !== null)).toBe(true)
})

test('the authorize page without an opener requests no login', async ({ page, stack }) => {
  await page.goto(`${stack.dialogOrigin}/apps/${appId}/authorize`)
  await expect(page.getByRole('heading', { name: 'Start in the other app' })).toBeVisible()
  await expect(page.getByRole('textbox')).toHaveCount(0)
})

test.describe('with Google', () => {
  test.use({ settings: ['cross_app_provider=true', 'google_oauth=true'] })

  test('a login in its own window is handed over', async ({ context, page, stack, somebody }) => {
    const posted = await recordForms(page, stack.walletOrigin)
    await page.goto(`${stack.dialogOrigin}/apps/${appId}/authorize#${state}`)
    await confirmAs(await openWindow(context, page.getByRole('button', { name: 'Google' })), somebody)
    await expect(page).toHaveTitle('The wallet')
    expect(posted).toMatchObject([{ fields: { state } }])
  })

  test.describe('on a phone', () => {
    test.use({
      userAgent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Safari/604.1',
      viewport: { width: 390, height: 844 },
    })

    test('a redirect login is handed over after the return', async ({ page, stack, somebody }) => {
      const posted = await recordForms(page, stack.walletOrigin)
      await page.goto(`${stack.dialogOrigin}/apps/${appId}/authorize#${state}`)
      await page.getByRole('button', { name: 'Google' }).click()
      await confirmAs(page, somebody)
      await expect(page).toHaveTitle('The wallet')
      expect(posted).toMatchObject([{ fields: { state } }])
    })

    test('the standalone dialog also completes a redirect login', async ({ page, stack, somebody }) => {
      await page.goto(`${stack.dialogOrigin}/apps/${appId}/dialog`)
      await page.getByRole('button', { name: 'Google' }).click()
      await confirmAs(page, somebody)
      await expect(page.getByRole('button', { name: 'Log out' })).toBeVisible()
    })
  })
})
