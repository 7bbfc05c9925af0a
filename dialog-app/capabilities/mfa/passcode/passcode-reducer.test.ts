import { describe, expect, test } from 'vitest'
import { emptyPasscode, type PasscodeEvent, passcodeReducer } from './passcode-reducer.ts'

const start = { ...emptyPasscode, resend: 'available' } as const
const after = (...events: readonly PasscodeEvent[]) => events.reduce(passcodeReducer, start)
const submit: PasscodeEvent = { type: 'submit' }
const refused: PasscodeEvent = { type: 'refused', problem: 'invalid' }
const edit: PasscodeEvent = { type: 'edit' }
const clear: PasscodeEvent = { type: 'clear' }
const send: PasscodeEvent = { type: 'send' }
const sent: PasscodeEvent = { type: 'sent' }
const blocked: PasscodeEvent = { type: 'block', problem: 'timeLimit' }

describe('a passcode entry', () => {
  test.each([
    ['checks a code', [submit], 'checking'],
    ['is done with an accepted code', [submit, { type: 'accepted' }], 'done'],
    ['shows a wrong code', [submit, refused], 'wrong'],
    ['is ready after a wrong code was cleared', [submit, refused, clear], 'ready'],
    ['is ready when the user types over a wrong code', [submit, refused, edit], 'ready'],
    ['checks a code while a message is on its way', [send, submit, sent], 'checking'],
    ['stays blocked', [blocked, submit], 'blocked'],
  ] satisfies readonly (readonly [string, readonly PasscodeEvent[], string])[])('%s', (_, events, status) => {
    expect(after(...events).status).toBe(status)
  })

  test.each([
    ['a second code while one is checked', [submit], submit],
    ['a code while a wrong one is visible', [submit, refused], submit],
    ['the clearing of a code that was typed over', [submit, refused, edit], clear],
    ['a second message while one is on its way', [send], send],
    ['a second message too early', [send, sent], send],
    ['a sent message after it is blocked', [send, blocked], sent],
    ['the end of the resend lock after it is blocked', [blocked], { type: 'unlock resend' }],
    ['a refusal after it is blocked', [submit, blocked], refused],
  ] satisfies readonly (readonly [string, readonly PasscodeEvent[], PasscodeEvent])[])(
    'ignores %s',
    (_, events, event) => {
      const passcode = after(...events)
      expect(passcodeReducer(passcode, event)).toBe(passcode)
    },
  )

  test('empties the fields when a wrong code is cleared or the entry is blocked, and keeps them otherwise', () => {
    expect(after(submit, refused, clear).attempt).toBe(2)
    expect(after(submit, refused, edit).attempt).toBe(1)
    expect(after(blocked).attempt).toBe(2)
  })

  test('sends no message if its codes are not sent', () => {
    expect(passcodeReducer(emptyPasscode, send)).toBe(emptyPasscode)
  })
})
