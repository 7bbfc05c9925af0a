/** Opens the dialog once, and measures the time until a field accepts input and the dropped frames. */
import type { Frame, Page } from '@playwright/test'
import { collectStamps, droppedFrames, framesWithin, type Stamps } from './stamps.ts'

/** Long enough for the card's entry animation. */
const AFTER_OPENING_MS = 300
const QUIET_MS = 300
const POLL_EVERY_MS = 50

export type Opening = {
  waitMs: number
  /** The number of frames until the card had moved in. */
  frames: number
  droppedByHost: number
  /** Frames that the dialog dropped. Host and dialog render on separate threads. */
  droppedByFrame: number
}

/** Opens a page with a button for the dialog. */
export async function openHost(page: Page, url: string) {
  const stamps = await collectStamps(page)
  await page.goto(url)
  return { stamps, open: () => open(page, stamps) }
}

async function open(page: Page, stamps: Stamps): Promise<Opening> {
  await page.locator('#open').click()
  const focused = await stamps.until('field')
  const clicked = stamps.last('clicked')
  await page.waitForTimeout(AFTER_OPENING_MS)
  const dropped = async (frame: Frame) => {
    const drawn: number[] = await frame.evaluate(() => Reflect.get(window, 'drawn'))
    return droppedFrames(drawn, clicked, focused + AFTER_OPENING_MS)
  }
  const dialogFrame = page.mainFrame().childFrames()[0]
  if (!dialogFrame) throw new Error('No frame')
  return {
    waitMs: focused - clicked,
    frames: framesWithin(clicked, focused + AFTER_OPENING_MS),
    droppedByHost: await dropped(page.mainFrame()),
    droppedByFrame: await dropped(dialogFrame),
  }
}

/** Waits for the dialog's idle preload, which is over before a visitor clicks. */
export async function preload(page: Page, roundTripMs: number) {
  await page.waitForFunction(() => Reflect.get(window, 'settled') === true)
  const [dialog] = page.mainFrame().childFrames()
  if (!dialog) throw new Error('No frame')
  await dialog.waitForFunction(
    (quietMs) => {
      const ends = performance.getEntriesByType('resource').map((entry) => entry.startTime + entry.duration)
      return performance.now() - Math.max(0, ...ends) > quietMs
    },
    QUIET_MS + 2 * roundTripMs,
    // A hidden frame is not rendered, so polling cannot use animation frames.
    { polling: POLL_EVERY_MS },
  )
}
