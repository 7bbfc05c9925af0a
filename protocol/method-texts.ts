/**
 * Texts of the error catalogue that belong to one login or verification method, by code where there is one.
 * `retryable` says whether the screen offers to try again.
 */
import type { ErrorCode } from './error-codes.ts'

export type MethodError = { readonly text: string; readonly retryable: boolean }
type MethodErrors = { readonly [code in ErrorCode]?: MethodError }

const final = (text: string): MethodError => ({ text, retryable: false })
const retryable = (text: string): MethodError => ({ text, retryable: true })

const linkedToAnother = 'This account has already been linked to another user.'
const pleaseWait = 'Too many requests. Please wait before trying again.'

/** For whatever has no row of its own; a refused code is `messages.invalidVerificationCode`. */
export const otherCodeProblem = 'Issue verifying code'

export const walletLoginTexts = {
  waiting: (wallet: string) => `Waiting for ${wallet}`,
  switching: 'Switching networks',
  signToVerify: 'Sign to verify',
  signing: 'Signing',
  connected: 'Successfully connected',
  unable: 'Unable to connect wallet',
  failed: 'Could not connect with wallet',
  useAnother: 'Use a different wallet',
} as const

export const farcasterTexts = {
  title: 'Authentication failed',
  errors: {
    linked_to_another_user: final(linkedToAnother),
    invalid_credentials: retryable('Something went wrong. Try again.'),
    too_many_requests: final(pleaseWait),
    client_request_timeout: retryable('The request timed out. Try again.'),
  } satisfies MethodErrors,
  signer: {
    failed: { title: 'Connect failed', detail: 'Something went wrong. Please try again.' },
    revoked: { title: 'Request rejected', detail: 'The request was rejected. Please try again.' },
  },
} as const

export const passkeyTexts = {
  errors: {
    cannot_link_more_of_type: final('Cannot link more passkeys to account.'),
    passkey_not_allowed: retryable('Passkey request timed out or rejected by user.'),
  } satisfies MethodErrors,
  other: 'An unknown error occurred.',
  otherWhileLinking: 'Unknown error occurred.',
  signUpFirst: 'You will have to sign up with another method first to register a passkey for your account.',
  unknownDevice: 'Unknown device',
} as const

/** Also Telegram's, but for those that name a provider. */
export const oauthTexts = {
  title: 'Authentication failed',
  errors: {
    linked_to_another_user: final(linkedToAnother),
    invalid_credentials: retryable('Something went wrong. Try again.'),
    too_many_requests: final(pleaseWait),
    cannot_link_more_of_type: final('You cannot authorize more than one account for this user.'),
    oauth_unexpected: final('Something went wrong. Please try again.'),
  } satisfies MethodErrors,
  byProvider: {
    oauth_user_denied: (provider: string) =>
      retryable(`Retry and check ${provider} to finish connecting your account.`),
    too_many_requests: (provider: string) =>
      final(`Request limit reached for ${provider}. Please wait a moment and try again.`),
    oauth_account_suspended: (provider: string) =>
      final(`Your ${provider} account is suspended. Please try another login method.`),
  } satisfies { readonly [code in ErrorCode]?: (provider: string) => MethodError },
  inAppBrowser: 'Could not log in with provider',
} as const

/** What stands on the screen; the shorter texts that a caller gets are in `messages.mfa`. */
export const mfaScreenTexts = {
  maxAttempts:
    'You have exceeded the maximum number of attempts. Please close this window and try again in 10 seconds.',
  invalidCode: 'The code you entered is not valid',
  timeLimit: 'You have exceeded the time limit for code entry. Please try again in 30 seconds.',
  canceled: 'Verification canceled',
  otherAtEnrollment: 'Unknown error',
  otherAtVerification: 'Something went wrong.',
  passkeyWithoutCredential: 'something went wrong',
  digitsOnly: 'Passcode can only be numbers',
  length: 'Passcode must be exactly 6 numbers',
} as const
