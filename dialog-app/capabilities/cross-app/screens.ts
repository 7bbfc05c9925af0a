import { lazyScreen } from '../../app/screen.ts'
import { definePart, defineScreen, onlyClose } from '../../flow/screen.ts'
import type { RequestState } from './screens/request-screen.tsx'

const texts = async () => (await import('./texts.arb')).texts

export const providerEntry = definePart({
  texts,
  component: async () => (await import('./screens/provider-entry.tsx')).ProviderEntry,
})

export const authScreen = lazyScreen({
  name: 'CROSS_APP_AUTH_SCREEN',
  texts,
  component: async () => (await import('./screens/auth-screen.tsx')).AuthScreen,
})

export const requestScreen = defineScreen({
  name: 'CROSS_APP_REQUEST_SCREEN',
  ways: (_state: RequestState) => onlyClose,
  waits: ({ status }) => status === 'connecting',
  texts,
  component: async () => (await import('./screens/request-screen.tsx')).RequestScreen,
})

export const walletsScreen = lazyScreen({
  name: 'CONNECTED_WALLETS_SCREEN',
  texts,
  component: async () => (await import('./screens/wallets-screen.tsx')).WalletsScreen,
})

export const screens = [authScreen, requestScreen, walletsScreen] as const
