import { defineScreen, noWay } from '../../core/screen.ts'

export const authorizeScreen = defineScreen({
  name: 'AUTHORIZE_SCREEN',
  ways: () => noWay,
  texts: async () => (await import('./texts.ts')).texts,
  component: async () => (await import('./authorize-screen.tsx')).AuthorizeScreen,
})

export const screens = [authorizeScreen] as const
