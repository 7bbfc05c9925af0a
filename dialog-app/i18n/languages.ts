/** The supported languages: English, and each language with a locale file. */
import { closestLanguage, type Direction, type Language } from '@latchkey/protocol/texts'
import { directions } from '@latchkey/protocol/texts/directions'

export type { Language }

export const getDirection = (language: Language): Direction => directions[language] ?? 'ltr'

/** Returns English if no language matches. */
export const toLanguage = (locale: string | undefined): Language =>
  closestLanguage([locale ?? 'en'], (tag) => Object.hasOwn(directions, tag)) ?? 'en'
