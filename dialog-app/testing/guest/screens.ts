import { lazyScreen } from '../../app/screen.ts'
import { onlyClose } from '../../flow/screen.ts'

const texts = async () => (await import('./texts.arb')).texts

export const knockScreen = lazyScreen({
  name: 'GUEST_KNOCK_SCREEN',
  texts,
  component: async () => (await import('./knock-screen.tsx')).KnockScreen,
})

export const waitScreen = lazyScreen({
  name: 'GUEST_WAIT_SCREEN',
  ways: onlyClose,
  texts,
  component: async () => (await import('./wait-screen.tsx')).WaitScreen,
})

export const verifyScreen = lazyScreen({
  name: 'GUEST_VERIFY_SCREEN',
  texts,
  component: async () => (await import('./verify-screen.tsx')).VerifyScreen,
})
