import { lazyScreen } from '../../app/screen.ts'
import { onlyClose } from '../../flow/screen.ts'

export const confirmScreen = lazyScreen({
  name: 'CONFIRM_ON_PAGE_SCREEN',
  ways: onlyClose,
  texts: async () => (await import('./texts.arb')).texts,
  component: async () => (await import('./confirm-screen.tsx')).ConfirmScreen,
})

export const screens = [confirmScreen] as const
