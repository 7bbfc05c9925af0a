import * as v from 'valibot'
import { expect, test } from 'vitest'
import { onRampTransaction } from './api.ts'
import { fundingAnswers } from './host.ts'

// spec W3.11
test.each(['completed', 'failed', 'serviceFailure', 'waitingAuthorization', 'pending'])(
  '%s is a payment status for the dialog and the host page',
  (status) => {
    expect(v.is(onRampTransaction, { status })).toBe(true)
    expect(v.is(fundingAnswers.fundWallet, { status })).toBe(true)
  },
)

test('rejects an unknown status', () => {
  expect(v.is(onRampTransaction, { status: 'refunded' })).toBe(false)
  expect(v.is(fundingAnswers.fundWallet, { status: 'refunded' })).toBe(false)
})
