/**
 * The page of the shell that a file of tests looks at: each test opens it, and after the test it is closed and has
 * complained of nothing.
 */
import type { BrowserContextOptions, Page } from 'playwright'
import { afterAll, afterEach, beforeAll, expect, inject } from 'vitest'
import { openShellPages, type ShellPage } from './browser.ts'

let served: ShellPage
/** What the last `openShell` opened. */
export let page: Page

beforeAll(async () => {
  served = await openShellPages(inject('shellSite'))
})
afterAll(() => served.stop())
afterEach(async () => {
  await page.context().close()
  expect(served.complaints()).toEqual([])
})

export async function openShell(options: BrowserContextOptions = {}, path = '/') {
  page = await served.open(options, path)
}

export const settled = () => page.evaluate(() => shell.settled())
