import { defineScreen, everyWay } from '../../core/screen.ts'
import type { LandingState } from './landing-screen.tsx'

const whole = {
  ways: () => everyWay,
  showsLegal: true,
  parts: ({ entries, options }: LandingState) => (options ? [options] : entries),
}

export const landingScreen = defineScreen({
  ...whole,
  name: 'LANDING',
  texts: async () => (await import('./texts.ts')).texts,
  component: async () => (await import('./landing-screen.tsx')).LandingScreen,
})

export const connectOrCreateScreen = defineScreen({
  ...whole,
  name: 'CONNECT_OR_CREATE',
  texts: async () => (await import('./later-connect-or-create-texts.ts')).texts,
  component: async () => (await import('./later-connect-or-create-screen.tsx')).ConnectOrCreateScreen,
})

export const screens = [landingScreen, connectOrCreateScreen] as const
