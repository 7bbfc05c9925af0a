import { LatchkeyError } from '@latchkey/protocol'
import { describe, expect, test } from 'vitest'
import { playing } from '../../../testing/machine.ts'
import type { Verification } from '../../../wallet/verification.ts'
import type { PasscodeEntry } from '../passcode/passcode.ts'
import type { Passcode } from '../passcode/passcode-state.ts'
import { timedOut } from '../problem.ts'
import { unverified, type VerificationEvent, verificationStep } from './verification-state.ts'

const after = playing(verificationStep)
const makeEntry = () => ({}) as PasscodeEntry
const entry = makeEntry()
const earlier = makeEntry()
const passcode = { status: 'ready' } as Passcode
const wrong = { status: 'wrong' } as Passcode
const verification = {} as Verification

const choose = (method: 'totp' | 'sms' | 'passkey'): VerificationEvent => ({ type: 'choose', method })
const codeOpened = (method: 'totp' | 'sms'): VerificationEvent => ({
  type: 'code opened',
  method,
  entry,
  passcode,
})
const toCode: readonly VerificationEvent[] = [choose('totp'), codeOpened('totp')]
const over: VerificationEvent = { type: 'over', error: timedOut() }

/** What is said of the asking that the present state is of. */
const asked = (...events: readonly VerificationEvent[]) => {
  const { state, ...rest } = after(unverified, ...events)
  if (!('asking' in state.phase)) throw new Error('No passkey is asked for')
  const { asking } = state.phase
  return {
    ...rest,
    state,
    asking,
    answered: { type: 'passkey answered', asking, verification },
    none: { type: 'no passkey', asking, problem: 'noPasskey' },
    refused: { type: 'passkey refused', asking, problem: 'invalid', isOver: false },
  } as const
}
const types = (effects: readonly { type: string }[]) => effects.map(({ type }) => type)

describe('the machine of a verification', () => {
  test('opens one method after the other, and sends the code of a message', () => {
    const ways = [
      [toCode.slice(0, 1), 'beginning', ['open code']],
      [toCode, 'code', ['show first']],
      [[choose('sms'), codeOpened('sms')], 'code', ['show first', 'send code']],
      [[...toCode, choose('sms'), codeOpened('sms')], 'code', ['show next', 'send code']],
      [[choose('passkey')], 'asking passkey', ['show first', 'ask for passkey']],
      [[...toCode, choose('passkey')], 'asking passkey', ['show next', 'ask for passkey']],
      [[choose('passkey'), choose('totp')], 'asking passkey', ['abandon passkey', 'open code']],
      [[choose('passkey'), ...toCode], 'code', ['show next']],
      [
        [choose('passkey'), choose('passkey')],
        'asking passkey',
        ['abandon passkey', 'show next', 'ask for passkey'],
      ],
    ] satisfies readonly (readonly [readonly VerificationEvent[], string, readonly string[]])[]
    expect(
      ways.map(([events]) => {
        const { at, effects } = after(unverified, ...events)
        return [events, at, types(effects)]
      }),
    ).toEqual(ways)
  })

  test('checks what a passkey answers, and asks for it again where it does not', () => {
    const first = asked(choose('passkey'))
    const checking = after(first.state, first.answered)
    expect([checking.at, types(checking.effects)]).toEqual(['checking passkey', ['check passkey']])
    for (const failed of [after(first.state, first.none), after(checking.state, first.refused)]) {
      expect(failed.at).toBe('passkey failed')
      const again = after(failed.state, { type: 'ask again' })
      // It stays on the same screen.
      expect([again.at, types(again.effects)]).toEqual(['asking passkey', ['ask for passkey']])
      expect('asking' in again.phase && again.phase.asking).not.toBe(first.asking)
    }
  })

  test('is not changed by what belongs to an earlier passkey, or an earlier code', () => {
    const first = asked(choose('passkey'))
    const { state: second, answered } = asked(choose('passkey'), choose('passkey'))
    const checking = after(second, answered).state
    const other = after(first.state, ...toCode).state
    for (const event of [first.answered, first.none, first.refused]) {
      expect(verificationStep(second, event)).toEqual([second])
      expect(verificationStep(checking, event)).toEqual([checking])
      expect(verificationStep(other, event)).toEqual([other])
    }
    expect(verificationStep(other, { type: 'passcode changed', entry: earlier, passcode: wrong })).toEqual([
      other,
    ])
    expect(verificationStep(other, { type: 'code sent', entry: earlier, sentTo: '*0123' })).toEqual([other])
    expect(after(other, { type: 'passcode changed', entry, passcode: wrong }).phase).toMatchObject({
      passcode: wrong,
    })
  })

  test('tells its caller at once that no answer is taken any more, and leaves the reason to be read', () => {
    const code = after(unverified, ...toCode, over)
    expect([code.at, types(code.effects)]).toEqual(['code', ['settle', 'leave choice', 'block code']])
    const passkey = asked(choose('passkey'), over)
    expect(passkey.phase).toMatchObject({ at: 'passkey failed', problem: 'timeLimit', isOver: true })
    expect(types(passkey.effects)).toEqual(['settle', 'leave choice', 'abandon passkey'])
    for (const event of [passkey.none, passkey.refused, { type: 'ask again' } as const]) {
      expect(verificationStep(passkey.state, event)).toEqual([passkey.state])
    }
  })

  test('ends with what the call met that it was for', () => {
    const error = new LatchkeyError('share_mismatch', 'Not the share')
    for (const events of [toCode, [choose('passkey')]]) {
      expect(after(unverified, ...events, { type: 'over', error }).effects).toEqual([
        { type: 'end', ending: { type: 'failed', error } },
      ])
    }
  })
})
