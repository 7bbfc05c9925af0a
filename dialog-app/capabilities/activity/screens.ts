import { lazyScreen } from '../../app/screen.ts'

export const activityScreen = lazyScreen({
  name: 'ACTIVITY_SCREEN',
  waits: true,
  component: async () => (await import('./activity-screen.tsx')).ActivityScreen,
  texts: async () => (await import('./texts.arb')).texts,
})

export const screens = [activityScreen] as const
