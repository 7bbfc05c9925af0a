import { expect, test } from 'vitest'
import type { App } from '../../identity/apps/apps.ts'
import { collectEnvironment, combineCapabilities } from '../../kernel/capability.ts'
import { parseConfig } from '../../kernel/config.ts'
import { dialogPolicy } from '../../kernel/http/pages/headers.ts'
import type { Reader } from '../../kernel/ports.ts'
import { appWith } from '../../testing/app.ts'
import { siwe } from './capability.ts'

/** Unused: no source reads from the database. */
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

test('allows the relay’s origin, and passes its address, for an app with wallets and a project', async () => {
  const { addressesFor, connectSourcesFor } = serverWith({})
  const app = appHaving(true, projectId)
  expect(addressesFor(app)).toEqual({ walletConnect: 'wss://relay.walletconnect.org' })
  expect(await connectSourcesFor(app)).toBe("connect-src 'self' wss://relay.walletconnect.org")
})

test.each([
  ['without wallets', appHaving(false, projectId)],
  ['without a project', appHaving(true, null)],
])('allows no relay for an app %s', async (_, app) => {
  const { addressesFor, connectSourcesFor } = serverWith({})
  expect(addressesFor(app)).toEqual({})
  expect(await connectSourcesFor(app)).toBe("connect-src 'self'")
})

test('passes another relay’s complete address, and allows its origin', async () => {
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
])('rejects the relay %j at start', (WALLETCONNECT_RELAY_URL) => {
  expect(() => serverWith({ WALLETCONNECT_RELAY_URL })).toThrow(
    'WALLETCONNECT_RELAY_URL must be a WebSocket address without a query',
  )
})
