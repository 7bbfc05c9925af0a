import { expect, test } from 'vitest'
import type { App } from '../../identity/apps/apps.ts'
import { collectEnvironment, combineCapabilities } from '../../kernel/capability.ts'
import { parseConfig } from '../../kernel/config.ts'
import { dialogPolicy } from '../../kernel/http/pages/headers.ts'
import type { Reader } from '../../kernel/ports.ts'
import { appWith } from '../../testing/app.ts'
import { siwe } from './capability.ts'

/** No source of it reads. */
const noReader = {} as Reader
const projectId = '0123456789abcdef0123456789abcdef'
const appHaving = (walletAuth: boolean, walletConnectCloudProjectId: string | null) =>
  appWith({ walletAuth, walletConnectCloudProjectId })
const serverWith = (environment: Readonly<Record<string, string>>) => {
  const config = parseConfig(environment, collectEnvironment([siwe]))
  const { addressesFor, sourcesFor } = combineCapabilities([siwe], config)
  return {
    addressesFor,
    connectSourcesFor: async (app: App) =>
      dialogPolicy({
        ancestors: [],
        walletOrigin: 'http://wallet.test',
        customApiUrl: null,
        images: [],
        sources: await sourcesFor(app, noReader),
      })
        .split('; ')
        .find((directive) => directive.startsWith('connect-src')),
  }
}

test('the dialog of an app with wallets and a project may connect to the relay, and knows where it is', async () => {
  const { addressesFor, connectSourcesFor } = serverWith({})
  const app = appHaving(true, projectId)
  expect(addressesFor(app)).toEqual({ walletConnect: 'wss://relay.walletconnect.org' })
  expect(await connectSourcesFor(app)).toBe("connect-src 'self' wss://relay.walletconnect.org")
})

test.each([
  ['without wallets', appHaving(false, projectId)],
  ['without a project', appHaving(true, null)],
])('that of an app %s may not', async (_, app) => {
  const { addressesFor, connectSourcesFor } = serverWith({})
  expect(addressesFor(app)).toEqual({})
  expect(await connectSourcesFor(app)).toBe("connect-src 'self'")
})

test('of another relay the whole address is told, and its origin allowed', async () => {
  const { addressesFor, connectSourcesFor } = serverWith({
    WALLETCONNECT_RELAY_URL: 'ws://127.0.0.1:4020/walletconnect',
  })
  const app = appHaving(true, projectId)
  expect(addressesFor(app)).toEqual({ walletConnect: 'ws://127.0.0.1:4020/walletconnect' })
  expect(await connectSourcesFor(app)).toBe("connect-src 'self' ws://127.0.0.1:4020")
})

test.each([
  'https://relay.example',
  'xwss://relay.example',
  'wssx://relay.example',
  'relay.example',
  'wss://relay.example?x=1',
  'wss://relay.example#x',
])('a relay at %j is refused at start', (WALLETCONNECT_RELAY_URL) => {
  expect(() => serverWith({ WALLETCONNECT_RELAY_URL })).toThrow(
    'WALLETCONNECT_RELAY_URL must be a WebSocket address without a query',
  )
})
