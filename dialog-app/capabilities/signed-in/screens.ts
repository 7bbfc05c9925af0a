import { defineScreen, noWay } from '../../flow/screen.ts'

const texts = async () => (await import('./texts.arb')).texts

export const signedInScreen = defineScreen({
  name: 'SIGNED_IN',
  ways: () => noWay,
  parts: ({ entries }) => entries,
  texts,
  component: async () => (await import('./signed-in-screen.tsx')).SignedInScreen,
})

export const screens = [signedInScreen] as const
