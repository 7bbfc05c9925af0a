import { definePart, type NoEvents, type ScreenRecord } from '../../../../flow/screen.ts'
import type { LandingState } from '../../landing-screen.tsx'
import { landingScreen } from '../../screens.ts'

/** LANDING in other words, with what the user has alone. */
export const logInAgainScreen: ScreenRecord<'LOG_IN_AGAIN', LandingState, NoEvents> = {
  ...landingScreen,
  name: 'LOG_IN_AGAIN',
  ...definePart({
    texts: async () => (await import('./texts.arb')).texts,
    component: async () => (await import('./screen.tsx')).LogInAgainScreen,
  }),
}

export const logInOtherwiseScreen: ScreenRecord<'LOG_IN_OTHERWISE', LandingState, NoEvents> = {
  ...landingScreen,
  name: 'LOG_IN_OTHERWISE',
  ...definePart({
    texts: async () => (await import('./texts.arb')).texts,
    component: async () => (await import('./screen.tsx')).LogInOtherwiseScreen,
  }),
}

export const screens = [logInAgainScreen, logInOtherwiseScreen] as const
