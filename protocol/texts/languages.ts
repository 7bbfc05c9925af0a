/** Languages are named by BCP 47 tags: English, and each that has a file in `locales/`. */
export type Language = string
export type Direction = 'ltr' | 'rtl'

/** A thing for each language that there is, English always among them. */
export type InLanguages<T> = { en: T; [tag: Language]: T }

/**
 * The one of `known` that comes closest to a tag, as `ar` to `ar-EG` and `zh-Hant` to `zh-TW`; undefined where none
 * does. A reader of `pt` is taken to read `pt-BR`, as the likely subtags of Unicode have it.
 */
export function closestLanguage(asked: string, isKnown: (tag: string) => boolean): Language | undefined {
  return tagsLike(asked).find(isKnown)
}

/** The closest one first. */
function tagsLike(asked: string): readonly string[] {
  try {
    const locale = new Intl.Locale(asked)
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
