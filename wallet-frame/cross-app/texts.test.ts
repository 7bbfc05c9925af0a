/** Every state and problem has words, in each language, and what the specification says literally is in them. */
import { expect, test } from 'vitest'
import { languages } from './texts.arb'

const named = new Proxy({}, { get: () => 'Cloud' })
type Words = { readonly [name: string]: unknown }
/** The texts below it by their paths; a function is given a name for whatever it wants. */
function textsIn(words: unknown, path = ''): readonly (readonly [path: string, text: string])[] {
  if (typeof words === 'string') return [[path, words]]
  if (typeof words === 'function') return textsIn(words(named), `${path}()`)
  return Object.entries(words as Words).flatMap(([name, inner]) => textsIn(inner, `${path}.${name}`))
}
const { texts: english } = languages.en
const arabic = languages.ar?.texts

test('no text is empty, and both languages have the same', () => {
  const texts = [...textsIn(english), ...textsIn(arabic)]
  expect(texts.filter(([, text]) => text.trim() === '')).toEqual([])
  expect(textsIn(english).map(([path]) => path)).toEqual(textsIn(arabic).map(([path]) => path))
})

test('no text is left in English', () => {
  const names = new Set(textsIn(english).map(([, text]) => text))
  expect(textsIn(arabic).filter(([, text]) => names.has(text))).toEqual([])
})

// spec W8.27
test('a request whose time is over is called so', () => {
  expect(english.problems.timeout.title).toBe('Request timeout')
})

test('what an app gets is said in words', () => {
  const { scopes, send } = english.consent
  expect([scopes.wallet.read, scopes.wallet.sign, send({ usd: '$100' }), scopes.profile]).toEqual([
    'see your wallet’s address',
    'ask you to sign messages',
    'ask you to send transactions, up to $100 a day',
    'see your name and e-mail address',
  ])
})
