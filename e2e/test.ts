import './stack/resolve-localhost.ts'
import { test as base } from '@playwright/test'
import { localPorts } from '../scripts/ports.mjs'
import { HostPage } from './pages/host-page.ts'
import { type Inbox, openInbox } from './stack/inbox.ts'
import { type Stack, startStack } from './stack/stack.ts'
import { leaveUnblurred } from './stack/unblurred.ts'

export { expect } from '@playwright/test'

type TestFixtures = {
  readonly inbox: Inbox
  readonly host: HostPage
  /** The name of somebody whom nobody else is. */
  readonly somebody: string
}
type WorkerFixtures = { readonly stack: Stack }

/** Every worker has a stack of its own, so a test may kill a server without disturbing another. */
export const test = base.extend<TestFixtures, WorkerFixtures>({
  stack: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern to know what a fixture needs.
    async ({}, use, worker) => {
      const stack = await startStack(localPorts().server + 100 + worker.parallelIndex * 50)
      await use(stack)
      await stack.stop()
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  async context({ context }, use) {
    await leaveUnblurred(context)
    await use(context)
  },
  inbox: async ({ stack }, use) => use(openInbox(stack.sandboxUrl)),
  host: async ({ page, stack }, use) => use(new HostPage(page, stack)),
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern to know what a fixture needs.
  somebody: async ({}, use) => use(`Somebody ${crypto.randomUUID().slice(0, 8)}`),
})
