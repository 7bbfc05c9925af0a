/**
 * Creates texts at run time, for programs that can load the message parser, such as the server. Equivalent to the code
 * of `compile`.
 */
import { type MessageFormatElement, TYPE } from '@formatjs/icu-messageformat-parser'
import { getArguments, isMessage, type Message, type Messages } from './read-messages.ts'
import { number, plural, select } from './say.ts'

type Values = Readonly<Record<string, string | number>>
type Text = string | ((values: Values) => string)
export type TextsObject = { [name: string]: Text | TextsObject }

/** A translation has the shape of the English text, even if it uses fewer arguments. */
export function createTexts(messages: Messages, language: string, english: Messages = messages): TextsObject {
  const parts = Object.entries(english).map(([part, like]) => {
    const value = messages[part]
    if (value === undefined) throw new Error(`${part} is missing`)
    return [
      part,
      isMessage(value)
        ? createText(value, language, isMessage(like) ? like : value)
        : createTexts(value, language, isMessage(like) ? value : like),
    ] as const
  })
  return Object.fromEntries(parts)
}

function createText({ elements }: Message, language: string, english: Message): Text {
  if (getArguments(english).size === 0) return format(elements, language, {})
  return (values) => format(elements, language, values)
}

function format(
  elements: readonly MessageFormatElement[],
  language: string,
  values: Values,
  counted?: number,
): string {
  const getValue = (name: string) => values[name] ?? ''
  const parts = elements.map((element) => {
    switch (element.type) {
      case TYPE.literal:
        return element.value
      case TYPE.argument:
        return String(getValue(element.value))
      case TYPE.number:
        return number(language, Number(getValue(element.value)))
      case TYPE.pound:
        return number(language, counted ?? Number.NaN)
      case TYPE.plural: {
        const count = Number(getValue(element.value))
        return plural(language, count, formatOptions(element.options, language, values, count))
      }
      case TYPE.select: {
        const forms = formatOptions(element.options, language, values, counted)
        return select(String(getValue(element.value)), forms)
      }
      default:
        throw new Error('Dates, times and tags are formatted in code, not in a text')
    }
  })
  return parts.join('')
}

type Options = Readonly<Record<string, { value: readonly MessageFormatElement[] }>>

function formatOptions(options: Options, language: string, values: Values, counted: number | undefined) {
  const forms = Object.entries(options).map(
    ([form, { value }]) => [form, format(value, language, values, counted)] as const,
  )
  return { other: '', ...Object.fromEntries(forms) }
}
