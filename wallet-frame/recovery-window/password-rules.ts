/** Which passwords a wallet takes, and how good one is. */
import { passwordLimits } from '@latchkey/protocol'

const allowed = /^[A-Za-z0-9!@#$%^&*()\-_+.]$/

/** The characters that may not be in it, each once, a space by its name. */
export const invalidCharacters = (password: string): readonly string[] =>
  [...new Set(password)]
    .filter((character) => !allowed.test(character))
    .map((each) => (each === ' ' ? 'SPACE' : each))

export type PasswordProblem =
  | { type: 'too-short' }
  | { type: 'too-long' }
  | { type: 'invalid-characters'; characters: readonly string[] }

/** Gives undefined for a good password, and for an empty one. */
export function passwordProblem(password: string): PasswordProblem | undefined {
  if (password === '') return undefined
  const characters = invalidCharacters(password)
  if (characters.length > 0) return { type: 'invalid-characters', characters }
  if (password.length < passwordLimits.shortest) return { type: 'too-short' }
  if (password.length > passwordLimits.longest) return { type: 'too-long' }
  return undefined
}

export const isGoodPassword = (password: string) => password !== '' && passwordProblem(password) === undefined

const kinds = [/[a-z]/, /[A-Z]/, /[0-9]/, /[^A-Za-z0-9]/]
const weights = { length: 0.6, variety: 0.4 }
const longEnough = 16
const countsVarietyFrom = 8

/** The strength from 0 to 1, by length, and from eight characters on by the kinds of characters. */
export function strengthOf(password: string): number {
  const ofLength = Math.min(password.length / longEnough, 1) * weights.length
  if (password.length < countsVarietyFrom) return ofLength
  const variety = kinds.filter((kind) => kind.test(password)).length / kinds.length
  return ofLength + variety * weights.variety
}

export type StrengthName = 'weak' | 'medium' | 'strong'

export function strengthName(strength: number): StrengthName {
  if (strength > 0.9) return 'strong'
  return strength > 0.5 ? 'medium' : 'weak'
}
