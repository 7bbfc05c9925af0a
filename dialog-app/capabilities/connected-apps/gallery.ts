import type { ConnectedDapp } from '../../contract/dapps.ts'
import { type Picture, type Pictures, pictured, picturedPart } from '../../contract/picture.ts'
import type { ConnectedApp, ConnectedAppsState } from './connected-apps-screen.tsx'
import type { Ending } from './disconnect-screen.tsx'
import { accountEntry, connectedAppsScreen, disconnectScreen } from './screens.ts'

const app = (name: string, change: Partial<ConnectedApp> = {}): ConnectedApp => ({
  id: name,
  name,
  origin: `https://${name.toLowerCase().replaceAll(' ', '-')}.example`,
  scopes: ['openid', 'wallet.read'],
  address: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F',
  dailyUsd: null,
  sinceMs: Date.UTC(2026, 3, 2, 9, 30),
  lastUsedMs: undefined,
  ...change,
})
const apps = [
  app('Harbour', {
    scopes: ['openid', 'profile', 'wallet.read', 'wallet.sign', 'wallet.send'],
    dailyUsd: 250,
    lastUsedMs: Date.UTC(2026, 4, 11, 18),
  }),
  app('Tide Tables', { scopes: ['openid', 'wallet.read', 'wallet.sign'] }),
  app('The Very Long Name Of An App That Somebody Registered With Care', {
    origin: 'https://a-rather-long-subdomain.of-an-app-with-a-long-name.example:8443',
  }),
]
const dapp: ConnectedDapp = {
  id: 'tide-market',
  name: 'Tide Market',
  url: 'https://market.tides.example',
  sinceMs: Date.UTC(2026, 4, 9, 9, 30),
  lastUsedMs: Date.UTC(2026, 4, 11, 18),
}
const read = { apps: [], dapps: [], connects: false, change: undefined }
const listed = (caption: string, state: ConnectedAppsState): Picture => ({
  caption: `Connected apps, ${caption}`,
  screen: pictured(connectedAppsScreen, state),
  standalone: true,
  canGoBack: true,
})
const disconnect = (caption: string, ending: Ending): Picture => ({
  caption: `Disconnect, ${caption}`,
  screen: pictured(disconnectScreen, { name: 'Harbour', ending }),
  standalone: true,
  canGoBack: true,
})

export const pictures: Pictures = {
  screens: [
    listed('read', { status: 'read', ...read, apps }),
    listed('one ended', {
      status: 'read',
      ...read,
      apps: apps.slice(1, 2),
      change: { what: 'ended', name: 'Harbour' },
    }),
    listed('none', { status: 'read', ...read }),
    listed('the last one ended', { status: 'read', ...read, change: { what: 'ended', name: 'Harbour' } }),
    listed('none, and dapps can be', { status: 'read', ...read, connects: true }),
    listed('with dapps', {
      status: 'read',
      apps: apps.slice(0, 1),
      dapps: [dapp],
      connects: true,
      change: { what: 'connected', name: dapp.name },
    }),
    listed('reading', { status: 'reading' }),
    listed('failed', { status: 'failed' }),
    disconnect('asked', 'asked'),
    disconnect('under way', 'under way'),
    disconnect('failed', 'failed'),
  ],
  account: [{ entry: picturedPart(accountEntry, {}) }],
}
