/** Texts that the specification gives to the letter, by where they are shown. Kept out of the loader's bundle. */
import type { ErrorCode } from './error-codes.ts'

export const messages = {
  invalidAppId: 'Invalid app id: it must be a string of exactly 25 characters.',
  mustBeAuthenticated: 'User must be authenticated before this call.',
  emptyMessage: 'Message must be a non-empty string',
  userRejected: 'The user rejected the request',
  accountOfTypeLinked: (type: string) => `User already has an account of type ${type} linked.`,
  oauthPhishing: 'Unexpected auth flow. This may be a phishing attempt.',
  invalidVerificationCode: 'Invalid or expired verification code',
  walletCreate: {
    noToken: 'An error has occured, please login again.',
    timedOut: 'walletProxy.create timed out.',
    noResponse: 'walletProxy.create did not send a response.',
    refreshFailed: 'Failed to refresh user.',
    walletMissing: 'Updated user is missing embedded wallet.',
    failed: 'Failed to create wallet',
    onlyOne: 'Only one Latchkey wallet per user is currently allowed',
  },
  walletRecovery: {
    wrongPassword: 'Invalid recovery password, please try again.',
    failed: 'An error has occurred, please try again.',
    unable: 'Unable to recover wallet',
  },
  mfa: {
    timedOut: 'Timed out waiting for MFA code',
    wrongCode: 'MFA verification failed, retry.',
    canceled: 'MFA canceled',
    unsupported: 'Unsupported MFA method',
    cannotUnlinkPasskey: 'Cannot unlink a passkey enrolled in MFA',
    verificationRequired: 'To add or delete verification methods, verification is required.',
  },
  send: {
    unsupportedChain: (id: number) => `Unsupported chain: ${id}`,
    noPrice: (id: number) => `Unable to fetch token price on chain id ${id}`,
    preparing: 'There was an error preparing your transaction. Your transaction request will likely fail.',
    addFunds: (network: string) => `Add funds on ${network} to complete the transaction.`,
    insufficientFunds: 'Wallet has insufficient funds on this network for this transaction.',
  },
  crossApp: {
    failed: (app: string) => `There was an issue connecting your ${app} account. Please try again.`,
    canceled: 'User canceled flow',
    timedOut: 'Authorization request timed out after 2 minutes.',
    rejected: 'User rejected request',
    requestTimeout: 'Request timeout',
    wrongAddress: 'Cannot request a signature with this wallet address',
    invalidToken: 'Transactions require a valid token',
    cannotStart: 'Failed to initialize signature request',
    invalidApp: 'Invalid connected app',
    invalidCode: 'Invalid code during cross-app auth flow.',
    denied: 'User denied confirmation during cross-app auth flow',
  },
  captcha: {
    unsupportedSiteKey: 'Unsupported captcha site key',
    timedOut: 'Captcha failed',
    blocked: 'If you use an adblocker or VPN, try disabling and re-attempting.',
  },
  fiat: {
    notEnabled: 'Fiat on-ramp is not enabled',
    unsupportedProvider: (provider: string) => `Unsupported fund provider: ${provider}`,
  },
  solana: { unsupportedMethod: 'Embedded Solana provider does not yet support this RPC method.' },
} as const

/** `undefined` takes the error's own message; the button goes back to where the user was. */
export type ErrorScreenText = {
  readonly title: string
  readonly detail: string | undefined
  readonly button: string
}

export const anyOtherError: ErrorScreenText = {
  title: 'Something went wrong',
  detail: 'Try again later',
  button: 'Try again',
}

export const errorScreenTexts: { readonly [code in ErrorCode]?: ErrorScreenText } = {
  invalid_captcha: { title: 'Something went wrong', detail: 'Please try again.', button: 'Try again' },
  disallowed_login_method: { title: 'Not allowed', detail: undefined, button: 'Try another method' },
  captcha_failure: {
    title: 'Something went wrong',
    detail: 'You did not pass CAPTCHA. Please try again.',
    button: 'Try again',
  },
  captcha_timeout: {
    title: 'Something went wrong',
    detail: 'Something went wrong! Please try again later.',
    button: 'Try again',
  },
  linked_to_another_user: {
    title: 'Authentication failed',
    detail: 'This account has already been linked to another user.',
    button: 'Try again',
  },
  not_supported: {
    title: 'This region is not supported',
    detail: 'SMS authentication from this region is not available',
    button: 'Try another method',
  },
  too_many_requests: { title: 'Request failed', detail: 'Too many attempts.', button: 'Try again later' },
  client_request_timeout: { title: 'Timed out', detail: undefined, button: 'Try again' },
  twilio_verification_failed: { title: 'Something went wrong', detail: undefined, button: 'Try again' },
}

/** HTTP 422 shows what the server said. */
export const unprocessableErrorText: ErrorScreenText = {
  title: 'Something went wrong',
  detail: undefined,
  button: 'Try again',
}

export const allowlistDefaults = {
  title: "You don't have access to this app",
  detail: 'Have you been invited?',
  button: 'Try another account',
} as const

/** Codes of EIP-1193, EIP-1474 and JSON-RPC with their standard texts. */
export const rpcErrorTexts = {
  4001: 'The user rejected the request',
  4100: 'The requested method and/or account has not been authorized by the user',
  4200: 'The provider does not support the requested method',
  4900: 'The provider is disconnected from all chains',
  4901: 'The provider is not connected to the requested chain',
  [-32000]: 'Missing or invalid parameters',
  [-32001]: 'Requested resource not found',
  [-32002]: 'Requested resource not available',
  [-32003]: 'Transaction creation failed',
  [-32004]: 'Method is not implemented',
  [-32005]: 'Request exceeds defined limit',
  [-32006]: 'Version of JSON-RPC protocol is not supported',
  [-32600]: 'The JSON sent is not a valid request object',
  [-32601]: 'The method does not exist or is not available',
  [-32602]: 'Invalid method parameters',
  [-32603]: 'Internal JSON-RPC error',
  [-32700]: 'Invalid JSON was received by the server',
} as const
