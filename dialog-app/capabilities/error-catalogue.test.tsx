/** The error catalogue of the specification: the screen, the texts and the error for the host page. */
import { type ErrorCode, LatchkeyError } from '@latchkey/protocol'
import { describe, expect, test } from 'vitest'
import type { ErrorTable } from '../contract/error-table.ts'
import { makeFixture, refused } from '../testing/fixture.ts'
import { readCard } from '../testing/read-screen.ts'
import {
  type Refused,
  type RefusedWay,
  refusedWays,
  refuseUnlink,
  type Way,
} from '../testing/refused-ways.ts'
import { failures as windowFailures } from '../window-login/failures.ts'
import { outcomes as codeOutcomes } from './codes/refused-code.ts'
import { failures as farcasterFailures } from './farcaster/failures.ts'
import { problems as unlinkProblems } from './linking/linking-screens.tsx'
import { problems as passkeyProblems } from './passkey/problem.ts'
import { errorScreenTexts } from './refusals/error-text.ts'
import { problems as walletProblems } from './siwe/problem.ts'

type Told = readonly [
  code: ErrorCode,
  status: number,
  screen: string,
  title: string,
  text: string,
  button: string,
]

const sentence = 'What the server said.'

const wrong = 'Something went wrong'
const heading = 'Authentication failed'
const error = 'ERROR_SCREEN'
const linked = 'This account has already been linked to another user.'

/** The errors of an account that may not log in. They are the same for all login methods. */
const refusedAccounts: readonly Told[] = [
  [
    'allowlist_rejected',
    401,
    'ALLOWLIST_REJECTION_SCREEN',
    "You don't have access to this app",
    'Have you been invited?',
    'Try another account',
  ],
  [
    'login_denied',
    401,
    'LOGIN_DENIED_SCREEN',
    'This app refused the login',
    'Please contact the people who run it if you think this is a mistake.',
    'Try another account',
  ],
  [
    'max_accounts_reached',
    403,
    'USER_LIMIT_REACHED_SCREEN',
    'Unable to sign in',
    'This app has reached its maximum number of users. Please contact the people who run it.',
    'Try another account',
  ],
  [
    'user_does_not_exist',
    404,
    'ACCOUNT_NOT_FOUND_SCREEN',
    'Account not found',
    'This app has no account for this login. You may have signed up another way.',
    'Try another account',
  ],
]

// spec L8.1, L8.2, L8.3, L8.4, L8.5, L8.6, L8.7, L8.8, L8.9, L8.10, L8.11
const beginning: readonly Told[] = [
  ...refusedAccounts,
  ['invalid_captcha', 401, error, wrong, 'Please try again.', 'Try again'],
  ['disallowed_login_method', 403, error, 'Not allowed', sentence, 'Try another method'],
  ['captcha_failure', 400, error, wrong, 'You did not pass CAPTCHA. Please try again.', 'Try again'],
  ['captcha_timeout', 408, error, wrong, 'Something went wrong! Please try again later.', 'Try again'],
  ['linked_to_another_user', 400, error, heading, linked, 'Try again'],
  [
    'not_supported',
    400,
    error,
    'This region is not supported',
    'SMS authentication from this region is not available',
    'Try another method',
  ],
  ['too_many_requests', 429, error, 'Request failed', 'Too many attempts.', 'Try again later'],
  ['client_request_timeout', 408, error, 'Timed out', sentence, 'Try again'],
  ['invalid_data', 422, error, wrong, sentence, 'Try again'],
  ['twilio_verification_failed', 400, error, wrong, sentence, 'Try again'],
  ['user_unsubscribed', 400, error, wrong, sentence, 'Try again'],
  [
    'session_storage_unavailable',
    400,
    error,
    'Your browser blocks this login',
    'Its privacy settings block cookies and storage from other sites (“third-party” or “cross-site cookies”). Allow them for this page, then log in again.',
    'Close',
  ],
  ['internal_error', 500, error, wrong, 'Try again later', 'Try again'],
  ['invalid_data', 400, error, wrong, 'Try again later', 'Try again'],
]

const codeScreen = 'AWAITING_PASSWORDLESS_CODE'
const codeTitle = 'Enter confirmation code'
// spec L8.12, L8.13, L8.14, L8.15, L8.16, L8.17
const code: readonly Told[] = [
  ...refusedAccounts,
  ['invalid_credentials', 422, codeScreen, codeTitle, 'Invalid or expired verification code', 'Resend code'],
  ['cannot_link_more_of_type', 400, codeScreen, codeTitle, sentence, 'Resend code'],
  ['linked_to_another_user', 400, error, heading, linked, 'Try again'],
  ['internal_error', 500, codeScreen, codeTitle, 'Issue verifying code', 'Resend code'],
  ['too_many_requests', 429, codeScreen, codeTitle, 'Issue verifying code', 'Resend code'],
]

const walletScreen = 'AWAITING_CONNECTION'
// spec L8.18, L8.19, L8.20
const wallet: readonly Told[] = [
  ...refusedAccounts,
  ['linked_to_another_user', 400, walletScreen, heading, linked, 'Use a different wallet'],
  [
    'client_request_timeout',
    408,
    walletScreen,
    'Timed out',
    'MetaMask did not respond in time. Open it, then try again.',
    'Try again',
  ],
  [
    'user_rejected_request',
    400,
    walletScreen,
    'Connection rejected',
    'You rejected the request in MetaMask. Try again to allow it.',
    'Try again',
  ],
  [
    'wallet_request_pending',
    400,
    walletScreen,
    'Open your wallet',
    'A request is already waiting in MetaMask. Open it and answer the request, then try again.',
    'Try again',
  ],
  [
    'unsupported_chain_id',
    400,
    walletScreen,
    'Network not available',
    'MetaMask does not have this network. Add it there, then try again.',
    'Try again',
  ],
  [
    'internal_error',
    500,
    walletScreen,
    'Could not connect',
    'Something went wrong with MetaMask. Check that it is unlocked, then try again.',
    'Try again',
  ],
]

const farcasterScreen = 'AWAITING_FARCASTER_CONNECTION'
// spec L8.21, L8.22, L8.23, L8.24, L8.25
const farcaster: readonly Told[] = [
  ...refusedAccounts,
  ['linked_to_another_user', 400, farcasterScreen, heading, linked, 'Go back'],
  ['invalid_credentials', 401, farcasterScreen, heading, 'Something went wrong. Try again.', 'Retry'],
  [
    'too_many_requests',
    429,
    farcasterScreen,
    heading,
    'Too many requests. Please wait before trying again.',
    'Go back',
  ],
  ['client_request_timeout', 408, farcasterScreen, heading, 'The request timed out. Try again.', 'Retry'],
  // The specification has no text for these.
  [
    'cannot_link_more_of_type',
    400,
    farcasterScreen,
    heading,
    'You cannot link more than one Farcaster account.',
    'Go back',
  ],
  [
    'disallowed_login_method',
    403,
    farcasterScreen,
    heading,
    'This app does not accept Farcaster accounts.',
    'Go back',
  ],
  ['internal_error', 500, farcasterScreen, heading, 'Something went wrong. Please try again.', 'Retry'],
]

const firstOne = 'You will have to sign up with another method first to register a passkey for your account.'
const passkeyScreen = 'AWAITING_PASSKEY_SYSTEM_DIALOGUE'
// spec L8.28, L8.29, L8.30, L8.31
const passkeyLogin: readonly Told[] = [
  ...refusedAccounts,
  ['cannot_link_more_of_type', 400, passkeyScreen, wrong, 'Cannot link more passkeys to account.', 'Retry'],
  [
    'passkey_not_allowed',
    400,
    passkeyScreen,
    wrong,
    `Passkey request timed out or rejected by user. ${firstOne}`,
    'Retry',
  ],
  ['internal_error', 500, passkeyScreen, wrong, `An unknown error occurred. ${firstOne}`, 'Retry'],
]
const passkeyList = 'LINK_PASSKEY_SCREEN'
const passkeyLink: readonly Told[] = [
  [
    'cannot_link_more_of_type',
    400,
    passkeyList,
    'Your passkeys',
    'Cannot link more passkeys to account.',
    'Add new passkey',
  ],
  [
    'passkey_not_allowed',
    400,
    passkeyList,
    'Your passkeys',
    'Passkey request timed out or rejected by user.',
    'Add new passkey',
  ],
  ['internal_error', 500, passkeyList, 'Your passkeys', 'Unknown error occurred.', 'Add new passkey'],
]

const neverAnswered = [
  'client_request_timeout',
  'server_unreachable',
  'unavailable',
  'outcome_unknown',
  'not_found',
] as const
/** Returns the errors of a login in a window (OAuth and Telegram). */
const inWindow = (screen: string, provider: string, limit: string): readonly Told[] => [
  ...refusedAccounts,
  ['linked_to_another_user', 400, screen, heading, linked, 'Go back'],
  ['invalid_credentials', 401, screen, heading, 'Something went wrong. Try again.', 'Retry'],
  [
    'oauth_user_denied',
    400,
    screen,
    heading,
    `Retry and check ${provider} to finish connecting your account.`,
    'Retry',
  ],
  ['too_many_requests', 429, screen, heading, limit, 'Go back'],
  [
    'oauth_account_suspended',
    400,
    screen,
    heading,
    `Your ${provider} account is suspended. Please try another login method.`,
    'Go back',
  ],
  [
    'cannot_link_more_of_type',
    400,
    screen,
    heading,
    'You cannot authorize more than one account for this user.',
    'Go back',
  ],
  ['oauth_unexpected', 400, screen, heading, 'Something went wrong. Please try again.', 'Go back'],
  [
    'pkce_state_code_mismatch',
    400,
    screen,
    heading,
    'Unexpected auth flow. This may be a phishing attempt.',
    'Go back',
  ],
  // The specification has no text for requests without a response. The user can retry.
  ...neverAnswered.map(
    (code): Told => [code, 503, screen, heading, 'Something went wrong. Please try again.', 'Retry'],
  ),
  [
    'disallowed_login_method',
    403,
    screen,
    heading,
    `This app does not accept ${provider} accounts.`,
    'Go back',
  ],
  ['internal_error', 500, screen, heading, 'Something went wrong. Please try again.', 'Go back'],
]
// spec L4.37, L8.33, L8.34, L8.35, L8.36, L8.37, L8.38, L8.39, L8.40, L8.41
const oauth = inWindow(
  'AWAITING_OAUTH_SCREEN',
  'Google',
  'Request limit reached for Google. Please wait a moment and try again.',
)
const telegram = inWindow(
  'TELEGRAM_AUTH_SCREEN',
  'Telegram',
  'Too many requests. Please wait before trying again.',
)

const everyWay: readonly (readonly [RefusedWay, readonly Told[], readonly Told[]])[] = [
  ['beginning', beginning, beginning],
  ['code', code, code],
  ['wallet', wallet, wallet],
  ['farcaster', farcaster, farcaster],
  ['passkey', passkeyLogin, passkeyLink],
  ['oauth', oauth, oauth],
  ['telegram', telegram, telegram],
]

const unlinkScreen = 'UNLINK_SCREEN'
const unlinkTitle = 'Unlink your passkey?'
// spec L8.32
const unlink: readonly Told[] = [
  [
    'missing_or_invalid_mfa',
    400,
    unlinkScreen,
    unlinkTitle,
    'Cannot unlink a passkey enrolled in MFA',
    'Keep it',
  ],
  [
    'cannot_unlink_sole_account',
    400,
    unlinkScreen,
    unlinkTitle,
    'This is the only way to log in to your account. Link another one before you unlink it.',
    'Keep it',
  ],
  [
    'internal_error',
    500,
    unlinkScreen,
    unlinkTitle,
    'It could not be unlinked. Please try again.',
    'Keep it',
  ],
]

async function walk(by: RefusedWay, way: Way, told: Told) {
  const [code, status] = told
  return leave(await refusedWays[by](refused(code, status, sentence), way), told)
}

/** Reads the card, closes it, and returns the error for the host page. */
async function leave({ fixture, heard, page }: Refused, [, , screen, title, text, button]: Told) {
  expect(fixture.screen()).toBe(screen)
  const card = page?.texts() ?? readCard(fixture)
  expect(card[0]).toBe(title)
  expect(card).toContain(text)
  expect(card).toContain(button)
  expect(heard.settled).toBe(false)
  await fixture.close()
  return heard.error
}

describe.each(everyWay)('%s', (by, ofLogin, ofLink) => {
  test.each(ofLogin)('shows a login error: %s (HTTP %d) on %s: %s / %s / %s', async (...told) => {
    expect(await walk(by, 'login', told)).toMatchObject({ code: 'exited_auth_flow' })
  })

  // A link call rejects with the reason.
  test.each(ofLink)('shows a link error: %s (HTTP %d) on %s: %s / %s / %s', async (...told) => {
    const [code] = told
    // A wrong code can be entered again, so the call rejects only when the user leaves.
    const leaves = by === 'code' && told[2] === codeScreen
    expect(await walk(by, 'link', told)).toMatchObject({ code: leaves ? 'exited_link_flow' : code })
  })
})

test.each(unlink)('shows an unlink error: %s (HTTP %d) on %s: %s / %s / %s', async (...told) => {
  const [code, status] = told
  expect(await leave(await refuseUnlink(refused(code, status, sentence)), told)).toMatchObject({ code })
})

test.each<readonly [string, ErrorTable<unknown>, readonly Told[]]>([
  ['ERROR_SCREEN', errorScreenTexts, beginning],
  ['code entry', codeOutcomes, code],
  ['wallets', walletProblems, wallet],
  ['Farcaster', farcasterFailures, farcaster],
  ['passkeys', passkeyProblems, passkeyLogin],
  ['windows', windowFailures, oauth],
  ['unlinking', unlinkProblems, unlink],
])('covers every error row of %s', (_name, { byCode }, walked) => {
  const codes = new Set<string>(walked.map(([each]) => each))
  expect(Object.keys(byCode).filter((each) => !codes.has(each))).toEqual([])
})

// spec L8.55
test('rejects an empty message and a visitor without a card', async () => {
  const fixture = await makeFixture({})
  await fixture.session.start()
  await expect(fixture.signMessage({ message: '' })).rejects.toMatchObject({
    code: 'invalid_message',
    message: 'Message must be a non-empty string',
  })
  await expect(fixture.signMessage({ message: 'Hello' })).rejects.toEqual(
    new LatchkeyError('must_be_authenticated', 'User must be authenticated before this call.'),
  )
  expect(fixture.frame).toEqual([])
})
