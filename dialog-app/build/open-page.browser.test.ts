/** Loads the built page with a waiting call in a real browser: its requests, their order, and its first actions. */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { chromium, type Page } from 'playwright'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { headlessShell } from '../../scripts/local/chromium.ts'
import { inlineConfig } from '../testing/fixtures.ts'

const root = join(import.meta.dirname, '..')
const dist = join(root, '../node_modules/.cache/open-page')
const types: Record<string, string> = { '.js': 'text/javascript', '.css': 'text/css' }
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: https:; connect-src 'self'; frame-src http:; require-trusted-types-for 'script'"

const browser = await chromium.launch(headlessShell())
let server: Server
let origin: string
let page: Page
const complaints: string[] = []

/** Applies an app's settings to the page, like the server, for an app with few login methods. */
const forApp = (html: string, app: object) =>
  html.replace(/<!--if ([\w |]+)-->(.*?)<!--end-->/gs, (_, conditions: string, links: string) =>
    conditions
      .replaceAll(/ while [\w ]+/g, '')
      .split(/[ |]+/)
      .some((setting) => Reflect.get(app, setting) === true)
      ? links
      : '',
  )
const fileOf = (path: string) => readFileSync(join(dist, path), 'utf8')

beforeAll(async () => {
  // In a separate process, without the test runner's NODE_ENV.
  const { NODE_ENV: _ofTheTestRunner, ...env } = process.env
  const vite = join(root, '../node_modules/vite/bin/vite.js')
  const build = [
    '--conditions=latchkey-source',
    vite,
    'build',
    root,
    '--outDir',
    dist,
    '--emptyOutDir',
    '--logLevel',
    'error',
  ]
  await promisify(execFile)(process.execPath, build, { env, cwd: root })
  server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://here').pathname
    if (path.startsWith('/api/')) {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"success":true}')
    } else if (path === '/') {
      const app = { ...inlineConfig.app, walletAuth: false }
      const config = { ...inlineConfig, app, hostOrigin: null, dialogOrigin: origin, apiOrigin: origin }
      const html = forApp(fileOf('open.html'), app).replace('{}', JSON.stringify(config))
      response.writeHead(200, { 'content-type': 'text/html', 'content-security-policy': policy }).end(html)
    } else if (path === '/favicon.ico') {
      response.writeHead(204).end()
    } else {
      response.writeHead(200, { 'content-type': types[extname(path)] ?? 'text/plain' }).end(fileOf(path))
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(async () => {
  await browser.close()
  server.close()
})
afterEach(async () => {
  await page.context().close()
  expect(complaints.splice(0)).toEqual([])
})

declare global {
  /** The focused element when each event was sent. */
  var focusedAtEvents: (string | undefined)[]
}

/** The path of every request, in order. */
async function open() {
  const paths: string[] = []
  page = await (await browser.newContext()).newPage()
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (line) => line.type() === 'error' && complaints.push(line.text()))
  page.on('request', (request) => paths.push(new URL(request.url()).pathname))
  await page.addInitScript(() => {
    globalThis.focusedAtEvents = []
    const { fetch } = globalThis
    globalThis.fetch = (...call) => {
      if (String(call[0]).includes('analytics')) focusedAtEvents.push(document.activeElement?.tagName)
      return fetch(...call)
    }
  })
  await page.goto(origin)
  await page.getByRole('textbox', { name: 'E-mail' }).waitFor()
  return paths
}

it('shows LANDING after two round trips: the page, and the files that it names', async () => {
  const paths = await open()
  const html = fileOf('open.html')
  const beforeLanding = paths.filter((path) => /\.(js|css)$/.test(path))
  const notNamed = beforeLanding.filter((path) => !html.includes(path))
  // Loaded early after LANDING is shown, and for logins without a host page.
  const besides = /\/(?:refusals|parts|with-user|signed-in|screens|after-login)-/
  expect(notNamed.filter((path) => !besides.test(path))).toEqual([])
  expect(new Set(beforeLanding).size).toBe(beforeLanding.length)
  expect(beforeLanding.length).toBeGreaterThan(5)
})

it('sends no analytics before its field is focused', async () => {
  await open()
  await page.waitForFunction(() => focusedAtEvents.length > 0)
  expect(await page.evaluate(() => focusedAtEvents)).toEqual(['INPUT', 'INPUT'])
})

it('loads the wallet after the address was sent, and nothing before the code', async () => {
  const paths = await open()
  await page.waitForLoadState('networkidle')
  // `shared` is also used by login methods.
  const isWallet = (path: string) => /\/(?:wallet|wallet-create|shared)-|embedded-wallets/.test(path)
  expect(paths.filter(isWallet)).toEqual([])
  const before = paths.length
  await page.keyboard.type('mira@fieldnotes.example')
  await page.keyboard.press('Enter')
  await page.getByRole('group', { name: 'Six-digit code' }).waitFor()
  const asked = paths.slice(before)
  expect(asked.some(isWallet)).toBe(true)
  expect(asked.filter((path) => !isWallet(path) && !path.startsWith('/api/'))).toEqual([])
})
