/** Measures the cost of opening the dialog on the host's main thread, compared with framing a bare page. */
import type { Browser, Page } from '@playwright/test'
import type { Hosts } from './hosts.ts'
import { heading, median, plain } from './statistics.ts'

const SAMPLES = 3
/** By then the deferred work of an opening has run. */
const AFTER_OPENING_MS = 1_000
/** The first element on both pages. */
const BUTTON = { x: 20, y: 20 }

type Cost = { scriptMs: number; tasksMs: number; heapBytes: number }

export async function measureHostThread(browser: Browser, hosts: Hosts) {
  heading("The host's own thread, from its first script to an open dialog")
  const bare = await measureCost(browser, hosts.bare)
  for (const [name, cost] of [
    ['a bare cross-site frame', bare],
    ['cold', await measureCost(browser, hosts.cold)],
    ['preloaded', await measureCost(browser, hosts.preloaded)],
  ] as const) {
    const more = (cost.heapBytes - bare.heapBytes) / 1e6
    plain(`${name}: script`, cost.scriptMs, 'ms', `${cost.tasksMs.toFixed(0)} ms of tasks`)
    plain(`${name}: heap`, cost.heapBytes / 1e6, 'MB', `${more.toFixed(2)} MB beside the bare frame`)
  }
}

async function measureCost(browser: Browser, url: string): Promise<Cost> {
  const costs: Cost[] = []
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    const context = await browser.newContext()
    try {
      costs.push(await openOnce(await context.newPage(), url))
    } finally {
      await context.close()
    }
  }
  const middle = (pick: (cost: Cost) => number) => median(costs.map(pick))
  return {
    scriptMs: middle(({ scriptMs }) => scriptMs),
    tasksMs: middle(({ tasksMs }) => tasksMs),
    heapBytes: middle(({ heapBytes }) => heapBytes),
  }
}

async function openOnce(page: Page, url: string): Promise<Cost> {
  const tools = await page.context().newCDPSession(page)
  await tools.send('Performance.enable')
  await page.goto(url)
  await page.waitForTimeout(AFTER_OPENING_MS)
  // Do not run scripts in the host page, because they would count as its own.
  await page.mouse.click(BUTTON.x, BUTTON.y)
  const frame = page.mainFrame().childFrames()[0] ?? (await page.waitForEvent('frameattached'))
  await frame.locator('input[type=email]:focus').waitFor()
  await page.waitForTimeout(AFTER_OPENING_MS)
  const { metrics } = await tools.send('Performance.getMetrics')
  await tools.send('HeapProfiler.collectGarbage')
  const { usedSize } = await tools.send('Runtime.getHeapUsage')
  const seconds = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? Number.NaN
  return {
    scriptMs: seconds('ScriptDuration') * 1_000,
    tasksMs: seconds('TaskDuration') * 1_000,
    heapBytes: usedSize,
  }
}
