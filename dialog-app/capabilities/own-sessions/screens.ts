import { lazyScreen } from '../../app/screen.ts'

export const ownSessionsScreen = lazyScreen({
  name: 'OWN_SESSIONS_SCREEN',
  waits: true,
  component: async () => (await import('./own-sessions-screen.tsx')).OwnSessionsScreen,
  texts: async () => (await import('./texts.arb')).texts,
})

export const screens = [ownSessionsScreen] as const
