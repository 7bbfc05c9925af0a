import { definePart, defineScreen, everyWay, noWay } from '../../flow/screen.ts'

const texts = async () => (await import('./texts.arb')).texts

/** Its row where a user looks at their account. */
export const accountEntry = definePart({
  texts,
  component: async () => (await import('./connected-apps-screen.tsx')).AccountEntry,
})

export const connectedAppsScreen = defineScreen({
  name: 'CONNECTED_APPS_SCREEN',
  ways: () => everyWay,
  waits: ({ status }) => status === 'reading',
  texts,
  component: async () => (await import('./connected-apps-screen.tsx')).ConnectedAppsScreen,
})

export const disconnectScreen = defineScreen({
  name: 'DISCONNECT_APP_SCREEN',
  ways: ({ ending }) => (ending === 'under way' ? noWay : everyWay),
  texts,
  component: async () => (await import('./disconnect-screen.tsx')).DisconnectScreen,
})

export const screens = [connectedAppsScreen, disconnectScreen] as const
