import { expect, test } from 'vitest'
import { requirePhoneNumber } from './sms.ts'

// spec L5.6
test('a number is kept as a plus sign, the calling code, a space, then the number', () => {
  expect(requirePhoneNumber('+1 2025550123')).toEqual({ qualified: '+1 2025550123', e164: '+12025550123' })
  expect(requirePhoneNumber('+442079460958')).toEqual({ qualified: '+44 2079460958', e164: '+442079460958' })
})

test('the ways to write one number are one number', () => {
  const written = ['+44 2079460958', '+442079460958', '+44 02079460958', '+4402079460958', '+4 42079460958']
  expect(new Set(written.map((one) => requirePhoneNumber(one).qualified))).toEqual(
    new Set(['+44 2079460958']),
  )
})

test.each(['+1 2', '+1 20255501234567', '+999 12345678', '12025550123', '+1 2025550123 ext. 5', ''])(
  '%j is refused',
  (written) => {
    expect(() => requirePhoneNumber(written)).toThrow(expect.objectContaining({ code: 'invalid_data' }))
  },
)
