import { lazyScreen } from '../../app/screen.ts'

const texts = async () => (await import('./texts.arb')).texts

export const connectedAppsScreen = lazyScreen({
  name: 'CONNECTED_APPS_SCREEN',
  waits: true,
  // A connected app may send a request at any time.
  isUnderOthers: true,
  component: async () => (await import('./connected-apps-screen.tsx')).ConnectedAppsScreen,
  texts,
})

export const disconnectScreen = lazyScreen({
  name: 'DISCONNECT_APP_SCREEN',
  isUnderOthers: true,
  component: async () => (await import('./disconnect-screen.tsx')).DisconnectScreen,
  texts,
})

export const screens = [connectedAppsScreen, disconnectScreen] as const
