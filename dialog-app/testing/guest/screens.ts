import { definePart, defineScreen, everyWay, onlyClose } from '../../flow/screen.ts'

const texts = async () => (await import('./texts.arb')).texts

export const guestEntry = definePart({
  texts,
  component: async () => (await import('./guest-entry.tsx')).GuestEntry,
})

export const knockScreen = defineScreen({
  name: 'GUEST_KNOCK_SCREEN',
  ways: () => everyWay,
  texts,
  component: async () => (await import('./knock-screen.tsx')).KnockScreen,
})

export const waitScreen = defineScreen({
  name: 'GUEST_WAIT_SCREEN',
  ways: () => onlyClose,
  texts,
  component: async () => (await import('./wait-screen.tsx')).WaitScreen,
})

export const verifyScreen = defineScreen({
  name: 'GUEST_VERIFY_SCREEN',
  ways: () => everyWay,
  texts,
  component: async () => (await import('./verify-screen.tsx')).VerifyScreen,
})

export type GuestScreens = typeof knockScreen | typeof waitScreen | typeof verifyScreen
