/** In which language a page speaks: the dialog says it in the address, and what it says wrongly is English. */
const directions = { en: 'ltr', ar: 'rtl' } as const
type Language = keyof typeof directions
export type InLanguages<Texts> = { readonly [language in Language]: Texts }

const isLanguage = (text: string): text is Language => Object.hasOwn(directions, text)

export function textsIn<Texts>(search: string, languages: InLanguages<Texts>) {
  const asked = new URLSearchParams(search).get('lang') ?? ''
  const lang = isLanguage(asked) ? asked : 'en'
  return { lang, dir: directions[lang], texts: languages[lang] }
}
