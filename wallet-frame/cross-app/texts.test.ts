/** Every state and problem has a text in each language, with the exact texts of the specification. */
import { expect, test } from 'vitest'
import { texts as catalogue, english } from './texts.arb'

const named = new Proxy({}, { get: () => 'Cloud' })
type Words = { [name: string]: unknown }
/** Returns all texts by their paths. Functions are called with a placeholder for any value. */
function textsIn(words: unknown, path = ''): readonly (readonly [path: string, text: string])[] {
  if (typeof words === 'string') return [[path, words]]
  if (typeof words === 'function') return textsIn(words(named), `${path}()`)
  return Object.entries(words as Words).flatMap(([name, inner]) => textsIn(inner, `${path}.${name}`))
}
await catalogue.load('ar')
const arabic = catalogue.in('ar')

test('has no empty text, and the same keys in both languages', () => {
  const texts = [...textsIn(english), ...textsIn(arabic)]
  expect(texts.filter(([, text]) => text.trim() === '')).toEqual([])
  expect(textsIn(english).map(([path]) => path)).toEqual(textsIn(arabic).map(([path]) => path))
})

test('has no text left in English', () => {
  const names = new Set(textsIn(english).map(([, text]) => text))
  expect(textsIn(arabic).filter(([, text]) => names.has(text))).toEqual([])
})

// spec W8.27
test("uses 'Request timeout' for an expired request", () => {
  expect(english.problems.timeout.title).toBe('Request timeout')
})

test('uses the texts of the specification for a failed recovery and a wrong password (spec W8.11, W8.13)', () => {
  expect(english.problems.unrecovered.title).toBe('Unable to recover wallet')
  expect(english.password.wrong).toBe('Invalid recovery password, please try again.')
})

// spec L2.67, L2.68, L8.42, L8.43
test("uses the dialog's texts for the second factor", () => {
  const { choice, codeTitle, problems } = english.factor
  expect(choice.title).toBe('Verify your identity')
  expect(codeTitle).toBe('Enter verification code')
  expect(problems.wrong).toBe('The code you entered is not valid')
  const maxAttempts =
    'You have exceeded the maximum number of attempts. Please close this window and try again in 10 seconds.'
  expect(problems['max-attempts']).toBe(maxAttempts)
  expect(english.problems['max-attempts'].detail).toBe(maxAttempts)
})

test('names each permission of an app in words', () => {
  const { scopes, send } = english.consent
  expect([scopes.wallet.read, scopes.wallet.sign, send({ usd: '$100' }), scopes.profile]).toEqual([
    'see your wallet’s address',
    'ask you to sign messages',
    'ask you to send transactions, up to $100 a day',
    'see your name and e-mail address',
  ])
})
