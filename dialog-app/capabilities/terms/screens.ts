import { defineScreen, onlyClose } from '../../flow/screen.ts'

export const consentScreen = defineScreen({
  name: 'AFFIRMATIVE_CONSENT_SCREEN',
  ways: () => onlyClose,
  askBeforeLeaving: (_state, { leave }) => leave,
  texts: async () => (await import('./texts.arb')).texts,
  component: async () => (await import('./consent-screen.tsx')).ConsentScreen,
})

export const screens = [consentScreen] as const
