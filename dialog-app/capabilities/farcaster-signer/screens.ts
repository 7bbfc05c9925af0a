import { lazyScreen } from '../../app/screen.ts'
import { onlyClose } from '../../flow/screen.ts'

/** The steps of one screen. */
const common = {
  name: 'AWAITING_FARCASTER_SIGNER',
  ways: onlyClose,
  texts: async () => (await import('./texts.arb')).texts,
} as const
const load = () => import('./signer-screen.tsx')

export const openingScreen = lazyScreen({
  ...common,
  waits: true,
  component: async () => (await load()).Opening,
})
export const signerScreen = lazyScreen({ ...common, component: async () => (await load()).SignerScreen })
export const connectedScreen = lazyScreen({ ...common, component: async () => (await load()).Connected })
export const failedScreen = lazyScreen({ ...common, component: async () => (await load()).FailedScreen })

export const screens = [openingScreen, signerScreen, connectedScreen, failedScreen] as const
