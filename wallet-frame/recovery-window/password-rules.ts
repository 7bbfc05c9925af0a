/** Rules for recovery passwords, and their strength. */
import { passwordLimits } from '@latchkey/protocol'

const allowed = /^[A-Za-z0-9!@#$%^&*()\-_+.]$/

/** Returns the invalid characters, each once; a space by its name. */
export const findInvalidCharacters = (password: string): readonly string[] =>
  [...new Set(password)]
    .filter((character) => !allowed.test(character))
    .map((each) => (each === ' ' ? 'SPACE' : each))

export type PasswordProblem =
  | { type: 'too-short' }
  | { type: 'too-long' }
  | { type: 'invalid-characters'; characters: readonly string[] }

/** Returns undefined for a valid password, and for an empty one. */
export function findPasswordProblem(password: string): PasswordProblem | undefined {
  if (password === '') return undefined
  const characters = findInvalidCharacters(password)
  if (characters.length > 0) return { type: 'invalid-characters', characters }
  if (password.length < passwordLimits.shortest) return { type: 'too-short' }
  if (password.length > passwordLimits.longest) return { type: 'too-long' }
  return undefined
}

export const isGoodPassword = (password: string) =>
  password !== '' && findPasswordProblem(password) === undefined

const kinds = [/[a-z]/, /[A-Z]/, /[0-9]/, /[^A-Za-z0-9]/]
const weights = { length: 0.6, variety: 0.4 }
const longEnough = 16
const countsVarietyFrom = 8

/** Returns the strength from 0 to 1: by length, and from eight characters on by character classes too. */
export function measureStrength(password: string): number {
  const lengthScore = Math.min(password.length / longEnough, 1) * weights.length
  if (password.length < countsVarietyFrom) return lengthScore
  const variety = kinds.filter((kind) => kind.test(password)).length / kinds.length
  return lengthScore + variety * weights.variety
}

export type StrengthName = 'weak' | 'medium' | 'strong'

export function toStrengthName(strength: number): StrengthName {
  if (strength > 0.9) return 'strong'
  return strength > 0.5 ? 'medium' : 'weak'
}
