import { lazyScreen } from '../../app/screen.ts'

const texts = async () => (await import('../../window-login/texts.arb')).texts

export const awaitingScreen = lazyScreen({
  name: 'AWAITING_OAUTH_SCREEN',
  texts,
  component: async () => (await import('./oauth-screens.tsx')).AwaitingScreen,
})

export const inAppBrowserScreen = lazyScreen({
  name: 'IN_APP_BROWSER_LOGIN_NOT_POSSIBLE',
  texts: async () => (await import('./texts.arb')).texts,
  component: async () => (await import('./oauth-screens.tsx')).InAppBrowserScreen,
})

export const screens = [awaitingScreen, inAppBrowserScreen] as const
