import { lazyScreen } from '../../app/screen.ts'
import { definePart } from '../../flow/screen.ts'

const texts = async () => (await import('./texts.arb')).texts

export const farcasterEntry = definePart({
  texts,
  component: async () => (await import('./entry.tsx')).FarcasterEntry,
})

export const awaitingScreen = lazyScreen({
  name: 'AWAITING_FARCASTER_CONNECTION',
  waits: true,
  texts,
  component: async () => (await import('./awaiting-screen.tsx')).AwaitingScreen,
})

export const screens = [awaitingScreen] as const
