import { describe, expect, it } from 'vitest'
import { pictured } from '../../core/picture.ts'
import { readScreen } from '../../testing/read-screen.ts'
import {
  invalidCharacters,
  isGoodPassword,
  passwordProblem,
  strengthName,
  strengthOf,
} from './password-rules.ts'
import { passwordCreateScreen } from './screens.ts'

/** On the screen that asks for a new one. */
async function problemShownFor(password: string) {
  const state = {
    appName: 'Fieldnotes',
    isUpdate: false,
    byUser: true,
    step: { at: 'creating', password },
  } as const
  const texts = await readScreen(pictured(passwordCreateScreen, state)(() => {}))
  return [...new Set(texts.filter((text) => /^(Password must|Invalid)/.test(text)))]
}

describe('a password', () => {
  // spec W5.1
  it('has at least six characters', async () => {
    expect(passwordProblem('abcde')).toEqual({ type: 'too-short' })
    expect(passwordProblem('abcdef')).toBeUndefined()
    expect(await problemShownFor('abcde')).toEqual(['Password must be at least 6 characters'])
    expect(await problemShownFor('abcdef')).toEqual([])
    expect(passwordProblem('')).toBeUndefined()
    expect(isGoodPassword('')).toBe(false)
    expect(passwordProblem('a'.repeat(257))).toEqual({ type: 'too-long' })
  })

  // spec W5.2, W5.4
  it('has letters, digits and these signs, the full stop among them', () => {
    const all = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!@#$%^&*()-_+.'
    expect(invalidCharacters(all)).toEqual([])
    expect(isGoodPassword(all)).toBe(true)
    for (const other of ['é', 'ß', '=', '{', '"', "'", '/', ',', '\t', '😀', '٣'])
      expect(passwordProblem(`abcdef${other}`)).toEqual({ type: 'invalid-characters', characters: [other] })
  })

  // spec W5.3
  it('that has others is told each of them once, a space by its name', async () => {
    expect(passwordProblem('a b=c =')).toEqual({ type: 'invalid-characters', characters: ['SPACE', '='] })
    expect(await problemShownFor('a b=c =')).toEqual(['Invalid characters used ( SPACE = )'])
  })
})

describe('the strength', () => {
  // spec W5.5
  it('is strong above 0.9 and medium above 0.5', () => {
    expect(strengthName(0.9)).toBe('medium')
    expect(strengthName(0.9001)).toBe('strong')
    expect(strengthName(0.5)).toBe('weak')
    expect(strengthName(0.5001)).toBe('medium')
    expect(strengthName(0)).toBe('weak')
    expect(strengthName(1)).toBe('strong')
  })

  // spec W5.6
  it('counts kinds of characters from eight on', () => {
    expect(strengthOf('')).toBe(0)
    expect(strengthOf('aA1!aA1')).toBe(strengthOf('aaaaaaa'))
    expect(strengthOf('aA1!aA1!')).toBeGreaterThan(strengthOf('aaaaaaaa'))
    expect(strengthOf('aaaaaaaa')).toBeCloseTo(0.4)
    expect(strengthOf('aA1!aA1!')).toBeCloseTo(0.7)
    expect(strengthOf('aA1!'.repeat(4))).toBeCloseTo(1)
    expect(strengthOf('aA1!'.repeat(9))).toBeCloseTo(1)
  })

  it('never falls with another character', () => {
    const text = 'abcdefGHIJKL012345!@#'
    for (let length = 1; length < text.length; length += 1)
      expect(strengthOf(text.slice(0, length + 1))).toBeGreaterThanOrEqual(strengthOf(text.slice(0, length)))
  })
})
