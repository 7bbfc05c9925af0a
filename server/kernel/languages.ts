/** The languages in which people read what the server writes, in windows and in mails: those of the dialog. */
import { closestLanguage, type Direction, type Language } from '@latchkey/protocol/texts'
import { directions } from '@latchkey/protocol/texts/at-start'

export type { Language }

export const directionOf = (language: Language): Direction => directions[language] ?? 'ltr'

export const isLanguage = (tag: string): boolean => Object.hasOwn(directions, tag)

/**
 * The first language of `Accept-Language` that there is. For a page browsers say in it what their person reads, and for
 * a call the dialog what it speaks.
 */
export function languageOf(accepted: string | undefined): Language {
  if (accepted === undefined) return 'en'
  const tags = accepted.split(',').map((each) => each.trim().split(';')[0] ?? '')
  for (const tag of tags) {
    const language = closestLanguage(tag, isLanguage)
    if (language !== undefined) return language
  }
  return 'en'
}
