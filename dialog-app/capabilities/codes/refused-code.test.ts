import { type ErrorCode, errorCodes, LatchkeyError } from '@latchkey/protocol'
import { describe, expect, test } from 'vitest'
import { refused } from '../../testing/fixture.ts'
import { outcomeOfRefusedCode, type RefusedCode } from './refused-code.ts'

const ownScreens: readonly ErrorCode[] = ['max_accounts_reached', 'user_does_not_exist', 'allowlist_rejected']
const outcomeOf = (error: LatchkeyError) => outcomeOfRefusedCode(error, (code) => ownScreens.includes(code))

describe('a refused code', () => {
  const table: readonly (readonly [string, LatchkeyError, RefusedCode])[] = [
    // spec L8.12
    ['HTTP 422', refused('invalid_credentials', 422), { type: 'problem', problem: 'invalid' }],
    // spec L8.13
    [
      'cannot_link_more_of_type',
      refused('cannot_link_more_of_type', 400, 'One is enough'),
      { type: 'problem', problem: { sentence: 'One is enough' } },
    ],
    // spec L8.14
    ['max_accounts_reached', refused('max_accounts_reached', 403), { type: 'screen' }],
    // spec L8.15
    ['user_does_not_exist', refused('user_does_not_exist', 404), { type: 'screen' }],
    // spec L8.16
    ['linked_to_another_user', refused('linked_to_another_user', 400), { type: 'screen' }],
    [
      'too_many_requests',
      new LatchkeyError('too_many_requests', 'Too many requests.', { retryAfterSeconds: 541 }),
      { type: 'problem', problem: 'other', waitMinutes: 10 },
    ],
    ['allowlist_rejected', refused('allowlist_rejected', 401), { type: 'screen' }],
  ]
  test.each(table)('%s', (_name, error, outcome) => {
    expect(outcomeOf(error)).toEqual(outcome)
  })

  // spec L8.14
  test('goes to its screen even when the status is 422', () => {
    expect(outcomeOf(refused('max_accounts_reached', 422))).toMatchObject({ type: 'screen' })
  })

  // spec L8.17
  test('any other failure is an issue of verifying', () => {
    const named = new Set(table.map(([, error]) => error.code))
    for (const code of errorCodes.filter((each) => !named.has(each))) {
      expect(outcomeOf(refused(code, 400))).toEqual({ type: 'problem', problem: 'other' })
    }
  })
})
