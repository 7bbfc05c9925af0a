/** Measures the cost of one message between windows on this machine. */
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from '@playwright/test'
import { build } from 'vite'
import { appId, type Stack } from '../stack/stack.ts'
import type { Hosts } from './hosts.ts'
import { heading, line } from './statistics.ts'

const CALLS = 12
/** Meanwhile the dialog loads its deferred parts. */
const SETTLE_MS = 1_000

export async function measureRoundTrips(browser: Browser, stack: Stack, hosts: Hosts) {
  heading('Round trips')
  const microseconds = (times: readonly number[]) => times.map((time) => time * 1_000)
  const page = await browser.newPage()
  const toDialog = await fromHost(page, hosts)
  const inside = await fromDialog(page, stack, hosts)
  await page.close()
  line('host to dialog', microseconds(toDialog), 'µs')
  line('dialog to wallet frame', microseconds(inside.wallet), 'µs')
  line('dialog to wallet frame to vault', microseconds(inside.vault), 'µs')
}

async function fromHost(page: Page, hosts: Hosts): Promise<number[]> {
  await page.goto(hosts.preloaded)
  await page.waitForFunction(() => Reflect.get(window, 'settled') === true)
  await page.waitForTimeout(SETTLE_MS)
  return page.evaluate(async (calls) => {
    const latchkey = Reflect.get(window, 'latchkey')
    const times: number[] = []
    for (let call = 0; call < calls; call += 1) {
      const start = performance.now()
      await latchkey?.getUser()
      times.push(performance.now() - start)
    }
    return times
  }, CALLS)
}

type Inside = { wallet: number[]; vault: number[] }

async function fromDialog(page: Page, stack: Stack, hosts: Hosts): Promise<Inside> {
  const script = await buildDialogPage()
  const address = `${stack.dialogOrigin}/bench-dialog`
  await page.route(`${address}*`, (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: `<!doctype html><body><script type="module">${script}</script>`,
    }),
  )
  const query = new URLSearchParams({ walletOrigin: stack.walletOrigin, appId })
  await page.goto(hosts.framing(`${address}?${query}`))
  const frame = page.frames().find((candidate) => candidate.url().startsWith(address))
  if (!frame) throw new Error('No frame')
  await frame.waitForFunction(() => Reflect.has(window, 'measured'))
  const measured: Inside & { failed?: string } = await frame.evaluate(() => Reflect.get(window, 'measured'))
  if (measured.failed) throw new Error(measured.failed)
  return measured
}

async function buildDialogPage(): Promise<string> {
  const output = await build({
    configFile: false,
    logLevel: 'silent',
    resolve: { conditions: ['latchkey-source'] },
    build: {
      write: false,
      rollupOptions: { input: fileURLToPath(new URL('./dialog-page.ts', import.meta.url)) },
    },
  })
  const [chunk] = 'output' in output ? output.output : []
  if (chunk?.type !== 'chunk') throw new Error('The page of the bench was not built')
  return chunk.code
}
