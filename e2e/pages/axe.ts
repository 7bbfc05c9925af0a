import { expect, type Frame, type Page } from '@playwright/test'
import axe, { type PartialResults, type RunOptions, type SerialContextObject } from 'axe-core'

const options: RunOptions = {
  runOnly: {
    type: 'tag',
    values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  },
  resultTypes: ['violations'],
}

/**
 * Runs axe. The page behind an open modal is inert, so only the dialog is checked then.
 *
 * `@axe-core/playwright` would load axe again for each check and open a page for its result. It also skips a frame
 * that takes longer than a second.
 */
export async function expectNoViolations(page: Page, state: string, part: 'host' | 'dialog' = 'dialog') {
  await approvalsAreArmed(page)
  await animationsEnd(page)
  const include = part === 'dialog' ? [['iframe']] : []
  const partials = await checkFrame(page.mainFrame(), { include, exclude: [] })
  const { violations } = await page.evaluate(
    ([partials, options]) => (Reflect.get(globalThis, 'axe') as typeof axe).finishRun(partials, options),
    [partials, options] as const,
  )
  expect(
    violations.map(
      ({ id, nodes }) => `${state}: ${id} at ${nodes.map((node) => node.target.join(' ')).join(', ')}`,
    ),
  ).toEqual([])
}

/** Runs axe in a frame and the frames in it. The result of a frame comes before the results of its own frames. */
async function checkFrame(frame: Frame, context: SerialContextObject): Promise<PartialResults> {
  if (!(await frame.evaluate(() => 'axe' in globalThis))) await frame.evaluate(axe.source)
  const children = await frame.evaluate(
    (context) => (Reflect.get(globalThis, 'axe') as typeof axe).utils.getFrameContexts(context),
    context,
  )
  const partials: PartialResults = [
    await frame.evaluate(
      ([context, options]) => (Reflect.get(globalThis, 'axe') as typeof axe).runPartial(context, options),
      [context, options] as const,
    ),
  ]
  for (const { frameSelector, frameContext } of children) {
    const element = await frame.evaluateHandle(
      (selector) => (Reflect.get(globalThis, 'axe') as typeof axe).utils.shadowSelect(selector),
      frameSelector,
    )
    const child = await element.asElement()?.contentFrame()
    partials.push(...(child ? await checkFrame(child, frameContext) : [null]))
  }
  return partials
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
