import { defineScreen, noWay, onlyClose } from '../../flow/screen.ts'

const texts = async () => (await import('./texts.arb')).texts

export const creatingScreen = defineScreen({
  name: 'EMBEDDED_WALLET_ON_ACCOUNT_CREATE_SCREEN',
  // A wallet that is half made is finished first; that takes seconds and has a deadline.
  ways: ({ status }) => (status === 'failed' ? onlyClose : noWay),
  texts,
  component: async () => (await import('./creation-screens.tsx')).CreatingScreen,
})

export const createdScreen = defineScreen({
  name: 'EMBEDDED_WALLET_CREATED_SCREEN',
  ways: () => onlyClose,
  texts,
  component: async () => (await import('./creation-screens.tsx')).CreatedScreen,
})

export const screens = [creatingScreen, createdScreen] as const
