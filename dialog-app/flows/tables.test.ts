import { anyOtherError, type ErrorCode, errorCodes, LatchkeyError } from '@latchkey/protocol'
import { describe, expect, test } from 'vitest'
import type { Settings } from '../core.ts'
import { appConfig, visitorUser, walletUser } from '../testing/fixtures.ts'
import { refused } from '../testing/world.ts'
import { stepAfterLogin } from './after-login.ts'
import { allowlistState, isWalletDue, offeredMethods } from './app-settings.ts'
import { codeOutcome } from './code-errors.ts'
import { errorState } from './error-screen.ts'

const settings = (app: Partial<Settings['app']> = {}, config: Settings['config'] = {}): Settings => ({
  app: { ...appConfig, ...app },
  config,
  hostColorScheme: 'normal',
  viewport: undefined,
  hostOrigin: null,
})

describe('ERROR_SCREEN', () => {
  const wrong = 'Something went wrong'
  const again = 'Try again'
  // spec L8.2, L8.4, L8.5, L8.6, L8.7, L8.9, L8.11
  const table: readonly (readonly [ErrorCode, string, string, string])[] = [
    ['invalid_captcha', wrong, 'Please try again.', again],
    ['disallowed_login_method', 'Not allowed', 'what the server said', 'Try another method'],
    ['captcha_failure', wrong, 'You did not pass CAPTCHA. Please try again.', again],
    ['captcha_timeout', wrong, 'Something went wrong! Please try again later.', again],
    [
      'linked_to_another_user',
      'Authentication failed',
      'This account has already been linked to another user.',
      again,
    ],
    [
      'not_supported',
      'This region is not supported',
      'SMS authentication from this region is not available',
      'Try another method',
    ],
    ['too_many_requests', 'Request failed', 'Too many attempts.', 'Try again later'],
    ['client_request_timeout', 'Timed out', 'what the server said', again],
    ['twilio_verification_failed', wrong, 'what the server said', again],
  ]
  test.each(table)('says of %s: %s / %s / %s', (code, title, detail, button) => {
    expect(errorState(new LatchkeyError(code, 'what the server said'))).toEqual({ title, detail, button })
  })

  // spec L8.8
  test('says of HTTP 422 what the server said', () => {
    expect(errorState(refused('invalid_data', 422, 'what the server said'))).toEqual({
      title: wrong,
      detail: 'what the server said',
      button: again,
    })
  })

  // spec L8.10
  test('says the same of every other code', () => {
    const named = new Set(table.map(([code]) => code))
    const others = errorCodes.filter((code) => !named.has(code))
    expect(others.length).toBeGreaterThan(50)
    for (const code of others) expect(errorState(new LatchkeyError(code, 'secret'))).toEqual(anyOtherError)
    expect(anyOtherError).toEqual({ title: wrong, detail: 'Try again later', button: again })
  })
})

describe('a refused code', () => {
  const table: readonly (readonly [string, LatchkeyError, ReturnType<typeof codeOutcome>])[] = [
    // spec L8.12
    [
      'HTTP 422',
      refused('invalid_credentials', 422),
      { type: 'problem', text: 'Invalid or expired verification code' },
    ],
    // spec L8.13
    [
      'cannot_link_more_of_type',
      refused('cannot_link_more_of_type', 400, 'One is enough'),
      { type: 'problem', text: 'One is enough' },
    ],
    // spec L8.14
    [
      'max_accounts_reached',
      refused('max_accounts_reached', 403),
      { type: 'screen', name: 'USER_LIMIT_REACHED_SCREEN' },
    ],
    // spec L8.15
    [
      'user_does_not_exist',
      refused('user_does_not_exist', 404),
      { type: 'screen', name: 'ACCOUNT_NOT_FOUND_SCREEN' },
    ],
    // spec L8.16
    [
      'linked_to_another_user',
      refused('linked_to_another_user', 400),
      { type: 'screen', name: 'ERROR_SCREEN' },
    ],
    [
      'allowlist_rejected',
      refused('allowlist_rejected', 401),
      { type: 'screen', name: 'ALLOWLIST_REJECTION_SCREEN' },
    ],
  ]
  test.each(table)('%s', (_name, error, outcome) => {
    expect(codeOutcome(error)).toEqual(outcome)
  })

  // spec L8.14
  test('goes to its screen even when the status is 422', () => {
    expect(codeOutcome(refused('max_accounts_reached', 422))).toMatchObject({ type: 'screen' })
  })

  // spec L8.17
  test('any other failure is an issue of verifying', () => {
    const named = new Set(table.map(([, error]) => error.code))
    for (const code of errorCodes.filter((each) => !named.has(each))) {
      expect(codeOutcome(refused(code, 400))).toEqual({ type: 'problem', text: 'Issue verifying code' })
    }
  })
})

describe('what comes after a login', () => {
  const wallets = { embeddedWalletConfig: { createOnLogin: 'all-users' } } as const
  const terms = { requireUsersAcceptTerms: true }
  const every = new Set(['consent', 'create-wallet', 'close'] as const)

  // spec L4.20, L4.21, L4.23
  test('is consent before a wallet before the end', () => {
    expect(stepAfterLogin(settings({ ...wallets, ...terms }), visitorUser, every)).toBe('consent')
    expect(stepAfterLogin(settings(wallets), visitorUser, every)).toBe('create-wallet')
    expect(stepAfterLogin(settings(), visitorUser, every)).toBe('close')
  })

  test('is no consent for who has accepted', () => {
    const accepted = { ...visitorUser, hasAcceptedTerms: true }
    expect(stepAfterLogin(settings(terms), accepted, every)).toBe('close')
  })

  const external = {
    ...visitorUser,
    linkedAccounts: walletUser.linkedAccounts.map((account) =>
      account.type === 'wallet' ? { ...account, connectorType: 'injected' } : account,
    ),
  }
  test.each([
    ['off', visitorUser, false],
    ['all-users', visitorUser, true],
    ['all-users', external, true],
    ['all-users', walletUser, false],
    ['users-without-wallets', visitorUser, true],
    ['users-without-wallets', external, false],
  ] as const)('%s makes a wallet for those who need one', (createOnLogin, user, due) => {
    expect(isWalletDue(settings({ embeddedWalletConfig: { createOnLogin } }), user)).toBe(due)
  })

  test('the host decides over the app, and neither means no wallet', () => {
    expect(isWalletDue(settings(wallets, { embeddedWallets: { createOnLogin: 'off' } }), visitorUser)).toBe(
      false,
    )
    expect(isWalletDue(settings(), visitorUser)).toBe(false)
  })
})

describe('login methods', () => {
  // spec L1.11
  test('that are off are not offered, whoever turned them off', () => {
    expect(offeredMethods(settings())).toEqual(['email'])
    expect(offeredMethods(settings({ emailAuth: false }))).toEqual([])
    expect(offeredMethods(settings({}, { loginMethods: ['wallet'] }))).toEqual([])
    expect(offeredMethods(settings({}, { loginMethodsAndOrder: { primary: ['email', 'email'] } }))).toEqual([
      'email',
    ])
  })
})

// spec L3.10
test('the allowlist screen says what the host says, else the app, else the defaults', () => {
  expect(allowlistState(settings())).toEqual({
    title: "You don't have access to this app",
    detail: 'Have you been invited?',
    button: 'Try another account',
    link: undefined,
  })
  const app = {
    allowlistConfig: { errorTitle: 'App', errorDetail: 'App detail', ctaLink: 'https://a.example' },
  }
  const host = { allowlistConfig: { errorTitle: 'Host' } }
  expect(allowlistState(settings(app, host))).toEqual({
    title: 'Host',
    detail: 'App detail',
    button: 'Try another account',
    link: 'https://a.example',
  })
})
