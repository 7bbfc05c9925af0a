import { defineScreen, everyWay, noWay } from '../../flow/screen.ts'

const texts = async () => (await import('./texts.arb')).texts

export const accountDeletionScreen = defineScreen({
  name: 'ACCOUNT_DELETION_SCREEN',
  ways: ({ status }) => (status === 'deleting' || status === 'deleted' ? noWay : everyWay),
  texts,
  component: async () => (await import('./account-deletion-screen.tsx')).AccountDeletionScreen,
})

export const screens = [accountDeletionScreen] as const
