/** Languages of server-rendered pages and mails: those of the dialog. */
import { closestLanguage, type Direction, type Language } from '@latchkey/protocol/texts'
import { directions } from '@latchkey/protocol/texts/directions'

export type { Language }

export const languages: Language[] = Object.keys(directions)

export const getDirection = (language: Language): Direction => directions[language] ?? 'ltr'

export const isLanguage = (tag: string): boolean => Object.hasOwn(directions, tag)

/**
 * Returns the supported language that best fits `Accept-Language`, or English. For pages the browser sends the header; for
 * API calls the dialog sends its own language.
 */
export function negotiateLanguage(accepted: string | undefined): Language {
  if (accepted === undefined) return 'en'
  const tags = accepted.split(',').map((each) => each.trim().split(';')[0] ?? '')
  return closestLanguage(tags, isLanguage) ?? 'en'
}
