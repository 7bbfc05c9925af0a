import type { Widen } from '../../i18n/catalogue.ts'

export const english = {
  title: 'You are logged in',
  detail: (account: string) => `As ${account}`,
  wallet: 'Wallet',
  logOut: 'Log out',
  loggingOut: 'Logging out',
} as const
export type SignedInTexts = Widen<typeof english>
