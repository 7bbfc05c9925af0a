/** Compiles texts to code, so that no message parser is shipped. */
import { type MessageFormatElement, TYPE } from '@formatjs/icu-messageformat-parser'
import { getArguments, isMessage, type Message, type Messages } from './read-messages.ts'

/** The functions of `say.ts` that compiled texts use. */
export const runtime = ['number', 'plural', 'select'] as const

/**
 * Returns an object expression of strings, and of functions for texts with arguments. A translation has the shape of
 * the English text, even if it uses fewer arguments.
 */
export function compile(messages: Messages, language: string, english: Messages = messages): string {
  const parts = Object.entries(english).map(([part, like]) => {
    const value = messages[part]
    if (value === undefined) throw new Error(`${part} is missing`)
    const code = isMessage(value)
      ? compileMessage(value, language, isMessage(like) ? like : value)
      : compile(value, language, isMessage(like) ? value : like)
    return `${JSON.stringify(part)}: ${code}`
  })
  return `{ ${parts.join(', ')} }`
}

function compileMessage(message: Message, language: string, english: Message): string {
  if (getArguments(english).size === 0) return JSON.stringify(literal(message.elements))
  const names = [...getArguments(message).keys()]
  const values = names.length === 0 ? '' : `{ ${names.join(', ')} }`
  return `(${values}) => ${template(message.elements, language)}`
}

const literal = (elements: readonly MessageFormatElement[]) =>
  elements.map((element) => (element.type === TYPE.literal ? element.value : '')).join('')

function template(elements: readonly MessageFormatElement[], language: string, counted = ''): string {
  const parts = elements.map((element) => {
    switch (element.type) {
      case TYPE.literal:
        return element.value.replace(/[\\`]|\$(?=\{)/g, String.raw`\$&`)
      case TYPE.argument:
        return `\${${element.value}}`
      case TYPE.number:
        return `\${number(${JSON.stringify(language)}, ${element.value})}`
      case TYPE.pound:
        return `\${number(${JSON.stringify(language)}, ${counted})}`
      case TYPE.plural: {
        if (element.offset !== 0 || element.pluralType !== 'cardinal') {
          throw new Error('Plurals are cardinal and have no offset')
        }
        const forms = compileOptions(element, language, element.value)
        return `\${plural(${JSON.stringify(language)}, ${element.value}, ${forms})}`
      }
      case TYPE.select:
        return `\${select(${element.value}, ${compileOptions(element, language, counted)})}`
      default:
        throw new Error('Dates, times and tags are formatted in code, not in a text')
    }
  })
  return `\`${parts.join('')}\``
}

function compileOptions(
  { options }: { options: Readonly<Record<string, { value: MessageFormatElement[] }>> },
  language: string,
  counted: string,
): string {
  const forms = Object.entries(options).map(
    ([form, { value }]) => `${JSON.stringify(form)}: ${template(value, language, counted)}`,
  )
  return `{ ${forms.join(', ')} }`
}

/** Returns the TypeScript type of the compiled texts. */
export function createTypeText(messages: Messages): string {
  const parts = Object.entries(messages).map(([part, value]) => {
    const type = isMessage(value) ? createMessageType(value) : createTypeText(value)
    return `readonly ${JSON.stringify(part)}: ${type}`
  })
  return `{ ${parts.join('; ')} }`
}

function createMessageType(message: Message): string {
  const values = [...getArguments(message)].map(([argument, type]) => `readonly ${argument}: ${type}`)
  return values.length === 0 ? 'string' : `(values: { ${values.join('; ')} }) => string`
}
