/** Measurements in a browser. Each part has its own browser. */

import { openInbox } from '@latchkey/sandbox'
import { type Browser, chromium } from '@playwright/test'
import { fullBrowser } from '../../scripts/local/chromium.ts'
import { HostPage } from '../pages/host-page.ts'
import type { Stack } from '../stack/stack.ts'
import { type Conditions, openConditions } from './conditions.ts'
import { measureHostThread } from './host-thread.ts'
import { type Hosts, openHosts } from './hosts.ts'
import { measureJourneys } from './journeys.ts'
import { measureLanding, measureProviderWindow } from './landing.ts'
import { measureRoundTrips } from './round-trips.ts'
import { heading, plain } from './statistics.ts'
import { measureWallet } from './wallet.ts'

export const measureBrowser = (stack: Stack, port: number) =>
  inBrowser(stack, port, async (browser, hosts, emulated) => {
    await measureScripts(browser, stack, hosts)
    await measureRoundTrips(browser, stack, hosts)
    await measureHostThread(browser, hosts)
    await measureLanding(browser, hosts)
    await measureProviderWindow(browser, stack, hosts)
    await measureJourneys(browser, await emulated(), stack, hosts)
  })

/** Wallet measurements, a separate part: their users log in by e-mail and use several devices. */
export const measureWallets = (stack: Stack, port: number) =>
  inBrowser(stack, port, async (browser, hosts, emulated) =>
    measureWallet(browser, await emulated(), stack, hosts),
  )

type Measurement = (browser: Browser, hosts: Hosts, emulated: () => Promise<Conditions>) => Promise<void>

async function inBrowser(stack: Stack, port: number, measure: Measurement) {
  const hosts = await openHosts(stack, port)
  const toolPort = port + 1
  // The page that the bench serves may frame local pages.
  const { args, ...launch } = fullBrowser('LocalNetworkAccessChecks')
  const browser = await chromium.launch({
    ...launch,
    args: [...args, `--remote-debugging-port=${toolPort}`],
  })
  let conditions: Conditions | undefined
  try {
    await measure(browser, hosts, async () => {
      conditions = await openConditions(toolPort)
      return conditions
    })
  } finally {
    conditions?.close()
    await browser.close()
    hosts.close()
  }
}

/**
 * Measures the scripts that the dialog has loaded when the code screen appears, for the budget of `npm run
 * size`.
 */
async function measureScripts(browser: Browser, stack: Stack, hosts: Hosts) {
  const page = await browser.newPage()
  const host = new HostPage(page, stack)
  await page.goto(hosts.cold)
  await page.locator('#open').click()
  await host.askForCode(openInbox(stack.sandboxUrl).address)
  const [dialog] = page.mainFrame().childFrames()
  if (!dialog) throw new Error('No dialog frame found')
  const scripts = await dialog.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .filter((entry) => entry instanceof PerformanceResourceTiming)
      .map(({ name, decodedBodySize }) => ({ name: new URL(name).pathname, bytes: decodedBodySize }))
      .filter(({ name }) => name.endsWith('.js')),
  )
  await page.close()
  heading('Scripts of the dialog until the e-mail code screen, in a browser')
  for (const { name, bytes } of scripts) plain(name, bytes / 1_000, 'kB')
  plain('together, before compression', scripts.reduce((sum, { bytes }) => sum + bytes, 0) / 1_000, 'kB')
}
