import { type ErrorCode, errorCodes } from '@latchkey/protocol'
import { expect, test } from 'vitest'
import { failureOf } from './failures.ts'
import { english } from './texts.en.ts'

const says = (code: ErrorCode) => english.failures[failureOf(code).text]('Google')

// spec L8.33, L8.35, L8.36, L8.37, L8.38, L8.39, L8.40, L8.41, L5.21
const table: readonly (readonly [ErrorCode, string])[] = [
  ['linked_to_another_user', 'This account has already been linked to another user.'],
  ['invalid_credentials', 'Something went wrong. Try again.'],
  ['oauth_user_denied', 'Retry and check Google to finish connecting your account.'],
  ['too_many_requests', 'Request limit reached for Google. Please wait a moment and try again.'],
  ['oauth_account_suspended', 'Your Google account is suspended. Please try another login method.'],
  ['cannot_link_more_of_type', 'You cannot authorize more than one account for this user.'],
  ['oauth_unexpected', 'Something went wrong. Please try again.'],
  ['pkce_state_code_mismatch', 'Unexpected auth flow. This may be a phishing attempt.'],
]

test.each(table)('says of %s: %s', (code, text) => {
  expect(english.failed.title).toBe('Authentication failed')
  expect(says(code)).toBe(text)
})

test('says of what has no text of its own that something went wrong', () => {
  const named = new Set<ErrorCode>([...table.map(([code]) => code), 'disallowed_login_method'])
  for (const code of errorCodes.filter((each) => !named.has(each))) {
    expect(says(code)).toBe('Something went wrong. Please try again.')
  }
})
