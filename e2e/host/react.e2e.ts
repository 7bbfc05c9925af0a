import type { Page } from '@playwright/test'
import { getEvents, onReact, status, wholePath } from '../react/on-react.ts'
import { expect } from '../test.ts'

const test = onReact()

const getRenders = (page: Page) =>
  page.evaluate(() => structuredClone(Reflect.get(globalThis, 'renders') as Record<string, number>))

test('a page on React logs in, signs, reloads and logs out, in StrictMode and with one frame', wholePath)

test('ten hooks render when their own state changes, and their functions are stable', async ({
  page,
  host,
  openPage,
}) => {
  await openPage()
  await expect(host.byTestId('status')).toHaveText(status(true, false))
  const rendersBefore = await getRenders(page)
  expect(Object.keys(rendersBefore)).toHaveLength(10)
  await host.openLogin()
  await host.escape()
  await host.dialogCloses()
  await expect.poll(() => getEvents(page)).toEqual([['login', 'exited_auth_flow']])
  const after = await getRenders(page)
  const changed = Object.keys(after).filter((name) => after[name] !== rendersBefore[name])
  expect(changed.sort()).toEqual(['useLatchkey', 'useModalStatus'])
  // Opened and closed, each rendered twice by StrictMode.
  expect((after.useModalStatus ?? 0) - (rendersBefore.useModalStatus ?? 0)).toBe(4)
  expect(await page.evaluate(() => Reflect.get(globalThis, 'replaced'))).toEqual([])
})

test('a login restricted to e-mail opens a dialog without other methods', async ({
  page,
  host,
  openPage,
}) => {
  await openPage()
  await expect(host.byTestId('status')).toHaveText(status(true, false))
  await host.byTestId('email').click()
  await expect(host.emailField).toBeFocused()
  await expect(host.methodRow('Google')).toHaveCount(0)
  await host.escape()
  await host.dialogCloses()
  await expect.poll(() => getEvents(page)).toEqual([['email', 'exited_auth_flow']])
  await host.openLogin()
})

test('a logout in another tab reaches a page that had lost its frame', async ({
  page,
  context,
  host,
  inbox,
  openPage,
}) => {
  await openPage()
  await expect(host.byTestId('status')).toHaveText(status(true, false))
  await host.openLogin()
  await host.askForCode(inbox.address)
  await host.typeCode(await inbox.nextCode())
  await host.dialogCloses()
  const other = await context.newPage()
  await other.goto(`${host.stack.hostOrigin}/one-line.html`)
  await page.evaluate(() => document.querySelector('iframe')?.remove())
  await other.getByTestId('logout').click()
  await expect(other.getByTestId('user-email')).toHaveText('nobody')
  await page.bringToFront()
  await host.byTestId('refresh').click()
  await expect(host.byTestId('status')).toHaveText(status(true, false))
})
