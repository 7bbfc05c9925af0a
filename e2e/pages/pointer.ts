import { type ElementHandle, expect, type Locator } from '@playwright/test'

/**
 * Until Chromium has drawn a frame that is shown again, a click on it lands on the page around it, and of one that was
 * hidden, a click on the page lands on the frame. That is a moment that no hand is quick enough for, and a test is.
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
 * Presses what approves, as a person does: to the button, a moment on it, and a click. It is pressed once more where it
 * asks for that, or where the page was busy drawing. The element is kept, since the next card may have a button of the
 * same name. Where the button stays, `sign` is what tells that the press counted.
 */
export async function pressGated(button: Locator, sign?: Locator) {
  const isTaken = (control: Handle) => (sign ? sign.isVisible() : isGone(control))
  let pressed: Handle | null = null
  await expect(async () => {
    if (button.page().isClosed() || (pressed && (await isTaken(pressed)))) return
    const control = pressed ?? (await button.elementHandle({ timeout: 10_000 }))
    if (!control) throw new Error('There is no such button')
    await isReached(control)
    await expect.poll(() => control.getAttribute('data-gate'), { timeout: 3_000 }).toBe('ready')
    await control.click({ timeout: 2_000 })
    pressed = control
    await expect.poll(() => button.page().isClosed() || isTaken(control), { timeout: 5_000 }).toBe(true)
  }).toPass({ timeout: 60_000 })
}

/** It went, or says that it works; a frame that is gone has no button either. */
const isGone = (pressed: Handle) =>
  pressed
    .evaluate(
      (node) => !node.isConnected || node.matches(':disabled, [aria-busy=true], [data-leaving=true] *'),
    )
    .catch(() => true)
