import { describe, expect, test } from 'vitest'
import { playing } from '../../../testing/machine.ts'
import { type PasscodeEvent, passcodeStep, untyped } from './passcode-state.ts'

const after = playing(passcodeStep)
const begun = untyped('available')
const submit: PasscodeEvent = { type: 'submit', code: '123456' }
const refused: PasscodeEvent = { type: 'refused', problem: 'invalid', isOver: false }
const blocked: PasscodeEvent = { type: 'block', problem: 'timeLimit' }
const toWrong: readonly PasscodeEvent[] = [submit, refused]
const clear = (refusals: number): PasscodeEvent => ({ type: 'clear', refusals })

describe('the machine of a passcode', () => {
  test('checks a code, and takes another after a wrong one', () => {
    const ways = [
      [[submit], 'checking', ['check']],
      [[submit, { type: 'accepted' }], 'done', []],
      [toWrong, 'wrong', ['clear later']],
      [[...toWrong, clear(1)], 'ready', []],
      [[...toWrong, { type: 'edit' }], 'ready', []],
      [[...toWrong, { type: 'edit' }, submit], 'checking', ['check']],
      [[submit, { ...refused, isOver: true }], 'blocked', []],
      [[{ type: 'send' }], 'ready', ['send']],
      [[{ type: 'send' }, submit, { type: 'sent' }], 'checking', ['unlock resend later']],
    ] satisfies readonly (readonly [readonly PasscodeEvent[], string, readonly string[]])[]
    expect(
      ways.map(([events]) => {
        const { at, effects } = after(begun, ...events)
        return [events, at, effects.map(({ type }) => type)]
      }),
    ).toEqual(ways)
  })

  test.each([
    ['a second code while one is checked', [submit], submit],
    ['a code while a wrong one is seen', toWrong, submit],
    ['the clearing of an earlier code', [...toWrong, { type: 'edit' }, ...toWrong], clear(1)],
    ['a second message while one is sent', [{ type: 'send' }], { type: 'send' }],
    ['a second message so soon', [{ type: 'send' }, { type: 'sent' }], { type: 'send' }],
    ['a code after it is blocked', [blocked], submit],
    ['a message that comes after it is blocked', [{ type: 'send' }, blocked], { type: 'sent' }],
    ['a message that is unlocked after it is blocked', [blocked], { type: 'unlock resend' }],
    ['a refusal after it is blocked', [submit, blocked], refused],
  ] satisfies readonly (readonly [string, readonly PasscodeEvent[], PasscodeEvent])[])(
    'is not changed by %s',
    (_, events, event) => {
      const { state } = after(begun, ...events)
      expect(passcodeStep(state, event)).toEqual([state])
      expect(passcodeStep(state, event)[0]).toBe(state)
    },
  )

  test('empties the fields where a wrong code is cleared or no other is taken, and not where one is edited', () => {
    expect(after(begun, ...toWrong, clear(1)).state.attempt).toBe(2)
    expect(after(begun, ...toWrong, { type: 'edit' }).state.attempt).toBe(1)
    expect(after(begun, blocked).state.attempt).toBe(2)
  })

  test('sends nothing where there is no message', () => {
    const noMessage = untyped('none')
    expect(passcodeStep(noMessage, { type: 'send' })).toEqual([noMessage])
  })
})
