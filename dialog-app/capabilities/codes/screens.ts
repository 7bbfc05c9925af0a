import { defineScreen, everyWay, onlyClose } from '../../flow/screen.ts'

export const codeScreen = defineScreen({
  name: 'AWAITING_PASSWORDLESS_CODE',
  ways: ({ status }) => (status === 'submitting-code' || status === 'done' ? onlyClose : everyWay),
  // A code is on its way, and a new login needs a new one.
  askBeforeLeaving: ({ status }, { leave }) => (status === 'done' ? undefined : leave),
  texts: async () => (await import('./texts.arb')).texts,
  component: async () => (await import('./code-screen.tsx')).CodeScreen,
})

export const screens = [codeScreen] as const
