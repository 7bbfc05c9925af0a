import { LatchkeyError } from '@latchkey/protocol'
import { describe, expect, test } from 'vitest'
import { playing } from '../../../testing/machine.ts'
import { type Attempt, type AttemptsEvent, attemptsStep, untried } from './attempts-state.ts'

const after = playing(attemptsStep)
const attempt: Attempt = {
  verification: { mfaMethod: 'totp', mfaCode: '123456' },
  told: Promise.withResolvers<void>(),
}
const submit: AttemptsEvent = { type: 'submit', attempt }
const taken: AttemptsEvent = { type: 'taken', attempt }
const refusedWith = (error: LatchkeyError): AttemptsEvent => ({ type: 'refused', attempt, error })
const wrong = refusedWith(new LatchkeyError('missing_or_invalid_mfa', 'wrong'))
const timeIsUp = (tried: number): AttemptsEvent => ({ type: 'time is up', tried })
const tries = (count: number): readonly AttemptsEvent[] =>
  Array.from({ length: count }, () => [submit, wrong]).flat()

describe('the machine of the answers to a verification', () => {
  test('checks one answer at a time, and waits anew after a wrong one', () => {
    const ways = [
      [[{ type: 'begin' }], 'waiting', ['wait']],
      [[submit], 'checking', ['check']],
      [[submit, submit], 'checking', ['tell']],
      [[submit, taken], 'over', ['tell']],
      [tries(1), 'waiting', ['wait', 'tell']],
      [tries(3), 'waiting', ['wait', 'tell']],
      // spec L4.47
      [tries(4), 'over', ['fail', 'tell']],
      [[timeIsUp(0)], 'over', ['fail']],
      [[{ type: 'cancel' }], 'over', ['fail']],
    ] satisfies readonly (readonly [readonly AttemptsEvent[], string, readonly string[]])[]
    expect(
      ways.map(([events]) => {
        const { at, effects } = after(untried, ...events)
        return [events, at, effects.map(({ type }) => type)]
      }),
    ).toEqual(ways)
  })

  test.each([
    ['the time of an answer that has come', [submit], timeIsUp(0)],
    ['the time of an earlier wait', tries(1), timeIsUp(0)],
    ['the time after it is over', [submit, taken], timeIsUp(1)],
    ['a cancel after it is over', [submit, taken], { type: 'cancel' }],
  ] satisfies readonly (readonly [string, readonly AttemptsEvent[], AttemptsEvent])[])(
    'is not changed by %s',
    (_, events, event) => {
      const { state } = after(untried, ...events)
      expect(attemptsStep(state, event)).toEqual([state])
    },
  )

  test('fails with what the call met that it was for, and counts what the server counts', () => {
    for (const code of ['share_mismatch', 'mfa_verification_max_attempts_reached'] as const) {
      const error = new LatchkeyError(code, 'no more')
      expect(after(untried, submit, refusedWith(error))).toMatchObject({
        at: 'over',
        effects: [
          { type: 'fail', error: { code } },
          { type: 'tell', refusal: { code } },
        ],
      })
    }
  })

  test('tells whoever brought an answer what became of it, also after it was canceled', () => {
    const canceled = after(untried, submit, { type: 'cancel' }).state
    expect(after(canceled, taken).effects).toEqual([{ type: 'tell', attempt }])
    expect(after(canceled, wrong).effects).toMatchObject([
      {
        type: 'tell',
        refusal: { code: 'missing_or_invalid_mfa', message: 'MFA verification failed, retry.' },
      },
    ])
    expect(after(canceled, submit).effects).toMatchObject([
      { type: 'tell', refusal: { code: 'unknown_mfa_error' } },
    ])
  })
})
