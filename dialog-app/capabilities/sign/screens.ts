import { lazyScreen } from '../../app/screen.ts'
import { onlyClose } from '../../flow/screen.ts'

const texts = async () => (await import('./texts.arb')).texts

export const connectingScreen = lazyScreen({
  name: 'EMBEDDED_WALLET_CONNECTING_SCREEN',
  ways: onlyClose,
  texts,
  component: async () => (await import('./request-screen.tsx')).ConnectingScreen,
})

export const requestScreen = lazyScreen({
  name: 'EMBEDDED_WALLET_SIGN_REQUEST_SCREEN',
  ways: onlyClose,
  texts,
  component: async () => (await import('./request-screen.tsx')).RequestScreen,
})

export const screens = [connectingScreen, requestScreen] as const
