/** The React page, built with a given React version, and the path that works on each version. */
import { join } from 'node:path'
import type { Inbox } from '@latchkey/sandbox'
import type { Page } from '@playwright/test'
import { verifyMessage } from 'viem'
import type { Alias } from 'vite'
import type { HostPage } from '../pages/host-page.ts'
import { bundledPage, serveBundle } from '../stack/bundled-page.ts'
import { expect, test as withStack } from '../test.ts'

type Fixtures = { openPage: () => Promise<void> }

/** An alias replaces the repository's React by another version. */
export const onReact = (alias: readonly Alias[] = []) =>
  withStack.extend<Fixtures, { bundle: string }>({
    bundle: [
      // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern to know what a fixture needs.
      async ({}, use) => use(await bundledPage(join(import.meta.dirname, 'page.tsx'), alias)),
      { scope: 'worker', timeout: 120_000 },
    ],
    async openPage({ page, host, stack, bundle }, use) {
      await serveBundle(page, stack, bundle)
      await use(() => host.open('/one-line.html'))
    },
  })
export const getEvents = (page: Page) =>
  page.evaluate(() => structuredClone(Reflect.get(globalThis, 'told') as unknown[]))
export const status = (ready: boolean, authenticated: boolean, isOpen = false) =>
  JSON.stringify({ ready, authenticated, isOpen })

type OnPage = Fixtures & { page: Page; host: HostPage; inbox: Inbox }

/** Logs in, signs, reloads and logs out. */
export const wholePath = async ({ page, host, inbox, openPage }: OnPage) => {
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(error.message))
  await openPage()
  await expect(host.byTestId('status')).toHaveText(status(true, false))
  await expect(page.locator('iframe')).toHaveCount(1)
  await host.openLogin()
  await expect(host.byTestId('status')).toHaveText(status(true, false, true))
  await host.askForCode(inbox.address)
  await host.typeCode(await inbox.nextCode())
  await expect(host.byTestId('user-email')).toHaveText(inbox.address)
  await host.dialogCloses()
  await expect(host.byTestId('status')).toHaveText(status(true, true))
  await expect(host.byTestId('wallets')).toHaveText(/^0x[0-9a-fA-F]{40}$/)
  expect(await getEvents(page)).toEqual([['login', inbox.address, false]])

  const address = await host.byTestId('wallets').textContent()
  await host.byTestId('sign').click()
  await host.approve()
  await expect.poll(() => getEvents(page)).toHaveLength(2)
  const [, signed] = (await getEvents(page)) as [unknown, ['signed', `0x${string}`]]
  expect(signed[0]).toBe('signed')
  const proof = { address: address as `0x${string}`, message: 'From React', signature: signed[1] }
  expect(await verifyMessage(proof)).toBe(true)
  await host.dialogCloses()

  await page.reload()
  await expect(host.byTestId('status')).toHaveText(status(true, true))
  await expect(host.byTestId('wallets')).toHaveText(address ?? '')
  await expect(page.locator('iframe')).toHaveCount(1)
  expect(await getEvents(page)).toEqual([])

  await host.byTestId('logout').click()
  await expect(host.byTestId('status')).toHaveText(status(true, false))
  await expect.poll(() => getEvents(page)).toEqual([['logout']])
  expect(errors).toEqual([])
}
