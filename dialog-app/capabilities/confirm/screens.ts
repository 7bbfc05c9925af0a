import { defineScreen, onlyClose } from '../../flow/screen.ts'

const texts = async () => (await import('./texts.arb')).texts

/** The card says so where no page can be opened. */
export const confirmScreen = defineScreen({
  name: 'CONFIRM_ON_PAGE_SCREEN',
  ways: () => onlyClose,
  texts,
  component: async () => (await import('./confirm-screen.tsx')).ConfirmScreen,
})

export const screens = [confirmScreen] as const
