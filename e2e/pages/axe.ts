import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

/** Runs axe. The page behind an open modal is inert, so only the dialog is checked then. */
export async function expectNoViolations(page: Page, state: string, part: 'host' | 'dialog' = 'dialog') {
  await approvalsAreArmed(page)
  await animationsEnd(page)
  const axe = new AxeBuilder({ page })
  if (part === 'dialog') axe.include('iframe')
  const { violations } = await axe
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
    .analyze()
  expect(
    violations.map(
      ({ id, nodes }) => `${state}: ${id} at ${nodes.map((node) => node.target.join(' ')).join(', ')}`,
    ),
  ).toEqual([])
}

/**
 * Waits until approval buttons are armed, because arming changes their colors. Ignores buttons that cannot be
 * armed.
 */
async function approvalsAreArmed(page: Page) {
  for (const frame of page.frames()) {
    const notYet = frame.locator('[data-gate="waiting"], [data-gate="arming"]').first()
    await notYet.waitFor({ state: 'detached', timeout: 5_000 }).catch(() => {})
  }
}

/**
 * Waits for animations to end, because fading text has low contrast. Ignores endless ones and those that
 * follow scrolling.
 */
async function animationsEnd(page: Page) {
  for (const frame of page.frames()) {
    await frame.evaluate(async () => {
      const ending = document
        .getAnimations()
        .filter((one) => one.timeline === document.timeline)
        .filter((one) => one.effect?.getComputedTiming().iterations !== Infinity)
      await Promise.allSettled(ending.map((one) => one.finished))
    })
  }
}
