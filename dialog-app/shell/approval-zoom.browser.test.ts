/** An approval in a frame of another site, in a real browser, at every zoom. */
import { describe, expect, it } from 'vitest'
import {
  approves,
  armed,
  askAnew,
  button,
  hosted,
  isApproved,
  moveFrame,
  openApproval as open,
  pointAtIt,
  pressThere,
  stands,
  tap,
} from './testing/hosted-approval.ts'

/** Asserts that a tap on a card that is still arming approves nothing. */
async function tapTooEarly() {
  for (let attempt = 0; attempt < 8; attempt += 1) {
    await askAnew()
    await stands('arming')
    await hosted.frame.evaluate(() => {
      const note = (event: Event) => {
        const button = event.target instanceof Element ? event.target.closest('[data-gate]') : null
        document.body.dataset.tappedAt = button?.getAttribute('data-gate') ?? 'elsewhere'
      }
      document.addEventListener('pointerdown', note, { capture: true, once: true })
    })
    await tap()
    const tappedAt = await hosted.frame.locator('body').getAttribute('data-tapped-at')
    if (tappedAt !== 'arming') continue
    expect(await isApproved()).toBe(false)
    return
  }
  expect.unreachable('The card was armed before each tap')
}

describe.each([0.67, 1, 1.5, 2])('at a zoom of %d', (zoom) => {
  it('approves by a mouse click, unless the frame moved under the pointer', async () => {
    await open(zoom)
    expect(await hosted.frame.evaluate(() => devicePixelRatio)).toBeCloseTo(zoom, 2)
    await pointAtIt()
    await approves(pressThere, 'ready')
    await askAnew()
    await pointAtIt()
    await stands('ready')
    await moveFrame(`transform: translateX(${9 / zoom}px)`)
    await pressThere()
    // The card counts as newly visible, so the pointer has to rest again.
    await stands('arming')
    expect(await isApproved()).toBe(false)
    await approves(pressThere, 'ready')
  })

  it('approves by one tap, and by Enter on the focused button', async () => {
    await open(zoom)
    await approves(tap, ...armed)
    await tapTooEarly()
    await button().focus()
    await approves(() => hosted.page.keyboard.press('Enter'), 'ready')
  })
})
