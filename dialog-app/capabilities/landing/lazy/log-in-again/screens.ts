import { lazyScreen } from '../../../../app/screen.ts'
import { entranceOptions } from '../../screens.ts'

const texts = async () => (await import('./texts.arb')).texts

/** LANDING with other texts, and with the methods of the user's accounts only. */
export const logInAgainScreen = lazyScreen({
  name: 'LOG_IN_AGAIN',
  ...entranceOptions,
  texts,
  component: async () => (await import('./screen.tsx')).LogInAgainScreen,
})

export const logInOtherwiseScreen = lazyScreen({
  name: 'LOG_IN_OTHERWISE',
  ...entranceOptions,
  texts,
  component: async () => (await import('./screen.tsx')).LogInOtherwiseScreen,
})

export const screens = [logInAgainScreen, logInOtherwiseScreen] as const
