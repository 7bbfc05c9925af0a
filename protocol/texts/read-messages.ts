/**
 * Parses texts in ICU MessageFormat, in ARB files of translation tools: JSON with flat keys (`consent.title`). A key
 * that starts with `@` describes the text of the same name to translators.
 */
import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser'

/** The texts of a catalogue: messages, grouped by the parts of their keys. */
export type Messages = { [name: string]: Messages | Message }
export type Message = { text: string; elements: readonly MessageFormatElement[] }
type ArgumentType = 'number' | 'string' | 'string | number'

export const isMessage = (value: Messages | Message): value is Message => Array.isArray(value.elements)

const name = /^[\w$-]+$/

/** Throws with the key of an invalid text. */
export function readMessages(source: unknown): Messages {
  if (typeof source !== 'object' || source === null) throw new Error('is not an object of texts')
  const root: { [name: string]: Messages | Message } = {}
  for (const [key, text] of Object.entries(source)) {
    if (key.startsWith('@')) continue
    const path = key.split('.')
    if (typeof text !== 'string' || !path.every((part) => name.test(part))) {
      throw new Error(`${key} is not a text with a key of words and dots`)
    }
    addMessage(root, path, { text, elements: parseMessage(key, text) })
  }
  return root
}

function addMessage(
  root: { [name: string]: Messages | Message },
  path: readonly string[],
  message: Message,
): void {
  let group = root
  for (const part of path.slice(0, -1)) {
    group[part] ??= {}
    const next = group[part]
    if (isMessage(next)) throw new Error(`${path.join('.')} lies below a text`)
    group = next
  }
  const last = path[path.length - 1] ?? ''
  if (group[last] !== undefined) throw new Error(`${path.join('.')} is a text and a group`)
  group[last] = message
}

function parseMessage(key: string, text: string): MessageFormatElement[] {
  try {
    return parse(text, { ignoreTag: true })
  } catch (error) {
    throw new Error(`${key} is not in ICU MessageFormat`, { cause: error })
  }
}

/** Returns the arguments of a message and their types. */
export function getArguments({ elements }: Message): ReadonlyMap<string, ArgumentType> {
  const argumentTypes = new Map<string, ArgumentType>()
  collect(elements, argumentTypes)
  return argumentTypes
}

function collect(elements: readonly MessageFormatElement[], argumentTypes: Map<string, ArgumentType>): void {
  for (const element of elements) {
    switch (element.type) {
      case TYPE.literal:
      case TYPE.pound:
        break
      case TYPE.argument:
        if (!argumentTypes.has(element.value)) argumentTypes.set(element.value, 'string | number')
        break
      case TYPE.number:
        argumentTypes.set(element.value, 'number')
        break
      case TYPE.plural:
        argumentTypes.set(element.value, 'number')
        for (const { value } of Object.values(element.options)) collect(value, argumentTypes)
        break
      case TYPE.select:
        argumentTypes.set(element.value, 'string')
        for (const { value } of Object.values(element.options)) collect(value, argumentTypes)
        break
      default:
        throw new Error('Dates, times and tags are formatted in code, not in a text')
    }
  }
}

/** Returns the problems of a translation, one per line: missing, extra or mismatched texts. */
export function compareMessages(english: Messages, other: Messages, path = ''): string[] {
  const names = new Set([...Object.keys(english), ...Object.keys(other)])
  return [...names].flatMap((part) => {
    const key = path === '' ? part : `${path}.${part}`
    const [ours, theirs] = [english[part], other[part]]
    if (ours === undefined) return [`${key} is in no English text`]
    if (theirs === undefined) return [`${key} is missing`]
    if (isMessage(ours) && isMessage(theirs)) {
      const englishArguments = getArguments(ours)
      return [...getArguments(theirs).keys()]
        .filter((argument) => !englishArguments.has(argument))
        .map((argument) => `${key} names {${argument}}, which the English text does not have`)
    }
    if (isMessage(ours) || isMessage(theirs))
      return [`${key} is a text in one language and a group in the other`]
    return compareMessages(ours, theirs, key)
  })
}
