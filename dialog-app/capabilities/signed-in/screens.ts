import { lazyScreen } from '../../app/screen.ts'
import { noWay } from '../../flow/screen.ts'

export const signedInScreen = lazyScreen({
  name: 'SIGNED_IN',
  ways: noWay,
  component: async () => (await import('./signed-in-screen.tsx')).SignedInScreen,
  texts: async () => (await import('./texts.arb')).texts,
})

export const screens = [signedInScreen] as const
