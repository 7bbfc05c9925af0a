import { lazyScreen } from '../../app/screen.ts'
import { noWay } from '../../flow/screen.ts'

export const authorizeScreen = lazyScreen({
  name: 'AUTHORIZE_SCREEN',
  ways: noWay,
  texts: async () => (await import('./texts.arb')).texts,
  component: async () => (await import('./authorize-screen.tsx')).AuthorizeScreen,
})

export const screens = [authorizeScreen] as const
