import type { ConnectedDapp } from '../../contract/dapps.ts'
import { type Picture, type Pictures, picturedView } from '../../contract/picture.ts'
import { noWay } from '../../flow/screen.ts'
import { Row } from './account-entry.tsx'
import {
  type ConnectedApp,
  ConnectedAppsView,
  type ConnectedAppsViewProps,
} from './connected-apps-screen.tsx'
import { DisconnectView, type DisconnectViewProps } from './disconnect-screen.tsx'
import { connectedAppsScreen, disconnectScreen } from './screens.ts'

const app = (name: string, change: Partial<ConnectedApp> = {}): ConnectedApp => ({
  id: name,
  name,
  origin: `https://${name.toLowerCase().replaceAll(' ', '-')}.example`,
  scopes: ['openid', 'wallet.read'],
  address: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F',
  dailyUsd: null,
  createdAt: Date.UTC(2026, 3, 2, 9, 30) / 1_000,
  lastUsedAt: null,
  ...change,
})
const apps = [
  app('Harbour', {
    scopes: ['openid', 'profile', 'wallet.read', 'wallet.sign', 'wallet.send'],
    dailyUsd: 250,
    lastUsedAt: Date.UTC(2026, 4, 11, 18) / 1_000,
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

const connectedApps = (caption: string, change: Partial<ConnectedAppsViewProps>): Picture => ({
  caption: `Connected apps, ${caption}`,
  screen: picturedView(
    connectedAppsScreen,
    ConnectedAppsView,
    (press): ConnectedAppsViewProps => ({
      status: 'success',
      apps: [],
      dapps: [],
      canConnect: false,
      change: undefined,
      onRetry: press('retry'),
      onDisconnectApp: press('disconnectApp'),
      onDisconnectDapp: press('disconnectDapp'),
      onConnect: press('connect'),
      ...change,
    }),
  ),
  standalone: true,
  canGoBack: true,
})
const disconnect = (caption: string, change: Partial<DisconnectViewProps> = {}): Picture => ({
  caption: `Disconnect, ${caption}`,
  screen: picturedView(
    disconnectScreen,
    DisconnectView,
    (press): DisconnectViewProps => ({
      name: 'Harbour',
      isPending: false,
      hasFailed: false,
      onDisconnect: press('disconnect'),
      onKeep: press('keep'),
      ...change,
    }),
    change.isPending ? noWay : undefined,
  ),
  standalone: true,
  canGoBack: true,
})

export const pictures: Pictures = {
  screens: [
    connectedApps('read', { apps }),
    connectedApps('one ended', { apps: apps.slice(1, 2), change: { type: 'ended', name: 'Harbour' } }),
    connectedApps('none', {}),
    connectedApps('the last one ended', { change: { type: 'ended', name: 'Harbour' } }),
    connectedApps('none, and dapps can be', { canConnect: true }),
    connectedApps('with dapps', {
      apps: apps.slice(0, 1),
      dapps: [dapp],
      canConnect: true,
      change: { type: 'connected', name: dapp.name },
    }),
    connectedApps('reading', { status: 'pending' }),
    connectedApps('failed', { status: 'error' }),
    disconnect('asked'),
    disconnect('under way', { isPending: true }),
    disconnect('failed', { hasFailed: true }),
  ],
  account: [Row],
}
