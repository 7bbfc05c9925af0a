/** All that is measured in a browser, in one browser. */
import { chromium } from '@playwright/test'
import { asShipped, executablePath } from '../stack/chromium.ts'
import type { Stack } from '../stack/stack.ts'
import { openConditions } from './conditions.ts'
import { measureHostThread } from './host-thread.ts'
import { openHosts } from './hosts.ts'
import { measureJourneys } from './journeys.ts'
import { measureLanding, measureProviderWindow } from './landing.ts'
import { measureRoundTrips } from './round-trips.ts'
import { measureScripts } from './scripts-loaded.ts'

export async function measureBrowser(stack: Stack, port: number) {
  const hosts = await openHosts(stack, port)
  const toolPort = port + 1
  const browser = await chromium.launch({
    ...(executablePath && { executablePath }),
    // The page that the bench itself fulfils may frame a local one.
    args: [...asShipped('LocalNetworkAccessChecks'), `--remote-debugging-port=${toolPort}`],
  })
  try {
    await measureScripts(browser, stack, hosts)
    await measureRoundTrips(browser, stack, hosts)
    await measureHostThread(browser, hosts)
    await measureLanding(browser, hosts)
    await measureProviderWindow(browser, stack, hosts)
    const emulated = await openConditions(toolPort)
    await measureJourneys(browser, emulated, stack, hosts)
    emulated.close()
  } finally {
    await browser.close()
    hosts.close()
  }
}
