/** The languages that the dialog speaks: English, and each that has a file in `locales/`, named by its BCP 47 tag. */
export type Language = string

type Direction = 'ltr' | 'rtl'

const directions = import.meta.glob<Direction>('./locales/*.arb', {
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

/** The one that comes closest to a tag, as `ar` to `ar-EG` and `zh-Hant` to `zh-TW`; English where none does. */
export function languageOf(locale: string | undefined): Language {
  return tagsLike(locale ?? 'en').find((tag) => languages.has(tag)) ?? 'en'
}

/** From the closest on. Whoever asks for `pt` is taken to mean `pt-BR`, as the likely subtags of Unicode have it. */
function tagsLike(locale: string): readonly string[] {
  try {
    const asked = new Intl.Locale(locale)
    const { language, script, region } = asked.maximize()
    return [
      asked.baseName,
      `${language}-${script}-${region}`,
      `${language}-${region}`,
      `${language}-${script}`,
      language,
    ]
  } catch {
    return []
  }
}
