import { expect, test } from 'vitest'
import { isDecision, toFailure } from './failure.ts'

const withCode = (code: string) => toFailure(Object.assign(new Error('said in words'), { code }))

test.each(['exited_auth_flow', 'user_rejected_request', 'call_cancelled'])(
  '%s is a cancellation, which is not shown as an error',
  (code) => {
    expect(isDecision(withCode(code))).toBe(true)
  },
)

test.each(['server_unreachable', 'origin_not_allowed', 'client_request_timeout'])(
  '%s is an error with its code and message',
  (code) => {
    expect(isDecision(withCode(code))).toBe(false)
    expect(withCode(code)).toEqual({ code, message: 'said in words' })
  },
)

test('an error of the page itself is shown', () => {
  expect(isDecision(toFailure(new TypeError('x is not a function')))).toBe(false)
  expect(isDecision(toFailure('a string'))).toBe(false)
})
