import { type ErrorCode, errorCodes, LatchkeyError } from '@latchkey/protocol'
import { describe, expect, test } from 'vitest'
import { makeSettings } from '../../testing/fixtures.ts'
import { refused } from '../../testing/world.ts'
import { allowlistState } from './allowlist-text.ts'
import { anyOtherError, errorScreenTexts, errorState, unprocessableErrorText } from './error-text.ts'
import { english } from './texts.en.ts'

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
    [
      'session_storage_unavailable',
      'Your browser blocks this login',
      'Its privacy settings block cookies and storage of other sites (“third-party” or “cross-site cookies”). Allow them for this page, then log in again.',
      'Close',
    ],
  ]
  test.each(table)('says of %s: %s / %s / %s', (code, title, detail, button) => {
    expect(errorState(new LatchkeyError(code, 'what the server said'))).toMatchObject({
      title,
      detail,
      button,
    })
  })

  // spec L8.8
  test('says of HTTP 422 what the server said', () => {
    expect(errorState(refused('invalid_data', 422, 'what the server said'))).toEqual({
      title: wrong,
      detail: 'what the server said',
      button: again,
      saidOf: 'invalid_data',
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

test('every text of the table can be said in every language', () => {
  const known: readonly string[] = Object.values(english.error)
  for (const { title, detail, button } of [
    ...Object.values(errorScreenTexts),
    anyOtherError,
    unprocessableErrorText,
  ]) {
    for (const text of [title, detail, button]) if (text !== undefined) expect(known).toContain(text)
  }
})

// spec L3.10
test('the allowlist screen says what the host says, else the app, else the defaults', () => {
  expect(allowlistState(makeSettings())).toEqual({
    title: "You don't have access to this app",
    detail: 'Have you been invited?',
    button: 'Try another account',
    link: undefined,
  })
  const app = {
    allowlistConfig: { errorTitle: 'App', errorDetail: 'App detail', ctaLink: 'https://a.example' },
  }
  const host = { allowlistConfig: { errorTitle: 'Host' } }
  expect(allowlistState(makeSettings(app, host))).toEqual({
    title: 'Host',
    detail: 'App detail',
    button: 'Try another account',
    link: 'https://a.example',
  })
})
