import { defineScreen, noWay, onlyClose } from '../../flow/screen.ts'

export const sendScreen = defineScreen({
  name: 'EMBEDDED_WALLET_SEND_TRANSACTION_SCREEN',
  // While it is signed and sent it is too late to take back; that has a deadline.
  ways: ({ status }) => (status === 'submitting' ? noWay : onlyClose),
  waits: ({ status }) => status === 'loading' || status === 'waiting',
  explain: ({ status }, { info }) => (status === 'review' ? info : undefined),
  texts: async () => (await import('./texts.arb')).texts,
  component: async () => (await import('./screens/send-screen.tsx')).SendScreen,
})

export const screens = [sendScreen] as const
