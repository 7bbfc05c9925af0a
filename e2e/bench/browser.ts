/** What a visitor waits for, in a real browser, against a bare cross-site frame in the same run. */

import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import { type Browser, type BrowserContext, chromium, type Page } from '@playwright/test'
import { build } from 'vite'
import { HostPage } from '../pages/host-page.ts'
import { asShipped, executablePath } from '../stack/chromium.ts'
import { openInbox } from '../stack/inbox.ts'
import { appId, type Stack } from '../stack/stack.ts'
import { line, median } from './statistics.ts'

const SAMPLES = 7

/** When something happened in a frame, on the one clock that all frames share. */
const stamps = `{
  const stamp = (name) => self.__stamp?.(name, performance.timeOrigin + performance.now())
  addEventListener('focusin', (event) => { if (event.target.type === 'email') stamp('focused') }, true)
  addEventListener('click', (event) => { if (event.isTrusted) stamp('clicked') }, true)
  new MutationObserver((changes) => {
    for (const { target } of changes) if (target.dataset?.signature) stamp('signed')
  }).observe(document, { subtree: true, attributes: true, attributeFilter: ['data-signature'] })
}`

export async function measureBrowser(stack: Stack, port: number) {
  const host = `http://bench.localhost:${port}`
  await stack.app('origins', appId, 'add', host)
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', host)
    response.setHeader('content-type', 'text/html')
    if (pathname === '/bare') return response.end(bareHost(`http://blank.localhost:${port}/blank`))
    if (pathname === '/blank')
      return response.end(
        '<!doctype html><input type="email"><script>document.querySelector("input").focus()</script>',
      )
    if (pathname === '/frame')
      return response.end(`<!doctype html><iframe src="${searchParams.get('src')}"></iframe>`)
    return response.end(hostPage(stack.dialogOrigin, searchParams.get('preload') ?? 'never'))
  }).listen(port, '127.0.0.1')
  const browser = await chromium.launch({
    ...(executablePath && { executablePath }),
    // The page that the bench itself fulfils may frame a local one.
    args: asShipped('LocalNetworkAccessChecks'),
  })
  try {
    console.log('\nFrom the click to a focused e-mail field')
    const bare = await repeat(browser, (page) => openAndFocus(page, `${host}/bare`, false))
    const cold = await repeat(browser, (page) => openAndFocus(page, `${host}/?preload=never`, false))
    const preloaded = await repeat(browser, (page) => openAndFocus(page, `${host}/?preload=now`, true))
    line('a bare cross-site frame with one field', bare, 'ms')
    line('cold', cold, 'ms', `${(median(cold) / median(bare)).toFixed(2)}× bare`)
    line('preloaded', preloaded, 'ms', `${(median(preloaded) / median(bare)).toFixed(2)}× bare`)

    console.log('\nRound trips')
    const toDialog = await inContext(browser, (page) => roundTripsToDialog(page, `${host}/?preload=now`))
    const inside = await inContext(browser, (page) => roundTripsInside(page, stack, host))
    line(
      'host to dialog',
      toDialog.map((value) => value * 1_000),
      'µs',
    )
    line(
      'dialog to wallet frame',
      inside.wallet.map((value) => value * 1_000),
      'µs',
    )
    line(
      'dialog to wallet frame to vault',
      inside.vault.map((value) => value * 1_000),
      'µs',
    )

    console.log('\nA signature, from the click to the host')
    line('sign', await inContext(browser, (page) => signatures(page, stack)), 'ms')
  } finally {
    await browser.close()
    server.close()
    server.closeAllConnections()
  }
}

async function inContext<T>(
  browser: Browser,
  run: (page: Page, context: BrowserContext) => Promise<T>,
): Promise<T> {
  const context = await browser.newContext()
  try {
    return await run(await context.newPage(), context)
  } finally {
    await context.close()
  }
}

async function repeat(browser: Browser, run: (page: Page) => Promise<number>): Promise<number[]> {
  const times: number[] = []
  for (let sample = 0; sample < SAMPLES; sample++) times.push(await inContext(browser, run))
  return times
}

async function collectStamps(page: Page) {
  const seen = new Map<string, number[]>()
  await page.exposeFunction('__stamp', (name: string, at: number) => {
    seen.set(name, [...(seen.get(name) ?? []), at])
  })
  await page.addInitScript(stamps)
  const last = (name: string) => seen.get(name)?.at(-1)
  return {
    seen,
    last,
    until: async (name: string, count: number) => {
      const deadline = Date.now() + 20_000
      while ((seen.get(name)?.length ?? 0) < count) {
        if (Date.now() > deadline) throw new Error(`Nothing was ${name}`)
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
      return last(name) ?? Number.NaN
    },
  }
}

async function openAndFocus(page: Page, url: string, settled: boolean): Promise<number> {
  const marks = await collectStamps(page)
  await page.goto(url)
  if (settled) await page.waitForFunction(() => Reflect.get(window, 'settled') === true)
  await page.locator('#open').click()
  const focused = await marks.until('focused', 1)
  return focused - (marks.last('clicked') ?? Number.NaN)
}

async function roundTripsToDialog(page: Page, url: string): Promise<number[]> {
  await page.goto(url)
  await page.waitForFunction(() => Reflect.get(window, 'settled') === true)
  await page.waitForTimeout(1_000)
  return page.evaluate(async () => {
    const latchkey = Reflect.get(window, 'latchkey')
    const times: number[] = []
    for (let run = 0; run < 12; run++) {
      const start = performance.now()
      await latchkey?.getUser()
      times.push(performance.now() - start)
    }
    return times
  })
}

type Inside = { wallet: number[]; vault: number[] }

async function roundTripsInside(page: Page, stack: Stack, host: string): Promise<Inside> {
  const script = await buildDialogPage()
  const address = `${stack.dialogOrigin}/bench-dialog`
  await page.route(`${address}*`, (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: `<!doctype html><body><script type="module">${script}</script>`,
    }),
  )
  const query = new URLSearchParams({ walletOrigin: stack.walletOrigin, appId })
  await page.goto(`${host}/frame?src=${encodeURIComponent(`${address}?${query}`)}`)
  const frame = page.frames().find((candidate) => candidate.url().startsWith(address))
  if (!frame) throw new Error('No frame')
  await frame.waitForFunction(() => Reflect.has(window, 'measured'))
  const measured: Inside & { failed?: string } = await frame.evaluate(() => Reflect.get(window, 'measured'))
  if (measured.failed) throw new Error(measured.failed)
  return measured
}

async function signatures(page: Page, stack: Stack): Promise<number[]> {
  const marks = await collectStamps(page)
  const host = new HostPage(page, stack)
  await host.open()
  await host.logIn(openInbox(stack.sandboxUrl))
  await host.walletAddress()
  const times: number[] = []
  for (let run = 1; run <= 5; run++) {
    const before = marks.seen.get('signed')?.length ?? 0
    await host.sign(`Signature ${run}`)
    times.push((await marks.until('signed', before + 1)) - (marks.last('clicked') ?? Number.NaN))
    await host.dialogCloses()
  }
  return times
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

const hostPage = (dialogOrigin: string, preload: string) => `<!doctype html><title>Bench</title>
<button id="open">Log in</button>
<script src="${dialogOrigin}/loader/v1/loader.js" data-app-id="${appId}" data-preload="${preload}"></script>
<script>
  document.querySelector('#open').addEventListener('click', () => latchkey.login().catch(() => {}))
  ${preload === 'never' ? '' : 'latchkey.ready.then(() => { window.settled = true })'}
</script>`

const bareHost = (src: string) => `<!doctype html><title>Bench</title><button id="open">Open</button>
<script>
  document.querySelector('#open').addEventListener('click', () => {
    const frame = document.createElement('iframe')
    frame.src = ${JSON.stringify(src)}
    frame.addEventListener("load", () => frame.contentWindow.focus())
    document.body.append(frame)
  })
</script>`
