import { defineScreen, onlyClose } from '../../core/screen.ts'

const texts = async () => (await import('./texts.ts')).texts

/** On the card, while the page is open. */
export const confirmScreen = defineScreen({
  name: 'CONFIRM_ON_PAGE_SCREEN',
  ways: () => onlyClose,
  texts,
  component: async () => (await import('./confirm-screen.tsx')).ConfirmScreen,
})

export const screens = [confirmScreen] as const
