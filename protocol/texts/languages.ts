/** Languages are BCP 47 tags: English, and each file in `locales/`. */
export type Language = string
export type Direction = 'ltr' | 'rtl'

/** A value for each language, always including English. */
export type InLanguages<T> = { en: T; [tag: Language]: T }

/**
 * Returns the known language that best fits the requested tags, which are in order of preference, or undefined. A tag
 * matches exactly, then by its language, then by the region where most readers of its script live: `ar-EG` resolves to
 * `ar`, `pt-PT` to `pt-BR`, and `zh-Hans-SG` to `zh-CN`. Like CLDR's language matching, `zh-TW` resolves to `zh-CN` only
 * if no requested tag has a match in its own script.
 */
export function closestLanguage(
  requested: string[],
  isKnown: (tag: string) => boolean,
): Language | undefined {
  const candidates = requested.flatMap(createCandidateTags)
  const inOtherScript = candidates.includes('zh') ? ['zh-CN'] : []
  return [...candidates, ...inOtherScript].find(isKnown)
}

/** Returns candidates, the closest first. */
function createCandidateTags(requested: string): string[] {
  try {
    const locale = new Intl.Locale(requested)
    const { language, script, region } = locale.maximize()
    return [
      locale.baseName,
      `${language}-${script}-${region}`,
      `${language}-${region}`,
      `${language}-${script}`,
      language,
      `${language}-${new Intl.Locale(`${language}-${script}`).maximize().region}`,
    ]
  } catch {
    return []
  }
}
