import { lazyScreen } from '../../app/screen.ts'
import { onlyClose } from '../../flow/screen.ts'

export const sendScreen = lazyScreen({
  name: 'EMBEDDED_WALLET_SEND_TRANSACTION_SCREEN',
  ways: onlyClose,
  waits: true,
  texts: async () => (await import('./texts.arb')).texts,
  component: async () => (await import('./screens/send-screen.tsx')).SendScreen,
})

export const screens = [sendScreen] as const
