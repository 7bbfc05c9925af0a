import { definePart, type NoEvents, type ScreenRecord } from '../../../../flow/screen.ts'
import type { LandingState } from '../../landing-screen.tsx'
import { landingScreen } from '../../screens.ts'

/** LANDING in other words. */
export const connectOrCreateScreen: ScreenRecord<'CONNECT_OR_CREATE', LandingState, NoEvents> = {
  ...landingScreen,
  name: 'CONNECT_OR_CREATE',
  ...definePart({
    texts: async () => (await import('./texts.arb')).texts,
    component: async () => (await import('./screen.tsx')).ConnectOrCreateScreen,
  }),
}

export const screens = [connectOrCreateScreen] as const
