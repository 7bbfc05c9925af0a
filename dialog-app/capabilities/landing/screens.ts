import { defineScreen, everyWay } from '../../flow/screen.ts'

const texts = async () => (await import('./texts.arb')).texts

export const landingScreen = defineScreen({
  name: 'LANDING',
  ways: () => everyWay,
  showsLegal: true,
  parts: ({ entries, options }) => (options ? [options] : entries),
  texts,
  component: async () => (await import('./landing-screen.tsx')).LandingScreen,
})

export const screens = [landingScreen] as const
