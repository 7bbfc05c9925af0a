/** The languages that the dialog speaks: English, and each that has a file among the locales. */
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

export const directionOf = (language: Language) => languages.get(language) ?? 'ltr'

/** English where no language comes close. */
export const languageOf = (locale: string | undefined): Language =>
  closestLanguage(locale ?? 'en', (tag) => languages.has(tag)) ?? 'en'
