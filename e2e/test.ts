import './stack/resolve-localhost.ts'
import { type Inbox, openInbox } from '@latchkey/sandbox'
import { type Browser, type BrowserContext, test as base } from '@playwright/test'
import { reduceDrawing } from '../scripts/local/drawing.ts'
import { localPorts } from '../scripts/local/ports.ts'
import { startPostgres } from '../scripts/local/postgres.ts'
import { HostPage } from './pages/host-page.ts'
import { type Stack, startStack } from './stack/stack.ts'

export { expect } from '@playwright/test'

/** Options that a file or a group sets with `test.use`. */
type TestOptions = {
  /** App settings in the format of `npm run app -- set`. Each test starts with exactly these. */
  settings: readonly string[]
  /**
   * Logs in the user of `inbox` with a wallet before the test. All tests of a worker share the user, so a test that
   * changes the user or the wallet, or logs out, must not use it.
   */
  isLoggedIn: boolean
}
type TestFixtures = TestOptions & {
  inbox: Inbox
  host: HostPage
  /** The name of a user that no other test uses. */
  somebody: string
  /** The logged-in user of the worker, if the test uses it. */
  sharedLogin: Login | undefined
  /** The wallet of that user, or of a new user that is logged in on the demo page. */
  walletAddress: `0x${string}`
  appliedSettings: undefined
}
type Login = { context: BrowserContext; inbox: Inbox; wallet: `0x${string}` }
/** Logs in on the first call. Later calls return the same login. */
type LogInOnce = (browser: Browser) => Promise<Login>

/** Options of a project. */
export type ProjectOptions = { database: 'SQLite' | 'PostgreSQL' }
type WorkerFixtures = ProjectOptions & { stack: Stack; logInOnce: LogInOnce }

/** Opens a context without a session, like another device of the user. */
export async function openDevice(browser: Browser): Promise<BrowserContext> {
  const context = await browser.newContext()
  await reduceDrawing(context)
  return context
}

/** Every worker has its own stack, so a test may kill a server without affecting others. */
export const test = base.extend<TestFixtures, WorkerFixtures>({
  database: ['SQLite', { option: true, scope: 'worker' }],
  settings: [[], { option: true }],
  isLoggedIn: [false, { option: true }],
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
  appliedSettings: [
    async ({ stack, settings }, use) => {
      await stack.useSettings(settings)
      await use(undefined)
    },
    { auto: true },
  ],
  logInOnce: [
    async ({ stack }, use) => {
      let starting: Promise<Login> | undefined
      const logIn = async (browser: Browser): Promise<Login> => {
        const context = await openDevice(browser)
        const inbox = openInbox(stack.sandboxUrl)
        const host = new HostPage(await context.newPage(), stack)
        await host.open()
        await host.logIn(inbox)
        const wallet = await host.walletAddress()
        await host.page.close()
        return { context, inbox, wallet }
      }
      await use((browser) => {
        starting ??= logIn(browser)
        return starting
      })
      await (await starting)?.context.close()
    },
    { scope: 'worker' },
  ],
  sharedLogin: async ({ isLoggedIn, logInOnce, browser, appliedSettings }, use) =>
    use(isLoggedIn ? await logInOnce(browser) : appliedSettings),
  async context({ context, sharedLogin }, use) {
    if (sharedLogin) {
      await use(sharedLogin.context)
      await sharedLogin.context.unrouteAll()
      await sharedLogin.context.clearPermissions()
      await Promise.all(sharedLogin.context.pages().map((page) => page.close()))
    } else {
      await reduceDrawing(context)
      await use(context)
    }
  },
  inbox: async ({ stack, sharedLogin }, use) => use(sharedLogin?.inbox ?? openInbox(stack.sandboxUrl)),
  host: async ({ page, stack }, use) => use(new HostPage(page, stack)),
  async walletAddress({ host, inbox, sharedLogin }, use) {
    if (sharedLogin) return use(sharedLogin.wallet)
    await host.open()
    await host.logIn(inbox)
    await use(await host.walletAddress())
  },
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the pattern to know what a fixture needs.
  somebody: async ({}, use) => use(`Somebody ${crypto.randomUUID().slice(0, 8)}`),
})
