/**
 * Creates a language for pictures: English with accents, in brackets and 40 % longer. A text without accents is not in
 * a catalogue, and a missing bracket shows a text that is cut off.
 */
import { type MessageFormatElement, TYPE } from '@formatjs/icu-messageformat-parser'
import type { EnglishCatalogue, Locale } from './catalogues.ts'
import { isMessage, type Messages } from './read-messages.ts'

export const pseudoTag = 'en-XA'

export const createPseudoLocale = (english: readonly EnglishCatalogue[]): Locale => ({
  tag: pseudoTag,
  direction: 'ltr',
  paths: [],
  catalogues: new Map(english.map(({ name, messages }) => [name, lengthen(messages)])),
})

function lengthen(messages: Messages): Messages {
  const parts = Object.entries(messages).map(([name, value]) => {
    if (!isMessage(value)) return [name, lengthen(value)] as const
    const elements = [literal('⟦'), ...value.elements.map(lengthenElement), literal('⟧')]
    return [name, { text: value.text, elements }] as const
  })
  return Object.fromEntries(parts)
}

const literal = (value: string): MessageFormatElement => ({ type: TYPE.literal, value })

function lengthenElement(element: MessageFormatElement): MessageFormatElement {
  if (element.type === TYPE.literal) return literal(lengthenWords(element.value))
  if (element.type !== TYPE.plural && element.type !== TYPE.select) return element
  const options = Object.entries(element.options).map(
    ([form, option]) => [form, { ...option, value: option.value.map(lengthenElement) }] as const,
  )
  return { ...element, options: Object.fromEntries(options) }
}

const accents: Readonly<Record<string, string>> = {
  a: 'á',
  e: 'ë',
  i: 'ï',
  o: 'ö',
  u: 'ü',
  y: 'ý',
  c: 'ç',
  n: 'ñ',
}

/** Repeats each second vowel twice, which adds about two fifths. */
function lengthenWords(text: string): string {
  let vowels = 0
  return text.replace(/[aeiouycn]/g, (letter) => {
    const accented = accents[letter] ?? letter
    if (!/[aeiou]/.test(letter)) return accented
    vowels += 1
    return accented.repeat(vowels % 2 === 0 ? 3 : 1)
  })
}
