import { definePart, defineScreen, everyWay, onlyClose } from '../../core/screen.ts'
import type { AwaitingState } from './awaiting-screen.tsx'

const texts = async () => (await import('./texts.ts')).texts

export const providerEntry = definePart({
  texts,
  component: async () => (await import('./provider-entry.tsx')).ProviderEntry,
})

/** What the provider confirmed is being used, or was: there is no way back from that. */
const isConfirmed = ({ status }: AwaitingState) => status === 'confirmed' || status === 'success'

export const awaitingScreen = defineScreen({
  name: 'AWAITING_OAUTH_SCREEN',
  ways: (state) => (isConfirmed(state) ? onlyClose : everyWay),
  texts,
  component: async () => (await import('./awaiting-screen.tsx')).AwaitingScreen,
})

export const inAppBrowserScreen = defineScreen({
  name: 'IN_APP_BROWSER_LOGIN_NOT_POSSIBLE',
  ways: () => everyWay,
  texts,
  component: async () => (await import('./in-app-browser-screen.tsx')).InAppBrowserScreen,
})

export const screens = [awaitingScreen, inAppBrowserScreen] as const
