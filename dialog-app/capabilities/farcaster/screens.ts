import { definePart, defineScreen, everyWay, onlyClose } from '../../flow/screen.ts'
import type { AwaitingState } from './farcaster-screens.tsx'

const texts = async () => (await import('./texts.arb')).texts

export const farcasterEntry = definePart({
  texts,
  component: async () => (await import('./farcaster-screens.tsx')).FarcasterEntry,
})

/** What was approved is being used, or was: there is no way back from that. */
const isApproved = ({ status }: AwaitingState) => status === 'approved' || status === 'success'

export const awaitingScreen = defineScreen({
  name: 'AWAITING_FARCASTER_CONNECTION',
  ways: (state) => (isApproved(state) ? onlyClose : everyWay),
  waits: ({ status }) => status === 'opening' || status === 'approved',
  texts,
  component: async () => (await import('./farcaster-screens.tsx')).AwaitingScreen,
})

export const screens = [awaitingScreen] as const
