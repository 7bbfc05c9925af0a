import { lazyScreen } from '../../app/screen.ts'

export const accountDeletionScreen = lazyScreen({
  name: 'ACCOUNT_DELETION_SCREEN',
  component: async () => (await import('./account-deletion-screen.tsx')).AccountDeletionScreen,
  texts: async () => (await import('./texts.arb')).texts,
})

export const screens = [accountDeletionScreen] as const
