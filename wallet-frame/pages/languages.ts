/** The language of a page: the dialog names it in the URL, and an unknown name means English. */
import type { Direction, InLanguages } from '@latchkey/protocol/texts'

type InLanguage<Texts> = { direction: Direction; texts: Texts }
/** The texts of a file in each language: `import { languages } from './texts.arb'`. */
export type Languages<Texts> = InLanguages<InLanguage<Texts>>

export type TextsIn<L extends Languages<unknown>> = L['en']['texts']

export function selectTexts<Texts>(search: string, languages: Languages<Texts>) {
  const requested = new URLSearchParams(search).get('lang') ?? ''
  const lang = Object.hasOwn(languages, requested) ? requested : 'en'
  const { direction: dir, texts } = languages[lang] ?? languages.en
  return { lang, dir, texts }
}

/** Combines the texts of a page with those of its parts. Each translation is complete. */
export function combine<One, Other, Whole>(
  one: Languages<One>,
  other: Languages<Other>,
  whole: (one: One, other: Other, language: string) => Whole,
): Languages<Whole> {
  const combined = (tag: string): InLanguage<Whole> => {
    const { direction, texts } = one[tag] ?? one.en
    return { direction, texts: whole(texts, (other[tag] ?? other.en).texts, tag) }
  }
  return { ...Object.fromEntries(Object.keys(one).map((tag) => [tag, combined(tag)])), en: combined('en') }
}
