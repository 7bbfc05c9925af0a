import { lazyScreen } from '../../app/screen.ts'

export const codeScreen = lazyScreen({
  name: 'AWAITING_PASSWORDLESS_CODE',
  texts: async () => (await import('./texts.arb')).texts,
  component: async () => (await import('./code-screen.tsx')).CodeScreen,
})

export const screens = [codeScreen] as const
