import './stack/resolve-localhost.ts'
import { type Inbox, openInbox } from '@latchkey/sandbox'
import { test as base } from '@playwright/test'
import { localPorts } from '../scripts/local/ports.ts'
import { startPostgres } from '../scripts/local/postgres.ts'
import { HostPage } from './pages/host-page.ts'
import { type Stack, startStack } from './stack/stack.ts'
import { leaveUnblurred } from './stack/unblurred.ts'

export { expect } from '@playwright/test'

type TestFixtures = {
  readonly inbox: Inbox
  readonly host: HostPage
  /** The name of somebody whom nobody else is. */
  readonly somebody: string
}
/** What a project says of all its tests. */
export type ProjectOptions = { readonly database: 'SQLite' | 'PostgreSQL' }
type WorkerFixtures = ProjectOptions & { readonly stack: Stack }

/** Every worker has a stack of its own, so a test may kill a server without disturbing another. */
export const test = base.extend<TestFixtures, WorkerFixtures>({
  database: ['SQLite', { option: true, scope: 'worker' }],
  stack: [
    async ({ database }, use, worker) => {
      const postgres = database === 'PostgreSQL' ? await startPostgres({ waitsForDisk: false }) : undefined
      try {
        const firstPort = localPorts().server + 100 + worker.parallelIndex * 50
        const stack = await startStack(firstPort, postgres && { databaseUrl: postgres.url })
        await use(stack)
        await stack.stop()
      } finally {
        await postgres?.stop()
      }
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
