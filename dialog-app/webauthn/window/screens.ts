import { defineScreen, everyWay, noWay } from '../../flow/screen.ts'

const texts = async () => (await import('./texts.arb')).texts

/** The card before and while the page is open. */
export const passkeyWindowScreen = defineScreen({
  name: 'PASSKEY_WINDOW_SCREEN',
  ways: () => everyWay,
  texts,
  component: async () => (await import('./window-screen.tsx')).PasskeyWindowScreen,
})

/** The screen of the page itself. */
export const passkeyPageScreen = defineScreen({
  name: 'PASSKEY_PAGE',
  ways: () => noWay,
  texts,
  component: async () => (await import('./page-screen.tsx')).PasskeyPageScreen,
})
