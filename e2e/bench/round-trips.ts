/** What one message costs, from window to window, on this machine. */
import { fileURLToPath } from 'node:url'
import { openChannel } from '@latchkey/protocol/channel'
import { type FrameMessages, walletContract, walletParentMessages } from '@latchkey/protocol/wallet'
import type { Browser, Page } from '@playwright/test'
import { build } from 'vite'
import { appId, type Stack } from '../stack/stack.ts'
import type { Hosts } from './hosts.ts'
import { heading, line } from './statistics.ts'

const CALLS = 12
/** The dialog loads the rest of itself meanwhile. */
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

type Inside = { readonly wallet: number[]; readonly vault: number[] }

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
      rollupOptions: { input: fileURLToPath(new URL('./round-trips.ts', import.meta.url)) },
    },
  })
  const [chunk] = 'output' in output ? output.output : []
  if (chunk?.type !== 'chunk') throw new Error('The page of the bench was not built')
  return chunk.code
}

/** Stands where the dialog stands, with the real channel to the real wallet frame, and counts round trips. */

async function measure() {
  const { walletOrigin, appId } = Object.fromEntries(new URLSearchParams(location.search))
  const frame = document.createElement('iframe')
  frame.src = `${walletOrigin}/apps/${appId}/embedded-wallets?caid=bench&client_id=bench`
  document.body.append(frame)
  if (!frame.contentWindow || !walletOrigin) throw new Error('No frame')
  const channel = openChannel<typeof walletParentMessages, FrameMessages>({
    contract: walletContract,
    side: 'parent',
    receives: walletParentMessages,
    target: { window: frame.contentWindow, origin: walletOrigin },
    handlers: { 'iframe:ready': () => ({}) },
  })
  const times = async (name: 'iframe:ready' | 'operation:begin') => {
    const results: number[] = []
    await channel.call(name, {})
    for (let run = 0; run < 8; run++) {
      const start = performance.now()
      await channel.call(name, {})
      results.push(performance.now() - start)
    }
    return results
  }
  Reflect.set(window, 'measured', {
    wallet: await times('iframe:ready'),
    vault: await times('operation:begin'),
  })
}

measure().catch((error) => Reflect.set(window, 'measured', { failed: String(error) }))
