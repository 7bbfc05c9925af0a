import { defineScreen, everyWay, onlyClose } from '../../flow/screen.ts'

const texts = async () => (await import('./texts.arb')).texts

export const errorScreen = defineScreen({
  name: 'ERROR_SCREEN',
  ways: () => everyWay,
  texts,
  component: async () => (await import('./refusal-screens.tsx')).ErrorScreen,
})

export const allowlistScreen = defineScreen({
  name: 'ALLOWLIST_REJECTION_SCREEN',
  ways: () => onlyClose,
  texts,
  component: async () => (await import('./refusal-screens.tsx')).AllowlistScreen,
})

export const accountNotFoundScreen = defineScreen({
  name: 'ACCOUNT_NOT_FOUND_SCREEN',
  ways: () => onlyClose,
  texts,
  component: async () => (await import('./refusal-screens.tsx')).AccountNotFoundScreen,
})

export const userLimitScreen = defineScreen({
  name: 'USER_LIMIT_REACHED_SCREEN',
  ways: () => onlyClose,
  texts,
  component: async () => (await import('./refusal-screens.tsx')).UserLimitScreen,
})

export const screens = [errorScreen, allowlistScreen, accountNotFoundScreen, userLimitScreen] as const
