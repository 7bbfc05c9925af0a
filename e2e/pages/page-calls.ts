/** Calls of a host page's script on its Latchkey handle. */
import type { Inbox } from '@latchkey/sandbox'
import type { HostPage } from './host-page.ts'

type PageCall = readonly [name: string, args: readonly unknown[]]
/** A page of Playwright or Puppeteer. */
type Page = {
  evaluate: (run: (asked: PageCall) => unknown, asked: PageCall) => Promise<unknown>
}
type Calls = Readonly<Record<string, (...args: readonly unknown[]) => Promise<unknown>>>

/** Starts a call. Returns a function that waits for its result, so that the test can act in between. */
export async function beginCall<Ended>(
  page: Page,
  name: string,
  ...args: readonly unknown[]
): Promise<() => Promise<Ended>> {
  await page.evaluate(
    ([called, given]) => {
      const handle: unknown = Reflect.get(globalThis, 'latchkey')
      const ended = (handle as Calls)[called]?.(...given).then(
        (user) => ({ user }),
        ({ code }) => ({ code }),
      )
      Reflect.set(globalThis, 'ended', ended)
    },
    [name, args],
  )
  return () => page.evaluate(() => Reflect.get(globalThis, 'ended'), [name, []]) as Promise<Ended>
}

/** An account as host pages receive it. */
type Account = {
  type: string
  fid?: number
  subject?: string
  telegramUserId?: string
  username?: string
}
type User = { linkedAccounts: readonly Account[]; email?: { address: string } }
export type CallResult = User & { user?: User; loginMethod?: string; code?: string }

/** Makes a call. Returns its user, or its error code without accounts. */
export const call = (page: Page, name: string, ...args: readonly string[]) =>
  page.evaluate(
    ([called, given]) => {
      const handle: unknown = Reflect.get(globalThis, 'latchkey')
      return (handle as Calls)[called]?.(...given).catch(({ code }) => ({ code, linkedAccounts: [] }))
    },
    [name, args],
  ) as Promise<CallResult>

type Listens = { on: (name: string, listener: (event: unknown) => void) => void }

/** Records an event of the page from now on. Returns a function that reads the records. */
export async function recordEvent(page: Page, name: string): Promise<() => Promise<readonly unknown[]>> {
  await page.evaluate(
    ([event]) => {
      const handle: unknown = Reflect.get(globalThis, 'latchkey')
      const events: unknown[] = []
      Reflect.set(globalThis, 'heard', events)
      ;(handle as Listens).on(event, (what) => events.push(what))
    },
    [name, []],
  )
  return () =>
    page.evaluate(() => Reflect.get(globalThis, 'heard'), [name, []]) as Promise<readonly unknown[]>
}

/** Logs in with the page's own call, until the dialog is closed. */
export async function logInByEmail({
  page,
  host,
  inbox,
}: {
  page: Page
  host: Pick<HostPage, 'askForCode' | 'typeCode' | 'dialogCloses'> & Partial<Pick<HostPage, 'readOn'>>
  inbox: Inbox
}) {
  const login = call(page, 'login')
  await host.askForCode(inbox.address)
  await host.typeCode(await inbox.nextCode())
  await host.readOn?.()
  await login
  await host.dialogCloses()
}

/** Sets the page's config. */
export const setConfig = (page: Page, config: object) =>
  page.evaluate(
    async ([, [next]]) => {
      const handle: unknown = Reflect.get(globalThis, 'latchkey')
      await (handle as { setConfig: (config: unknown) => Promise<void> }).setConfig(next)
    },
    ['setConfig', [config]],
  )

/** Returns the error of a call that rejects. */
export const getError = (page: Page, name: string, ...args: readonly unknown[]) =>
  page.evaluate(
    async ([called, given]) => {
      const handle: unknown = Reflect.get(globalThis, 'latchkey')
      return (handle as Calls)[called]?.(...given).then(
        () => [],
        ({ code, message }) => [String(code), String(message)],
      )
    },
    [name, args],
  ) as Promise<readonly string[]>
