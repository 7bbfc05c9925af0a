import { lazyScreen } from '../../app/screen.ts'
import { onlyClose } from '../../flow/screen.ts'

const texts = async () => (await import('./texts.arb')).texts

export const errorScreen = lazyScreen({
  name: 'ERROR_SCREEN',
  texts,
  component: async () => (await import('./refusal-screens.tsx')).ErrorScreen,
})

export const allowlistScreen = lazyScreen({
  name: 'ALLOWLIST_REJECTION_SCREEN',
  ways: onlyClose,
  texts,
  component: async () => (await import('./refusal-screens.tsx')).AllowlistScreen,
})

export const loginDeniedScreen = lazyScreen({
  name: 'LOGIN_DENIED_SCREEN',
  ways: onlyClose,
  texts,
  component: async () => (await import('./refusal-screens.tsx')).LoginDeniedScreen,
})

export const accountNotFoundScreen = lazyScreen({
  name: 'ACCOUNT_NOT_FOUND_SCREEN',
  ways: onlyClose,
  texts,
  component: async () => (await import('./refusal-screens.tsx')).AccountNotFoundScreen,
})

export const userLimitScreen = lazyScreen({
  name: 'USER_LIMIT_REACHED_SCREEN',
  ways: onlyClose,
  texts,
  component: async () => (await import('./refusal-screens.tsx')).UserLimitScreen,
})

export const screens = [
  errorScreen,
  allowlistScreen,
  loginDeniedScreen,
  accountNotFoundScreen,
  userLimitScreen,
] as const
