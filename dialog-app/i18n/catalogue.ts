/** The texts of one capability or of the shell: English with its code, other languages when they are wanted. */
import type { Language, OtherLanguage } from './languages.ts'

/** The same texts in any language. */
export type Widen<T> = T extends string
  ? string
  : T extends (...args: infer Args) => string
    ? (...args: Args) => string
    : { readonly [Key in keyof T]: Widen<T[Key]> }

export type Catalogue<Texts> = {
  readonly english: Texts
  /** English until the language is loaded. */
  readonly in: (language: Language) => Texts
  readonly isLoaded: (language: Language) => boolean
  /** Never rejects: a language that can not be had is English. */
  readonly load: (language: Language) => Promise<void>
}

export function catalogue<Texts>(
  english: Texts,
  others: { readonly [Tag in OtherLanguage]: () => Promise<Texts> },
): Catalogue<Texts> {
  const loaded = new Map<Language, Texts>([['en', english]])
  return {
    english,
    in: (language) => loaded.get(language) ?? english,
    isLoaded: (language) => loaded.has(language),
    async load(language) {
      if (language === 'en' || loaded.has(language)) return
      loaded.set(language, await others[language]().catch(() => english))
    },
  }
}
