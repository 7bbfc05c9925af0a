/** Errors of accounts that the app rejects. Each has a screen of its own. */
export const refusedAccounts = [
  'allowlist_rejected',
  'login_denied',
  'user_does_not_exist',
  'max_accounts_reached',
] as const
export type RefusedAccount = (typeof refusedAccounts)[number]

export const isRefusedAccount = (code: string): code is RefusedAccount =>
  refusedAccounts.some((each) => each === code)
