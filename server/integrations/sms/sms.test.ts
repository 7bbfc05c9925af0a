import { expect, test } from 'vitest'
import { parsePhoneNumber } from './sms.ts'

// spec L5.6
test('a phone number is stored as a plus sign, the calling code, a space and the national number', () => {
  expect(parsePhoneNumber('+1 2025550123')).toEqual({ qualified: '+1 2025550123', e164: '+12025550123' })
  expect(parsePhoneNumber('+442079460958')).toEqual({ qualified: '+44 2079460958', e164: '+442079460958' })
})

test('all spellings of a phone number have the same canonical form', () => {
  const written = ['+44 2079460958', '+442079460958', '+44 02079460958', '+4402079460958', '+4 42079460958']
  expect(new Set(written.map((one) => parsePhoneNumber(one).qualified))).toEqual(new Set(['+44 2079460958']))
})

test.each(['+1 2', '+1 20255501234567', '+999 12345678', '12025550123', '+1 2025550123 ext. 5', ''])(
  '%j is rejected as a phone number',
  (written) => {
    expect(() => parsePhoneNumber(written)).toThrow(expect.objectContaining({ code: 'invalid_data' }))
  },
)
