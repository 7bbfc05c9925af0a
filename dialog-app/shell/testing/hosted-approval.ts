/** A real approval in a frame of another site. A test file that imports it shares one page until it opens the next. */
import type { CDPSession } from 'playwright'
import { afterAll, afterEach, beforeAll, expect, inject } from 'vitest'
import { type HostedShell, openShellPages, type ShellPage, type WindowSize } from './browser.ts'

let served: ShellPage
/** The page that the last `openApproval` opened. */
export let hosted: HostedShell
export let input: CDPSession
let isOpen = false

beforeAll(async () => {
  served = await openShellPages(inject('shellSite'))
})
afterAll(() => served.stop())
afterEach(() => expect(served.complaints()).toEqual([]))

/** Opens a page with a new approval, in place of the page before. */
export async function openApproval(zoom = 1, window?: WindowSize) {
  if (isOpen) await hosted.page.close()
  isOpen = false
  hosted = await served.openInHost(zoom, window)
  isOpen = true
  input = await hosted.page.context().newCDPSession(hosted.page)
  await askAnew()
}
export const askAnew = () => hosted.frame.evaluate(() => shell.askApproval())
export const isApproved = () => hosted.frame.evaluate(() => shell.isApproved())
/** Waits until the gate is in one of these states. */
export const stands = (...states: readonly string[]) =>
  hosted.frame
    .locator(states.map((state) => `[data-leaving="false"] [data-gate="${state}"]`).join())
    .waitFor()
/** Takes the mouse and the focus off the button, where an earlier press may have left them, and waits until it is armed. */
export async function standsAlone() {
  await hosted.page.mouse.move(5, 5)
  await button().blur()
  await stands('armed')
}
/** The states in which a tap counts. After a tap that the browser discarded, the button may have the focus. */
export const armed = ['armed', 'settling', 'ready']
export const button = () => hosted.frame.locator('[data-leaving="false"] [data-gate]')
const pressAgain = () => hosted.frame.getByRole('button', { name: 'Press again to confirm' })
export const asksAgain = () => pressAgain().waitFor({ state: 'visible' })
export const isAsked = () => pressAgain().isVisible()

/** Returns the middle of the button. The frame covers the page, so both have the same coordinates. */
export async function middle() {
  return button().evaluate((node) => {
    node.scrollIntoView({ block: 'nearest' })
    const { x, y, width, height } = node.getBoundingClientRect()
    return { x: x + width / 2, y: y + height / 2 }
  })
}

/** Moves the frame by a style of the host, and waits until the browser has drawn it there. */
export const moveFrame = (style: string) =>
  hosted.page.evaluate((css) => {
    document.querySelector('iframe')?.setAttribute('style', css)
    return new Promise<void>((drawn) => requestAnimationFrame(() => requestAnimationFrame(() => drawn())))
  }, style)

/** Presses, and waits for the gate's decision. Chromium discards input to a frame that moved a moment ago. */
export async function judged(press: () => Promise<unknown>) {
  const before = await hosted.frame.evaluate(() => shell.presses())
  await press()
  await hosted.frame
    .waitForFunction((count) => shell.presses() > count, before, { timeout: 1_000 })
    .catch(() => {})
}

/**
 * Presses until the approval is given. A press that the browser discarded, or that found an old look on a busy machine,
 * changes nothing. The gate must not ask for a second press.
 */
export async function approves(press: () => Promise<unknown>, ...states: readonly string[]) {
  for (let attempt = 0; attempt < 8; attempt += 1) {
    await stands(...states)
    const wasAsked = await isAsked()
    await judged(press)
    if (await isApproved()) return
    if (!wasAsked) expect(await isAsked()).toBe(false)
  }
  expect.unreachable('It was never approved')
}

/** Moves the mouse from beside the card to the button. A card that still grows would move the button meanwhile. */
export async function pointAtIt() {
  await stands(...armed)
  const { x, y } = await middle()
  await hosted.page.mouse.move(x - 250, y - 120)
  await hosted.page.mouse.move(x, y, { steps: 8 })
}
export async function pressThere() {
  await hosted.page.mouse.down()
  await hosted.page.mouse.up()
}

export async function tap() {
  const { x, y } = await middle()
  await input.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x, y }] })
  await input.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
}
