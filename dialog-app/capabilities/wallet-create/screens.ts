import { lazyScreen } from '../../app/screen.ts'
import { noWay, onlyClose } from '../../flow/screen.ts'

const texts = async () => (await import('./texts.arb')).texts

export const creatingScreen = lazyScreen({
  name: 'EMBEDDED_WALLET_ON_ACCOUNT_CREATE_SCREEN',
  ways: noWay,
  texts,
  component: async () => (await import('./creation-screens.tsx')).CreatingScreen,
})

export const createdScreen = lazyScreen({
  name: 'EMBEDDED_WALLET_CREATED_SCREEN',
  ways: onlyClose,
  texts,
  component: async () => (await import('./creation-screens.tsx')).CreatedScreen,
})

export const screens = [creatingScreen, createdScreen] as const
