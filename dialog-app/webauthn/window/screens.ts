import { lazyScreen } from '../../app/screen.ts'
import { noWay } from '../../flow/screen.ts'

const texts = async () => (await import('./texts.arb')).texts

/** The card before and while the page is open. */
export const passkeyWindowScreen = lazyScreen({
  name: 'PASSKEY_WINDOW_SCREEN',
  texts,
  component: async () => (await import('./window-screen.tsx')).PasskeyWindowScreen,
})

/** The screen of the page itself. */
export const passkeyPageScreen = lazyScreen({
  name: 'PASSKEY_PAGE',
  ways: noWay,
  texts,
  component: async () => (await import('./page-screen.tsx')).PasskeyPageScreen,
})
