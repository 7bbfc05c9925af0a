/** Two sites and a browser for tests that each use their own page. All end with the test file. */
import assert from 'node:assert/strict'
import { createServer } from 'node:net'
import { type Browser, chromium, type Page } from 'playwright'
import { afterAll, beforeAll } from 'vitest'
import { headlessShell } from '../../scripts/local/chromium.ts'
import type * as loaderModule from '../start/index.ts'
import { type Host, startServers } from './servers.ts'

const base = Number(process.env.LATCHKEY_PORT_BASE ?? 4000)
export const ports = { host: base + 460, dialog: base + 461, hanging: base + 462, dead: base + 463 }
export const apps = {
  demo: 'lkdemo0000000000000000001',
  unlisted: 'unlisted00000000000000001',
  silent: 'silent0000000000000000001',
  interstitial: 'interstitial0000000000001',
  slow: 'slow000000000000000000001',
  unknown: 'unknown000000000000000001',
}

export const servers = await startServers(ports.host, ports.dialog)
servers.apps
  .set(apps.demo, { status: 'ok' })
  .set(apps.unlisted, { status: 'origin_not_allowed' })
  .set(apps.silent, { status: 'ok', page: 'silent' })
  .set(apps.interstitial, { status: 'ok', page: 'interstitial' })
  .set(apps.slow, { status: 'ok', page: 'slow' })
const hanging = createServer(() => {}).listen(ports.hanging, '127.0.0.1')
export const { hostOrigin, dialogOrigin } = servers

/** The minimal policy that the README requires of hosts. */
export const strict = [
  "default-src 'none'",
  `script-src 'self' ${dialogOrigin}`,
  "style-src 'self'",
  `frame-src ${dialogOrigin}`,
  `connect-src ${dialogOrigin}`,
  "require-trusted-types-for 'script'",
  'trusted-types latchkey',
].join('; ')

export const tag = (app: string, more = ''): string =>
  `<script src="${dialogOrigin}/loader/v1/loader.js" data-app-id="${app}" ${more} async></script>`
export const renderPage = (body: string, head = ''): string =>
  `<!doctype html><html lang="en"><head><title>Host</title><script src="/host.js"></script>${head}</head><body>${body}</body></html>`
export const policy = (value: string) => ({ 'content-security-policy': value })

declare global {
  /** Defined by `/host.js`. */
  var importModule: (address: string) => Promise<typeof loaderModule>
}

type Visit = {
  page: Page
  violations: string[]
  errors: string[]
  warnings: string[]
}
let browser: Browser | undefined
beforeAll(async () => {
  browser = await chromium.launch({
    ...headlessShell('OverlayScrollbar'),
    // Playwright hides scrollbars by default.
    ignoreDefaultArgs: ['--hide-scrollbars'],
  })
})
afterAll(async () => {
  await browser?.close()
  hanging.close()
  servers.close()
})

export async function visit(
  path: string,
  host: Host,
  prepare?: (page: Page) => Promise<void>,
): Promise<Visit> {
  if (!browser) throw new Error('The browser is started before the tests')
  servers.hosts.set(path, host)
  const context = await browser.newContext({ viewport: { width: 800, height: 600 } })
  const page = await context.newPage()
  const seen: Visit = { page, violations: [], errors: [], warnings: [] }
  page.on('console', (message) => {
    if (/Content Security Policy|Trusted/i.test(message.text())) seen.violations.push(message.text())
    else if (message.type() === 'error') seen.errors.push(message.text())
    else if (message.type() === 'warning') seen.warnings.push(message.text())
  })
  page.on('pageerror', (error) => seen.errors.push(error.message))
  await prepare?.(page)
  await page.goto(hostOrigin + path)
  return seen
}

export const closePage = (page: Page) => page.context().close()
/** Waits for the script, on a page without the stub. */
export const loaded = (page: Page) => page.waitForFunction(() => window.latchkey)
/** Returns the value of a call or its error, and its duration. */
export const runCall = (page: Page, call: string) => {
  const end = page.evaluate(async (source) => {
    const start = performance.now()
    const done = (end: unknown) => ({ end, ms: Math.round(performance.now() - start) })
    return Promise.resolve(new Function(`return window.latchkey.${source}`)()).then(
      (value) => done(value),
      (error) => done(`${error.name}:${error.code}:${error.message}`),
    )
  }, call)
  // A failing test must not leave an unhandled rejection.
  end.catch(() => {})
  return end
}

declare global {
  /** The due times of all timeouts of the page, in ms after `stopClock`. */
  var dueTimesMs: number[]
}

/**
 * Stops the clock of a page that installed one. From then on, only `runTo` advances it.
 *
 * Also makes `AbortSignal.timeout` follow the clock, which Playwright does not do.
 */
export async function stopClock(page: Page) {
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 60_000)
  await page.evaluate(() => {
    const startMs = performance.now()
    const { setTimeout } = window
    globalThis.dueTimesMs = []
    Reflect.set(window, 'setTimeout', (run: () => void, delayMs = 0, ...more: unknown[]) => {
      dueTimesMs.push(Math.round(performance.now() - startMs + delayMs))
      return setTimeout(run, delayMs, ...more)
    })
    AbortSignal.timeout = (delayMs) => {
      const controller = new AbortController()
      window.setTimeout(() => controller.abort(new DOMException('It took too long', 'TimeoutError')), delayMs)
      return controller.signal
    }
  })
}

/**
 * Advances a stopped clock through these times, in ms after `stopClock`. Each must be the due time of a
 * timeout, and the call must be pending until the last one.
 */
export async function runTo(page: Page, timesMs: readonly number[], call: Promise<unknown>) {
  let isPending = true
  const settle = () => {
    isPending = false
  }
  call.then(settle, settle)
  let nowMs = 0
  for (const timeMs of timesMs) {
    await page.waitForFunction((dueMs) => dueTimesMs.includes(dueMs), timeMs)
    await page.clock.runFor(timeMs - 1 - nowMs)
    assert.equal(isPending, true, `still pending after ${timeMs - 1} ms`)
    await page.clock.runFor(1)
    nowMs = timeMs
  }
}

export const dialogFrame = (page: Page) => page.frameLocator('iframe[title="Latchkey login and wallet"]')
export const readDialogEvents = (page: Page): Promise<string[]> =>
  page.frames()[1]?.evaluate('heard') ?? Promise.reject(new Error('The page has no frame'))

/** Waits until the empty card has gone, which a slow dialog on a busy machine may follow. */
export const withoutEmptyCard = (page: Page) =>
  page.waitForFunction(() => {
    const dialog = document.querySelector('dialog[data-latchkey=""]')
    return dialog?.getAnimations({ subtree: true }).length === 0
  })

/** Returns the color at a position: red, green, blue, opacity. */
export async function readPixel(page: Page, x: number, y: number): Promise<number[]> {
  const image = await page.screenshot({ clip: { x, y, width: 1, height: 1 } })
  return page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (byte) => byte.charCodeAt(0))
    const bitmap = await createImageBitmap(new Blob([bytes]))
    const context = new OffscreenCanvas(1, 1).getContext('2d')
    context?.drawImage(bitmap, 0, 0)
    return [...(context?.getImageData(0, 0, 1, 1).data ?? [])]
  }, image.toString('base64'))
}
