import { definePart, defineScreen, everyWay } from '../../flow/screen.ts'
import { getWays, texts, waits } from '../../window-login/ways.ts'

export const providerEntry = definePart({
  texts,
  component: async () => (await import('./oauth-screens.tsx')).ProviderEntry,
})

export const awaitingScreen = defineScreen({
  name: 'AWAITING_OAUTH_SCREEN',
  ways: getWays,
  waits,
  texts,
  component: async () => (await import('./oauth-screens.tsx')).AwaitingScreen,
})

export const inAppBrowserScreen = defineScreen({
  name: 'IN_APP_BROWSER_LOGIN_NOT_POSSIBLE',
  ways: () => everyWay,
  texts: async () => (await import('./texts.arb')).texts,
  component: async () => (await import('./oauth-screens.tsx')).InAppBrowserScreen,
})

export const screens = [awaitingScreen, inAppBrowserScreen] as const
