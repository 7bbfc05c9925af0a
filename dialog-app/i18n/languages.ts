/** The supported languages: English, and each language with a locale file. */
import { closestLanguage, type Direction, type Language } from '@latchkey/protocol/texts'

export type { Language }

const directions = import.meta.glob<Direction>('../../protocol/texts/locales/*.arb', {
  query: '?direction',
  import: 'default',
  eager: true,
})

const languages: ReadonlyMap<Language, Direction> = new Map([
  ['en', 'ltr'],
  ...Object.entries(directions).map(
    ([path, direction]) => [path.replace(/^.*\/|\.arb$/g, ''), direction] as const,
  ),
])

export const getDirection = (language: Language) => languages.get(language) ?? 'ltr'

/** Returns English if no language matches. */
export const toLanguage = (locale: string | undefined): Language =>
  closestLanguage(locale ?? 'en', (tag) => languages.has(tag)) ?? 'en'
