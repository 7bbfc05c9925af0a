/** A capability that came later, drawn by the face as it is. */
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { type FacePage, serveFacePage } from '../../shell/testing/browser.ts'

let served: FacePage
beforeAll(async () => {
  served = await serveFacePage(join(import.meta.dirname, 'vite.config.ts'))
})
afterAll(() => served.stop())
afterEach(() => expect(served.complaints()).toEqual([]))

it('stands on LANDING, and its screen takes the focus, the keys and the press', async () => {
  const page = await served.open()
  await page.evaluate(() => face.go('Landing'))
  await page.getByRole('button', { name: 'Knock' }).click()
  await page.evaluate(() => face.go('Guest, knock'))
  await page.getByRole('dialog', { name: 'Who is there?' }).waitFor()
  await page.keyboard.type('sesame')
  await page.getByRole('button', { name: 'Say it' }).click()
  expect(await page.evaluate(() => face.sent())).toEqual([['choose'], ['answer', 'sesame']])
  await page.context().close()
})

it('speaks Arabic, from right to left', async () => {
  const page = await served.open({}, '/?locale=ar')
  await page.evaluate(() => face.go('Guest, verification'))
  await page.getByRole('heading', { name: 'هل هذا أنت؟' }).waitFor()
  expect(await page.getByRole('dialog').evaluate((card) => getComputedStyle(card).direction)).toBe('rtl')
  await page.context().close()
})
