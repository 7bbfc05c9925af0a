/** Another site has its own storage partition, so it is another device to the wallet. */

import type { Inbox } from '@latchkey/sandbox'
import type { Page } from '@playwright/test'
import type { Stack } from '../stack/stack.ts'
import { HostPage } from './host-page.ts'
import { logInByEmail } from './page-calls.ts'

/** Opens the host page in this tab and logs in. */
export async function arrive(page: Page, stack: Stack, inbox: Inbox, origin = stack.hostOrigin) {
  const host = new HostPage(page, stack)
  await host.open('/one-line.html', origin)
  await page.waitForFunction('window.latchkey')
  await logInByEmail({ page, host, inbox })
  return host
}

export const onAnotherSite = (page: Page, stack: Stack, inbox: Inbox) =>
  arrive(page, stack, inbox, stack.otherHostOrigin)
