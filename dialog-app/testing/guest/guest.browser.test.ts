/** Tests an added capability in the unmodified shell. */
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { openShellPages, type ShellPage, startShellSite } from '../../shell/testing/browser.ts'

let site: Awaited<ReturnType<typeof startShellSite>>
let served: ShellPage
beforeAll(async () => {
  site = await startShellSite(join(import.meta.dirname, 'vite.config.ts'))
  served = await openShellPages(site.site)
})
afterAll(async () => {
  await served.stop()
  await site.stop()
})
afterEach(() => expect(served.complaints()).toEqual([]))

it('is on LANDING, and its screen receives focus, keys and presses', async () => {
  const page = await served.open({})
  await served.load(page, '/')
  await page.evaluate(() => shell.go('Landing'))
  await page.getByRole('button', { name: 'Knock' }).click()
  await page.evaluate(() => shell.go('Guest, knock'))
  await page.getByRole('dialog', { name: 'Who is there?' }).waitFor()
  await page.keyboard.type('sesame')
  await page.getByRole('button', { name: 'Say it' }).click()
  expect(await page.evaluate(() => shell.sent())).toEqual([['choose'], ['answer', 'sesame']])
  await page.context().close()
})

it('is shown in Arabic, right-to-left', async () => {
  const page = await served.open({})
  await served.load(page, '/?locale=ar')
  await page.evaluate(() => shell.go('Guest, verification'))
  await page.getByRole('heading', { name: 'هل هذا أنت؟' }).waitFor()
  expect(await page.getByRole('dialog').evaluate((card) => getComputedStyle(card).direction)).toBe('rtl')
  await page.context().close()
})
