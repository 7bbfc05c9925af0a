import { defineScreen, noWay, onlyClose } from '../../core/screen.ts'

const texts = async () => (await import('./texts.ts')).texts

/** On the card, while the page is open. */
export const confirmScreen = defineScreen({
  name: 'CONFIRM_ON_PAGE_SCREEN',
  ways: () => onlyClose,
  texts,
  component: async () => (await import('./confirm-screen.tsx')).ConfirmScreen,
})

/** On the page itself, around what is confirmed there. */
export const pageScreen = defineScreen({
  name: 'CONFIRMATION_PAGE',
  ways: () => noWay,
  texts,
  component: async () => (await import('./page/page-screen.tsx')).PageScreen,
})

/** Of what is done with an account. */
export const actionScreen = defineScreen({
  name: 'CONFIRM_ACTION_SCREEN',
  ways: () => noWay,
  texts,
  component: async () => (await import('./action/action-screen.tsx')).ActionScreen,
})

export const screens = [confirmScreen, pageScreen, actionScreen] as const
