import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

/** The page behind an open modal is inert; what is looked at then is the dialog. */
export async function expectNoViolations(page: Page, state: string, part: 'host' | 'dialog' = 'dialog') {
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

/** Half-faded text has half its contrast. What turns for ever (a spinner), or moves with a scrolled list, is not waited for. */
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
