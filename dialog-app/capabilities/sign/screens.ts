import { defineScreen, noWay, onlyClose } from '../../flow/screen.ts'

const texts = async () => (await import('./texts.arb')).texts

export const connectingScreen = defineScreen({
  name: 'EMBEDDED_WALLET_CONNECTING_SCREEN',
  ways: () => onlyClose,
  texts,
  component: async () => (await import('./request-screen.tsx')).ConnectingScreen,
})

export const requestScreen = defineScreen({
  name: 'EMBEDDED_WALLET_SIGN_REQUEST_SCREEN',
  // While it is being signed it is too late to take back; that has a deadline.
  ways: ({ status }) => (status === 'signing' ? noWay : onlyClose),
  explain: ({ status }, { info }) => (status === 'review' ? info : undefined),
  texts,
  component: async () => (await import('./request-screen.tsx')).RequestScreen,
})

export const screens = [connectingScreen, requestScreen] as const
