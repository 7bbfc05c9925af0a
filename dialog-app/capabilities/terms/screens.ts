import { lazyScreen } from '../../app/screen.ts'
import { onlyClose } from '../../flow/screen.ts'

export const consentScreen = lazyScreen({
  name: 'AFFIRMATIVE_CONSENT_SCREEN',
  ways: onlyClose,
  component: async () => (await import('./consent-screen.tsx')).ConsentScreen,
  texts: async () => (await import('./texts.arb')).texts,
})

export const screens = [consentScreen] as const
