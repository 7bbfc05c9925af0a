/**
 * The page of the shell for a test file. Each test loads it anew in one tab, whose process keeps the compiled script: that
 * takes a fifth of the time of a new tab.
 */
import type { BrowserContextOptions, Page } from 'playwright'
import { afterAll, afterEach, beforeAll, expect, inject } from 'vitest'
import { openShellPages, type ShellPage } from './browser.ts'

let served: ShellPage
/** The page that the last `openShell` opened. */
export let page: Page
/** The options of the open tab. Undefined if the next test needs another tab. */
let openedWith: string | undefined

beforeAll(async () => {
  served = await openShellPages(inject('shellSite'))
})
afterAll(() => served.stop())
afterEach(() => expect(served.complaints()).toEqual([]))

export async function openShell(options: BrowserContextOptions = {}, path = '/') {
  const { viewport = { width: 1280, height: 720 }, ...others } = options
  const wanted = JSON.stringify(others)
  if (wanted !== openedWith) {
    await page?.context().close()
    openedWith = undefined
    page = await served.open(others)
  }
  if (viewport) await page.setViewportSize(viewport)
  await page.mouse.move(0, 0)
  await served.load(page, path)
  openedWith = wanted
}
/** Closes the tab before the next test, after a change that loading does not undo, such as a clock. */
export const discardAfterTest = () => {
  openedWith = undefined
}

export const settled = () => page.evaluate(() => shell.settled())
