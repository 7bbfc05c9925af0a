import { expect, type Locator } from '@playwright/test'

/**
 * Until Chromium has drawn a frame that is shown again, a click on it lands on the page around it, and of one that was
 * hidden, a click on the page lands on the frame. That is a moment that no hand is quick enough for, and a test is.
 */
export const isReached = (control: Locator) =>
  expect
    .poll(async () => {
      await control.hover()
      return control.evaluate((element) => element.matches(':hover'))
    })
    .toBe(true)
