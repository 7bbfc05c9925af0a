import { lazyScreen } from '../../app/screen.ts'
import { onlyClose } from '../../flow/screen.ts'

const texts = async () => (await import('./texts.arb')).texts

export const authScreen = lazyScreen({
  name: 'CROSS_APP_AUTH_SCREEN',
  texts,
  component: async () => (await import('./screens/auth-screen.tsx')).AuthScreen,
})

export const requestScreen = lazyScreen({
  name: 'CROSS_APP_REQUEST_SCREEN',
  ways: onlyClose,
  texts,
  component: async () => (await import('./screens/request-screen.tsx')).RequestScreen,
})

export const walletsScreen = lazyScreen({
  name: 'CONNECTED_WALLETS_SCREEN',
  texts,
  component: async () => (await import('./screens/wallets-screen.tsx')).WalletsScreen,
})

export const screens = [authScreen, requestScreen, walletsScreen] as const
