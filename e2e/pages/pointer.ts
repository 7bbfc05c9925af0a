import { type ElementHandle, errors, expect, type Locator } from '@playwright/test'

/**
 * Waits until a control receives pointer events. Until Chromium has drawn a shown or hidden frame, clicks are
 * routed as before. Users are too slow to notice, tests are not.
 */
export const isReached = (control: Pick<Locator, 'hover' | 'evaluate'>) =>
  expect
    .poll(async () => {
      await control.hover()
      return control.evaluate((element) => element.matches(':hover'))
    })
    .toBe(true)

type Handle = ElementHandle<HTMLElement | SVGElement>

/**
 * Presses a gated button like a person: moves to it, rests, and clicks. Repeats the press if the gate asks
 * for it or the page was busy. Keeps the element, because the next card may have a button of the same name.
 * If the button stays, `sign` shows that the press counted.
 */
export async function pressGated(button: Locator, sign?: Locator) {
  const isTaken = (control: Handle) => (sign ? sign.isVisible() : isGone(control))
  let pressed: Handle | null = null
  await expect(async () => {
    if (button.page().isClosed() || (pressed && (await isTaken(pressed)))) return
    const control = pressed ?? (await button.elementHandle({ timeout: 10_000 }))
    if (!control) throw new Error('Button not found')
    await isReached(control)
    await expect.poll(() => control.getAttribute('data-gate'), { timeout: 3_000 }).toBe('ready')
    try {
      await control.click({ timeout: 2_000 })
    } catch (error) {
      // A busy page may have received the click.
      if (error instanceof errors.TimeoutError) pressed = control
      throw error
    }
    pressed = control
    await expect.poll(() => button.page().isClosed() || isTaken(control), { timeout: 5_000 }).toBe(true)
  }).toPass({ timeout: 60_000 })
}

/** Returns whether the button is gone or busy. A removed frame has no button either. */
const isGone = (pressed: Handle) =>
  pressed
    .evaluate(
      (node) => !node.isConnected || node.matches(':disabled, [aria-busy=true], [data-leaving=true] *'),
    )
    .catch(() => true)
