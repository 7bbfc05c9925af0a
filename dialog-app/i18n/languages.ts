/** The languages that the dialog speaks. Each catalogue has to bring all of them, or does not compile. */
export const languages = {
  en: { direction: 'ltr' },
  ar: { direction: 'rtl' },
} as const satisfies { readonly [tag: string]: { readonly direction: 'ltr' | 'rtl' } }

export type Language = keyof typeof languages
export type OtherLanguage = Exclude<Language, 'en'>

const isLanguage = (tag: string): tag is Language => Object.hasOwn(languages, tag)

/** By the language of a tag as `ar-EG`; English for what is not spoken. */
export function languageOf(locale: string | undefined): Language {
  const tag = locale?.split('-')[0]?.toLowerCase() ?? ''
  return isLanguage(tag) ? tag : 'en'
}
