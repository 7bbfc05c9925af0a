import { describe, expect, test } from 'vitest'
import {
  countries,
  defaultCountry,
  emptyPhone,
  type PhoneValue,
  parseInput,
  withCountry,
} from './phone-value.ts'

/** Types one key after another at the end. */
const type = (value: PhoneValue, keys: string) =>
  [...keys].reduce((now, key) => parseInput(now, now.rawPhoneNumber + key), value)
const us = emptyPhone('US')

describe('phone number', () => {
  // spec L5.4
  test('is formatted while it is typed', () => {
    expect(type(us, '202').rawPhoneNumber).toBe('(202)')
    expect(type(us, '2025550').rawPhoneNumber).toBe('(202) 555-0')
    expect(type(us, '2025550123').rawPhoneNumber).toBe('(202) 555-0123')
    expect(type(emptyPhone('GB'), '07400123456').rawPhoneNumber).toBe('07400 123456')
    expect(type(emptyPhone('GB'), '7400123456').rawPhoneNumber).toBe('7400 123456')
    expect(type(emptyPhone('DE'), '15123456789').rawPhoneNumber).toBe('1512 3456789')
  })

  // spec L5.5
  test('is valid only if it passes the check of the chosen country', () => {
    expect(type(us, '202555012').isValid).toBe(false)
    expect(type(us, '2025550123').isValid).toBe(true)
    expect(type(us, '20255501234').isValid).toBe(false)
    expect(type(emptyPhone('GB'), '2025550123').isValid).toBe(false)
    expect(type(emptyPhone('GB'), '7400123456').isValid).toBe(true)
    expect(us.isValid).toBe(false)
  })

  // spec L5.6, L3.26
  test('is qualified as a plus sign, the calling code, a space, then the number', () => {
    expect(type(us, '2025550123')).toEqual({
      rawPhoneNumber: '(202) 555-0123',
      qualifiedPhoneNumber: '+1 2025550123',
      countryCode: 'US',
      isValid: true,
    })
    expect(type(emptyPhone('GB'), '07400123456').qualifiedPhoneNumber).toBe('+44 7400123456')
  })

  // spec L5.7
  test('is cleared by another country, and kept by the same', () => {
    const value = type(us, '2025550123')
    expect(withCountry(value, 'DE')).toEqual({
      rawPhoneNumber: '',
      qualifiedPhoneNumber: '+49 ',
      countryCode: 'DE',
      isValid: false,
    })
    expect(withCountry(value, 'US')).toBeUndefined()
  })

  test('sets its country if it is pasted with a calling code', () => {
    expect(parseInput(us, '+44 7400 123456')).toMatchObject({
      rawPhoneNumber: '07400 123456',
      qualifiedPhoneNumber: '+44 7400123456',
      countryCode: 'GB',
      isValid: true,
    })
  })

  test('accepts digits of other scripts', () => {
    expect(parseInput(us, '٢٠٢٥٥٥٠١٢٣').qualifiedPhoneNumber).toBe('+1 2025550123')
    expect(parseInput(us, '２０２５５５０１２３').qualifiedPhoneNumber).toBe('+1 2025550123')
    expect(parseInput(us, '2️⃣025550123').qualifiedPhoneNumber).toBe('+1 2025550123')
    expect(parseInput(us, '＋４４ ７４００ １２３４５６').qualifiedPhoneNumber).toBe('+44 7400123456')
  })

  test('can be deleted completely, including its formatting', () => {
    let value = type(us, '2025550123')
    for (let key = 0; key < 10; key += 1) value = parseInput(value, value.rawPhoneNumber.slice(0, -1))
    expect(value.rawPhoneNumber.replace(/\D/g, '').length).toBeLessThanOrEqual(2)
    for (let key = 0; key < 6; key += 1) value = parseInput(value, value.rawPhoneNumber.slice(0, -1))
    expect(value).toEqual(us)
  })

  test('ignores letters, and digits beyond the maximum length', () => {
    expect(parseInput(us, '202abc').rawPhoneNumber).toBe('(202)')
    expect(parseInput(us, '1'.repeat(40)).rawPhoneNumber.replace(/\D/g, '')).toHaveLength(15)
  })
})

describe('countries', () => {
  // spec L5.3
  test('are all that have a calling code, each with its name', () => {
    const list = countries('en')
    expect(list.length).toBeGreaterThan(240)
    expect(list).toContainEqual({ code: 'DE', callingCode: '49', name: 'Germany' })
    expect(list).toContainEqual({ code: 'KZ', callingCode: '7', name: 'Kazakhstan' })
    expect(list.every(({ name, code }) => name !== code)).toBe(true)
    expect(countries('ar').find(({ code }) => code === 'DE')?.name).toBe('ألمانيا')
  })

  // spec L1.16
  test("start with the host page's country, or the United States", () => {
    expect(defaultCountry('FR')).toBe('FR')
    expect(defaultCountry('XX')).toBe('US')
    expect(defaultCountry(undefined)).toBe('US')
  })
})
