/** The texts of one folder. English is bundled; other languages load on demand. */
import type { Language } from './languages.ts'

export type Catalogue<Texts> = {
  english: Texts
  /** Returns English until the language is loaded, and if it has no translation. */
  in: (language: Language) => Texts
  isLoaded: (language: Language) => boolean
  /** Never rejects. Falls back to English if the language cannot be loaded. */
  load: (language: Language) => Promise<void>
}

export function catalogue<Texts>(
  english: Texts,
  loadTranslation: (language: Language) => Promise<Texts | undefined>,
): Catalogue<Texts> {
  const loaded = new Map<Language, Texts>([['en', english]])
  return {
    english,
    in: (language) => loaded.get(language) ?? english,
    isLoaded: (language) => loaded.has(language),
    async load(language) {
      if (language === 'en' || loaded.has(language)) return
      loaded.set(language, (await loadTranslation(language).catch(() => undefined)) ?? english)
    },
  }
}
