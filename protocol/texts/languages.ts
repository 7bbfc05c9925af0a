/** Languages are BCP 47 tags: English, and each file in `locales/`. */
export type Language = string
export type Direction = 'ltr' | 'rtl'

/** A value for each language, always including English. */
export type InLanguages<T> = { en: T; [tag: Language]: T }

/**
 * Returns the known language closest to a tag, such as `ar` for `ar-EG` and `zh-Hant` for `zh-TW`, or undefined. `pt`
 * resolves to `pt-BR`, by Unicode's likely subtags.
 */
export function closestLanguage(requested: string, isKnown: (tag: string) => boolean): Language | undefined {
  return createCandidateTags(requested).find(isKnown)
}

/** Returns candidates, the closest first. */
function createCandidateTags(requested: string): readonly string[] {
  try {
    const locale = new Intl.Locale(requested)
    const { language, script, region } = locale.maximize()
    return [
      locale.baseName,
      `${language}-${script}-${region}`,
      `${language}-${region}`,
      `${language}-${script}`,
      language,
    ]
  } catch {
    return []
  }
}
