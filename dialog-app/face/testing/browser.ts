/** Builds a page of the face, serves it under the policy of the dialog, and opens it in a real browser. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type BrowserContextOptions, chromium, type Page } from 'playwright'
import { preview } from 'vite'

export type FacePage = {
  readonly open: (options?: BrowserContextOptions, path?: string) => Promise<Page>
  /** What the page complained of since the last time. */
  readonly complaints: () => string[]
  readonly stop: () => Promise<void>
}

export async function serveFacePage(configFile: string, port: number): Promise<FacePage> {
  // In a process of its own, without the test runner's NODE_ENV.
  const { NODE_ENV: _ofTheTestRunner, ...env } = process.env
  const vite = join(import.meta.dirname, '../../../node_modules/vite/bin/vite.js')
  await promisify(execFile)(process.execPath, [vite, 'build', '--config', configFile], { env })
  const server = await preview({ configFile, preview: { port, strictPort: true, host: '127.0.0.1' } })
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu'],
  })
  const complaints: string[] = []
  return {
    async open(options = {}, path = '/') {
      const permissions = ['clipboard-read', 'clipboard-write']
      const page = await (await browser.newContext({ permissions, ...options })).newPage()
      page.on('pageerror', (error) => complaints.push(error.message))
      page.on('console', (line) => line.type() === 'error' && complaints.push(line.text()))
      await page.goto(`http://127.0.0.1:${port}${path}`)
      await page.waitForFunction(() => 'face' in globalThis)
      return page
    },
    complaints: () => complaints.splice(0),
    async stop() {
      await browser.close()
      await server.close()
    },
  }
}
