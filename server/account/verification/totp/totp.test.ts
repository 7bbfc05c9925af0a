import fc from 'fast-check'
import * as OTPAuth from 'otpauth'
import { describe, expect, test } from 'vitest'
import { base32, codeAt, findCodeStep, keyUri, stepAt } from './totp.ts'

const rfcSecret = Buffer.from('12345678901234567890')

describe('the code of a step', () => {
  // https://www.rfc-editor.org/rfc/rfc6238#appendix-B, the last six of its eight digits
  test.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ])('at %i s is that of RFC 6238: %s', (seconds, code) => {
    expect(codeAt(rfcSecret, stepAt(seconds))).toBe(code)
  })

  // https://www.rfc-editor.org/rfc/rfc4226#appendix-D
  test('of the first ten counters is that of RFC 4226', () => {
    expect(Array.from({ length: 10 }, (_, counter) => codeAt(rfcSecret, counter))).toEqual([
      '755224',
      '287082',
      '359152',
      '969429',
      '338314',
      '254676',
      '287922',
      '162583',
      '399871',
      '520489',
    ])
  })

  test('equals that of another implementation, for any secret at any time', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 20, maxLength: 20 }),
        fc.integer({ min: 0, max: 2 ** 40 }),
        (secret, seconds) => {
          const other = new OTPAuth.TOTP({
            secret: new OTPAuth.Secret({ buffer: Uint8Array.from(secret).buffer }),
            algorithm: 'SHA1',
            digits: 6,
            period: 30,
          })
          expect(codeAt(secret, stepAt(seconds))).toBe(other.generate({ timestamp: seconds * 1_000 }))
        },
      ),
    )
  })
})

describe('the step of a code', () => {
  const anySecret = fc.uint8Array({ minLength: 20, maxLength: 20 })
  const anyTime = fc.integer({ min: 1_000, max: 2 ** 33 })

  test('is found one step before and after now, and no further', () => {
    fc.assert(
      fc.property(anySecret, anyTime, fc.integer({ min: -4, max: 4 }), (secret, nowSeconds, off) => {
        const step = stepAt(nowSeconds) + off
        const codes = [-1, 0, 1].map((at) => codeAt(secret, stepAt(nowSeconds) + at))
        const code = codeAt(secret, step)
        const found = findCodeStep(secret, code, { nowSeconds, lastStep: 0 })
        // Two steps have the same code with a probability of one in a million.
        if (Math.abs(off) <= 1) expect(codes[(found ?? 0) - stepAt(nowSeconds) + 1]).toBe(code)
        else expect(found === undefined || codes.includes(code)).toBe(true)
      }),
    )
  })

  test('is not found if it or a later step was used', () => {
    fc.assert(
      fc.property(anySecret, anyTime, fc.integer({ min: -1, max: 1 }), (secret, nowSeconds, off) => {
        const step = stepAt(nowSeconds) + off
        const code = codeAt(secret, step)
        const later = findCodeStep(secret, code, { nowSeconds, lastStep: step })
        expect(later === undefined || later > step).toBe(true)
        expect(findCodeStep(secret, code, { nowSeconds, lastStep: step - 1 })).toBeGreaterThanOrEqual(step)
      }),
    )
  })

  test('returns no step for an invalid code', () => {
    const at = { nowSeconds: 59, lastStep: 0 }
    expect(findCodeStep(rfcSecret, '287082', at)).toBe(1)
    for (const code of ['', '28708', '2870822', '000000', '２８７０８２']) {
      expect(findCodeStep(rfcSecret, code, at), code).toBeUndefined()
    }
  })
})

describe('values for an authenticator app', () => {
  // https://www.rfc-editor.org/rfc/rfc4648#section-10
  test.each([
    ['', ''],
    ['f', 'MY'],
    ['fo', 'MZXQ'],
    ['foo', 'MZXW6'],
    ['foob', 'MZXW6YQ'],
    ['fooba', 'MZXW6YTB'],
    ['foobar', 'MZXW6YTBOI'],
  ])('%j is encoded as %j in base32', (text, encoded) => {
    expect(base32(Buffer.from(text))).toBe(encoded)
  })

  test('another implementation reads the URI for any app and account name', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 20, maxLength: 20 }),
        fc.string({ minLength: 1, unit: 'grapheme' }).filter((name) => /[^:\s]/.test(name)),
        (bytes, name) => {
          const uri = keyUri({ secret: base32(bytes), issuer: name, account: 'ada@example.com' })
          const read = OTPAuth.URI.parse(uri)
          if (!(read instanceof OTPAuth.TOTP)) throw new Error('It is a TOTP')
          const { algorithm, digits, period, secret, issuer, label } = read
          expect({ algorithm, digits, period }).toEqual({ algorithm: 'SHA1', digits: 6, period: 30 })
          expect(new Uint8Array(secret.bytes)).toEqual(Uint8Array.from(bytes))
          expect(issuer).toBe(name.replaceAll(':', ' ').trim())
          expect(label).toBe('ada@example.com')
        },
      ),
    )
  })
})
