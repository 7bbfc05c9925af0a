import { wordlist } from '@scure/bip39/wordlists/english.js'
import { describe, expect, it } from 'vitest'
import { generatePassword } from './generated-password.ts'
import {
  findInvalidCharacters,
  findPasswordProblem,
  isGoodPassword,
  measureStrength,
  toStrengthName,
} from './password-rules.ts'

describe('a password', () => {
  // spec W5.1
  it('has at least six characters', () => {
    expect(findPasswordProblem('abcde')).toEqual({ type: 'too-short' })
    expect(findPasswordProblem('abcdef')).toBeUndefined()
    expect(findPasswordProblem('')).toBeUndefined()
    expect(isGoodPassword('')).toBe(false)
    expect(findPasswordProblem('a'.repeat(257))).toEqual({ type: 'too-long' })
  })

  // spec W5.2, W5.4
  it('may contain letters, digits and these signs, including the full stop', () => {
    const all = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!@#$%^&*()-_+.'
    expect(findInvalidCharacters(all)).toEqual([])
    expect(isGoodPassword(all)).toBe(true)
    for (const other of ['é', 'ß', '=', '{', '"', "'", '/', ',', '\t', '😀', '٣'])
      expect(findPasswordProblem(`abcdef${other}`)).toEqual({
        type: 'invalid-characters',
        characters: [other],
      })
  })

  // spec W5.3
  it('reports each invalid character once, a space by its name', () => {
    expect(findPasswordProblem('a b=c =')).toEqual({ type: 'invalid-characters', characters: ['SPACE', '='] })
  })
})

describe('the strength', () => {
  // spec W5.5
  it('is strong above 0.9 and medium above 0.5', () => {
    expect(toStrengthName(0.9)).toBe('medium')
    expect(toStrengthName(0.9001)).toBe('strong')
    expect(toStrengthName(0.5)).toBe('weak')
    expect(toStrengthName(0.5001)).toBe('medium')
    expect(toStrengthName(0)).toBe('weak')
    expect(toStrengthName(1)).toBe('strong')
  })

  // spec W5.6
  it('counts character classes from eight characters on', () => {
    expect(measureStrength('')).toBe(0)
    expect(measureStrength('aA1!aA1')).toBe(measureStrength('aaaaaaa'))
    expect(measureStrength('aA1!aA1!')).toBeGreaterThan(measureStrength('aaaaaaaa'))
    expect(measureStrength('aaaaaaaa')).toBeCloseTo(0.4)
    expect(measureStrength('aA1!aA1!')).toBeCloseTo(0.7)
    expect(measureStrength('aA1!'.repeat(4))).toBeCloseTo(1)
    expect(measureStrength('aA1!'.repeat(9))).toBeCloseTo(1)
  })

  it('never falls with another character', () => {
    const text = 'abcdefGHIJKL012345!@#'
    for (let length = 1; length < text.length; length += 1)
      expect(measureStrength(text.slice(0, length + 1))).toBeGreaterThanOrEqual(
        measureStrength(text.slice(0, length)),
      )
  })
})

describe('a generated password', () => {
  it("has four words of the list, joined with '-' (spec W9.5)", () => {
    for (let time = 0; time < 1_000; time += 1) {
      const password = generatePassword()
      expect(password).toMatch(/^([a-z]{3,8}-){3}[a-z]{3,8}$/)
      expect(password.split('-').every((word) => wordlist.includes(word))).toBe(true)
      expect(isGoodPassword(password)).toBe(true)
    }
  })
})
