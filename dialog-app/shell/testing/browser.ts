/** Builds a page of the shell, serves it under the policy of the dialog, and opens it in a real browser. */
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type BrowserContext, type BrowserContextOptions, chromium, type Frame, type Page } from 'playwright'
import { preview } from 'vite'
import { fullBrowser, headlessShell } from '../../../scripts/local/chromium.ts'

export type WindowSize = { width: number; height: number }
export type HostedShell = { page: Page; frame: Frame }

export type ShellPage = {
  /** Opens an empty tab. */
  open: (options: BrowserContextOptions) => Promise<Page>
  load: (page: Page, path: string) => Promise<void>
  /** The page in a frame of another site, in a browser whose zoom is this. */
  openInHost: (zoom: number, window?: WindowSize) => Promise<HostedShell>
  /** What the page complained of since the last time. */
  complaints: () => string[]
  stop: () => Promise<void>
}

/** Motion is drawn in software here. A test of motion asks for `reducedMotion: 'no-preference'`. */
const calm = { reducedMotion: 'reduce' } as const

/** The addresses of the built page, and of the host page of another site that embeds it. */
export type ShellSite = { pageUrl: string; hostUrl: string }

/** Builds the page and serves it on free ports. */
export async function startShellSite(configFile: string) {
  const outDir = mkdtempSync(join(tmpdir(), 'latchkey-shell-'))
  // In a process of its own, without the test runner's NODE_ENV.
  const { NODE_ENV: _ofTheTestRunner, ...env } = process.env
  const vite = join(import.meta.dirname, '../../../node_modules/vite/bin/vite.js')
  await promisify(execFile)(process.execPath, [vite, 'build', '--config', configFile, '--outDir', outDir], {
    env,
  })
  const server = await preview({ configFile, build: { outDir }, preview: { port: 0, host: '127.0.0.1' } })
  const pageUrl = `http://127.0.0.1:${portOf(server.httpServer.address())}`
  const host = createServer((_request, answer) => {
    answer.setHeader('content-type', 'text/html')
    answer.end(`<!doctype html><link rel="icon" href="data:,"><style>body{margin:0}
      iframe{position:fixed;inset:0;width:100%;height:100%;border:0}</style>
      <iframe src="${pageUrl}/"></iframe>`)
  }).listen(0, '127.0.0.1')
  await once(host, 'listening')
  return {
    site: { pageUrl, hostUrl: `http://host.localhost:${portOf(host.address())}` },
    async stop() {
      await server.close()
      host.close()
      rmSync(outDir, { recursive: true, force: true })
    },
  }
}

/** Launches a browser for the tests of one file. */
export async function openShellPages({ pageUrl, hostUrl }: ShellSite): Promise<ShellPage> {
  const browser = await chromium.launch(headlessShell())
  const complaints: string[] = []
  const profiles: string[] = []
  const zoomed: Record<string, Promise<BrowserContext>> = {}

  async function launch(zoom: number, size: string) {
    const profile = makeProfile(zoom)
    profiles.push(profile)
    // A page is zoomed by the browser around it, which the headless shell has not.
    const { args, ...browser } = fullBrowser()
    const context = await chromium.launchPersistentContext(profile, {
      ...browser,
      args: [...args, size],
      viewport: null,
      ...calm,
    })
    return context
  }

  return {
    async open(options) {
      const permissions = ['clipboard-read', 'clipboard-write']
      const page = await (await browser.newContext({ ...calm, permissions, ...options })).newPage()
      page.on('pageerror', (error) => complaints.push(error.message))
      page.on('console', (line) => line.type() === 'error' && complaints.push(line.text()))
      return page
    },
    async load(page, path) {
      await page.goto(pageUrl + path)
      await page.waitForFunction(() => 'shell' in globalThis)
    },
    async openInHost(zoom, { width, height } = { width: 1_000, height: 900 }) {
      const named = `${zoom} ${width}`
      const launched = zoomed[named] ?? launch(zoom, `--window-size=${width},${height}`)
      zoomed[named] = launched
      const context = await launched
      const page = await context.newPage()
      page.on('pageerror', (error) => complaints.push(error.message))
      await page.goto(`${hostUrl}/`)
      const frame = page.frames()[1]
      if (!frame) throw new Error('there is no frame')
      await frame.waitForFunction(() => 'shell' in globalThis)
      return { page, frame }
    },
    complaints: () => complaints.splice(0),
    async stop() {
      await browser.close()
      for (const context of Object.values(zoomed)) await (await context).close()
      for (const profile of profiles) rmSync(profile, { recursive: true, force: true })
    },
  }
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('Nobody listens')
  return address.port
}

/**
 * A profile whose zoom is the browser's own, as Ctrl and + set it: pages get another `devicePixelRatio` and another
 * relation of screen to client places. What the DevTools protocol offers is a screen with more pixels, or two fingers.
 */
function makeProfile(zoom: number): string {
  const profile = mkdtempSync(join(tmpdir(), 'latchkey-zoom-'))
  mkdirSync(join(profile, 'Default'))
  // Chromium counts in steps of 20 %.
  const level = Math.log(zoom) / Math.log(1.2)
  const preferences = { partition: { default_zoom_level: { x: level } } }
  writeFileSync(join(profile, 'Default', 'Preferences'), JSON.stringify(preferences))
  return profile
}
