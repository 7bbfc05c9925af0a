import { expect, test } from 'vitest'
import { failureOf, isDecision } from './failure.ts'

const withCode = (code: string) => failureOf(Object.assign(new Error('said in words'), { code }))

test.each(['exited_auth_flow', 'user_rejected_request', 'call_cancelled'])(
  '%s is what a user decided, and alarms nobody',
  (code) => {
    expect(isDecision(withCode(code))).toBe(true)
  },
)

test.each(['server_unreachable', 'origin_not_allowed', 'client_request_timeout'])(
  '%s is a failure, with its code and its sentence',
  (code) => {
    expect(isDecision(withCode(code))).toBe(false)
    expect(withCode(code)).toEqual({ code, message: 'said in words' })
  },
)

test('a mistake of the page itself is a failure', () => {
  expect(isDecision(failureOf(new TypeError('x is not a function')))).toBe(false)
  expect(isDecision(failureOf('a string'))).toBe(false)
})
