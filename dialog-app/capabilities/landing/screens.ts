import { lazyScreen } from '../../app/screen.ts'
import type { LandingProps } from './landing-screen.tsx'

/** Options that LANDING shares with its variants. */
export const entranceOptions = {
  showsLegal: true,
  parts: ({ methods }: LandingProps) => methods.entries(),
} as const

export const landingScreen = lazyScreen({
  name: 'LANDING',
  ...entranceOptions,
  texts: async () => (await import('./texts.arb')).texts,
  component: async () => (await import('./landing-screen.tsx')).LandingScreen,
})

export const screens = [landingScreen] as const
