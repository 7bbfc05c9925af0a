import { setFaults as setSandboxFaults } from '@latchkey/sandbox'
import type { BrowserContext, Page, Route } from '@playwright/test'
import type { Stack } from './stack.ts'

/** Drops the response of each matching call once, after the server has handled it. Returns the paths. */
export async function loseAnswers(target: Page | BrowserContext, pattern: RegExp, times = 1) {
  const lost: string[] = []
  await target.route(pattern, async (route: Route) => {
    const { pathname } = new URL(route.request().url())
    if (route.request().method() === 'GET' || lost.filter((path) => path === pathname).length >= times) {
      return route.fallback()
    }
    lost.push(pathname)
    await route.fetch()
    await route.abort('connectionreset')
  })
  return lost
}

/**
 * Holds every matching call until it is released. Call it before the page opens: Chromium may not intercept the calls
 * of a frame that is loading.
 */
export async function holdCalls(target: Page | BrowserContext, pattern: RegExp) {
  const { promise: arrived, resolve: markArrived } = Promise.withResolvers<void>()
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  let heldCalls = 0
  await target.route(pattern, async (route) => {
    heldCalls += 1
    markArrived()
    await released
    await route.fallback().catch(() => {})
  })
  return { arrived, release, count: () => heldCalls }
}

/** Sets faults of the sandbox's third parties by name. `none` ends a fault. */
export const setFaults = (
  { sandboxUrl }: Pick<Stack, 'sandboxUrl'>,
  faults: Readonly<Record<string, string>>,
) => setSandboxFaults(sandboxUrl, faults)
