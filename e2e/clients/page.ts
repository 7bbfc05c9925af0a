/** The page of a library. Requests that leave this machine are blocked. */
import { existsSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import type { Inbox } from '@latchkey/sandbox'
import type { Page } from '@playwright/test'
import type { HostPage } from '../pages/host-page.ts'
import { isReached } from '../pages/pointer.ts'
import { appId, type Stack } from '../stack/stack.ts'
import { expect, test as withStack } from '../test.ts'

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
}
const built = join(import.meta.dirname, 'dist')
const testDapp = join(import.meta.dirname, 'node_modules', '@metamask', 'test-dapp', 'dist')

const line = ({ dialogOrigin }: Stack) =>
  `<script src="${dialogOrigin}/loader/v1/loader.js" data-app-id="${appId}" async></script>`

/** Pages with the connector load Latchkey themselves. */
const getScript = (name: string, stack: Stack) => (name.endsWith('-connector') ? '' : line(stack))

const createHtml = (name: string, stack: Stack) => `<!doctype html>
<html lang="en" data-chain-url="${stack.chainUrl}" data-solana-url="${stack.solanaUrl}" data-app-id="${appId}" data-dialog-url="${stack.dialogOrigin}">
  <head>
    <meta charset="utf-8" />
    <title>Field notes with ${name}</title>
    <link rel="icon" href="data:," />
    <link rel="stylesheet" href="/clients/${name}/style.css" />
    ${getScript(name, stack)}
    <script type="module" src="/clients/${name}/${name}.js"></script>
  </head>
  <body></body>
</html>`

/** MetaMask's published test page with the one-line embed. */
const testDappHtml = (stack: Stack) =>
  readFileSync(join(testDapp, 'index.html'), 'utf8').replace('<head>', `<head>${line(stack)}`)

type Failure = {
  name: string
  message: string
  /** The codes of the error and its causes, outermost first. */
  codes: readonly unknown[]
  messages: readonly string[]
  names: readonly string[]
}
export type Outcome<T = unknown> = { value: T } | { error: Failure }

export class ClientPage {
  readonly page: Page
  readonly host: HostPage
  readonly stack: Stack

  constructor(page: Page, host: HostPage, stack: Stack) {
    this.page = page
    this.host = host
    this.stack = stack
  }

  async open(name: string) {
    await this.page.goto(`${this.stack.hostOrigin}/clients/${name}.html`)
    await this.ready()
  }
  ready = () => this.page.waitForFunction('globalThis.run')

  /** Starts a call of the page's library, so that the test can act before it resolves. */
  begin<T = unknown>(name: string, ...args: readonly unknown[]): Promise<Outcome<T>> {
    return this.page.evaluate(
      ([name, args]) =>
        (Reflect.get(globalThis, 'run') as (...given: unknown[]) => Promise<never>)(name, args),
      [name, args] as const,
    )
  }
  async call<T = unknown>(name: string, ...args: readonly unknown[]): Promise<T> {
    return getSuccess(await this.begin<T>(name, ...args))
  }
  events = () =>
    this.page.evaluate(() => Reflect.get(globalThis, 'events') as readonly (readonly [string, unknown])[])

  /** Logs in with the dialog that the library's `connect` opens. */
  async logIn(inbox: Inbox, connecting: Promise<unknown> = this.call('connect')) {
    await expect(this.host.emailField).toBeFocused()
    await this.host.askForCode(inbox.address)
    await this.host.typeCode(await inbox.nextCode())
    await connecting
    await this.host.dialogCloses()
  }

  async sign<T = string>(name: string, ...args: readonly unknown[]): Promise<T> {
    const signing = this.call<T>(name, ...args)
    signing.catch(() => {})
    await this.host.approve()
    const signed = await signing
    await this.host.dialogCloses()
    return signed
  }

  async send(to: string, wei: string) {
    const sending = this.call<{ hash: string; succeeded: boolean }>('send', to, wei)
    sending.catch(() => {})
    await this.host.approve(this.host.dialog.getByRole('button', { name: 'Submit', exact: true }))
    const done = this.host.dialog.getByRole('button', { name: 'All Done' })
    await isReached(done)
    await done.click()
    await this.host.dialogCloses()
    return sending
  }
}

export function getSuccess<T>(outcome: Outcome<T>): T {
  if ('value' in outcome) return outcome.value
  throw new Error(`${outcome.error.names.join(' < ')}: ${outcome.error.messages.join(' < ')}`)
}
export function getFailure(outcome: Outcome): Failure {
  if ('error' in outcome) return outcome.error
  throw new Error(`Expected a failure, but got ${JSON.stringify(outcome.value)}`)
}

/** A second chain of the app, served by the same node. */
export const second = 31_338
/** The verifying contract of the test's typed data, which a card may approve. */
export const contract = '0x00000000000000000000000000000000000ec004'

export const test = withStack.extend<{ client: ClientPage }, { chains: undefined }>({
  chains: [
    async ({ stack }, use) => {
      const urls = JSON.stringify([stack.chainUrl])
      const nodes = [`rpc_urls.31337=${urls}`, `rpc_urls.${second}=${urls}`]
      const listed = `card_typed_data=[{"contract":"${contract}","primary_type":"Note"}]`
      await stack.app('set', appId, ...nodes, `test_networks=[31337,${second}]`, listed)
      await use(undefined)
    },
    { scope: 'worker', auto: true },
  ],
  async client({ context, page, host, stack }, use) {
    await context.route(/^https?:/, (route) => {
      const { hostname } = new URL(route.request().url())
      return hostname === '127.0.0.1' || hostname.endsWith('localhost') ? route.continue() : route.abort()
    })
    await context.route(`${stack.hostOrigin}/clients/**`, (route) => {
      const path = new URL(route.request().url()).pathname.slice('/clients/'.length)
      const [, name] = /^([\w-]+)\.html$/.exec(path) ?? []
      if (name) return route.fulfill({ contentType: 'text/html', body: createHtml(name, stack) })
      if (path === 'test-dapp/') return route.fulfill({ contentType: 'text/html', body: testDappHtml(stack) })
      const file = path.startsWith('test-dapp/')
        ? join(testDapp, path.slice('test-dapp/'.length))
        : join(built, path)
      if (!existsSync(file)) return route.fulfill({ status: 404 })
      return route.fulfill({ contentType: types[extname(file)] ?? 'application/octet-stream', path: file })
    })
    await use(new ClientPage(page, host, stack))
  },
})
export { expect }
