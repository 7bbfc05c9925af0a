import { LatchkeyError } from '@latchkey/protocol'
import { expect, test } from 'vitest'
import { canceled, problemOf, retry, timedOut } from './problem.ts'
import { english } from './texts.arb'

const wrong = retry(new LatchkeyError('missing_or_invalid_mfa', 'The code is wrong'))

// spec L8.54
test.each([
  ['a wrong code', wrong, 'The code you entered is not valid', 'MFA verification failed, retry.'],
  [
    'a code that does not come',
    timedOut(),
    'You have exceeded the time limit for code entry. Please try again in 30 seconds.',
    'Timed out waiting for MFA code',
  ],
  ['a cancel', canceled(), 'Verification canceled', 'MFA canceled'],
])('%s has one text on the screen, and a shorter message for the caller', (_what, error, shown, told) => {
  expect(english.problems[problemOf(error)]).toBe(shown)
  expect(error.message).toBe(told)
})
