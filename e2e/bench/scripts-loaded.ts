/** Which scripts the dialog has loaded when the code screen is there: what its budget in `npm run size` has to count. */

import { openInbox } from '@latchkey/sandbox'
import type { Browser } from '@playwright/test'
import { HostPage } from '../pages/host-page.ts'
import type { Stack } from '../stack/stack.ts'
import type { Hosts } from './hosts.ts'
import { heading, plain } from './statistics.ts'

export async function measureScripts(browser: Browser, stack: Stack, hosts: Hosts) {
  const page = await browser.newPage()
  const host = new HostPage(page, stack)
  await page.goto(hosts.cold)
  await page.locator('#open').click()
  await host.askForCode(openInbox(stack.sandboxUrl).address)
  const [dialog] = page.mainFrame().childFrames()
  if (!dialog) throw new Error('No frame')
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
