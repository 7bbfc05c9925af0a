import { LatchkeyError } from '@latchkey/protocol'
import { describe, expect, test } from 'vitest'
import { playing } from '../../../testing/machine.ts'
import { emptyPhone, parseInput } from '../../../ui/fields/phone/phone-value.ts'
import { type EnrolSmsEvent, enrolSmsStep, unsent } from './enrol-sms-state.ts'

const after = playing(enrolSmsStep)
const submit = (digits: string): EnrolSmsEvent => ({
  type: 'submit',
  value: parseInput(emptyPhone('US'), digits),
})
const first = submit('2025550123')

describe('the machine of a phone that is to verify', () => {
  test('sends a code to a whole number, and to one at a time', () => {
    const sending = after(unsent, first)
    expect(sending).toMatchObject({
      at: 'sending',
      effects: [{ type: 'send', phoneNumber: '+1 2025550123' }],
    })
    expect(enrolSmsStep(sending.state, submit('2025550124'))).toEqual([sending.state])
    expect(enrolSmsStep(unsent, submit('20255501'))).toEqual([unsent])
    expect(after(sending.state, { type: 'sent' })).toMatchObject({
      at: 'ready',
      effects: [{ type: 'open code', phoneNumber: '+1 2025550123' }],
    })
  })

  test.each([
    ['not_supported', 'smsIsLogin'],
    ['twilio_verification_failed', 'unknown'],
  ] as const)('says for %s that it is %s until a number is sent again', (code, problem) => {
    const cause = new LatchkeyError(code, 'not sent')
    const failed = after(unsent, first, { type: 'not sent', cause })
    expect(failed).toMatchObject({ at: 'ready', state: { problem }, effects: [] })
    expect(after(failed.state, first).state.problem).toBeUndefined()
  })
})
