import { lazyScreen } from '../../app/screen.ts'

const texts = async () => (await import('./texts.arb')).texts

export const awaitingScreen = lazyScreen({
  name: 'AWAITING_FARCASTER_CONNECTION',
  waits: true,
  texts,
  component: async () => (await import('./awaiting-screen.tsx')).AwaitingScreen,
})

export const screens = [awaitingScreen] as const
