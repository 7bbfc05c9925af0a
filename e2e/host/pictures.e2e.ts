/**
 * Images of a host page: the loader fetches them, and the dialog draws them without a request to another
 * site.
 */
import type { Page } from '@playwright/test'
import { appId, appName } from '../stack/stack.ts'
import { expect, test } from '../test.ts'

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const dataUrl = `data:image/png;base64,${png.toString('base64')}`
const logo = 'https://cdn.example/logo.png'

/** Serves another site. Returns the frames that requested it. */
async function serveElsewhere(page: Page, headers: Readonly<Record<string, string>>) {
  const requestingFrames: string[] = []
  await page.route('https://cdn.example/**', async (route) => {
    requestingFrames.push(new URL(route.request().frame().url()).origin)
    await route.fulfill({ body: png, contentType: 'image/png', headers })
  })
  return requestingFrames
}

/** A host page whose policy allows requests to that site. */
const query = '?pictures=https://cdn.example'

const setLogo = (page: Page, address: string) =>
  page.evaluate((it) => window.latchkey?.setConfig({ appearance: { logo: it } }), address)

test('the host page fetches a logo of another site, and the dialog draws it as a data URL', async ({
  host,
  page,
  stack,
}) => {
  const violations: string[] = []
  page.on('console', (message) => /Content Security/.test(message.text()) && violations.push(message.text()))
  const askers = await serveElsewhere(page, { 'access-control-allow-origin': '*' })
  await host.openOneLine(query)
  await setLogo(page, logo)
  const login = page.evaluate(() => window.latchkey?.login().catch(() => {}))
  const image = host.dialog.getByRole('img', { name: appName })
  await expect(image).toHaveAttribute('src', dataUrl)
  await expect.poll(() => image.evaluate((one) => 'naturalWidth' in one && one.naturalWidth)).toBe(1)
  expect(askers).toEqual([stack.hostOrigin])
  expect(violations).toEqual([])
  await host.dialog.getByRole('button', { name: 'Close' }).click()
  await login
})

test('a logo without CORS is not shown, and the console explains it', async ({ host, page, stack }) => {
  const warnings: string[] = []
  page.on('console', (message) => message.type() === 'warning' && warnings.push(message.text()))
  const askers = await serveElsewhere(page, { 'access-control-allow-origin': 'https://nobody.example' })
  await host.openOneLine(query)
  await setLogo(page, logo)
  const login = page.evaluate(() => window.latchkey?.login().catch(() => {}))
  await expect
    .poll(() => warnings.filter((text) => text.includes('https://cdn.example/logo.png is not shown')))
    .toHaveLength(1)
  await expect(host.card.getByText(appName.slice(0, 1), { exact: true })).toBeVisible()
  await expect(host.dialog.getByRole('img', { name: appName })).toHaveCount(0)
  expect(new Set(askers)).toEqual(new Set([stack.hostOrigin]))
  await host.dialog.getByRole('button', { name: 'Close' }).click()
  await login
})

test('a script in the dialog cannot leak data through an image address', async ({ host, page, stack }) => {
  const askers = await serveElsewhere(page, { 'access-control-allow-origin': '*' })
  await stack.app('set', appId, `logo_url=${logo}`)
  await host.open()
  await host.openLogin()
  await expect(host.dialog.getByRole('img', { name: appName })).toHaveAttribute('src', logo)
  const dialog = page.frames().find((frame) => frame.url().includes(`/apps/${appId}/dialog`))
  const ends = await dialog?.evaluate(
    (addresses) =>
      Promise.all(
        addresses.map(
          (address) =>
            new Promise<string>((resolve) => {
              const image = new Image()
              image.onload = () => resolve('drawn')
              image.onerror = () => resolve('refused')
              image.src = address
            }),
        ),
      ),
    [logo, 'https://cdn.example/?stolen', 'https://cdn.example/stolen/logo.png', `${logo}/stolen`],
  )
  expect(ends).toEqual(['drawn', 'refused', 'refused', 'refused'])
  expect(askers.length).toBeGreaterThan(0)
})
