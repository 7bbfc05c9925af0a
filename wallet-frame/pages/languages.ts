/** The language of a page: the dialog names it in the URL, and an unknown name means English. */
import { type Catalogue, closestLanguage, type Language } from '@latchkey/protocol/texts'
import { directions } from '@latchkey/protocol/texts/directions'

export type PageTexts<Texts> = {
  own: Catalogue<unknown>
  /** The catalogues of the parts of the page. */
  parts: Catalogue<unknown>[]
  in: (language: Language) => Texts
}

/** Loads the texts of a page. If its own texts are in English only, so are those of its parts. */
export async function loadTexts<Texts>(search: string, page: PageTexts<Texts>) {
  const { lang: requested } = selectLanguage(search)
  await Promise.all([page.own, ...page.parts].map((catalogue) => catalogue.load(requested)))
  const lang = page.own.in(requested) === page.own.english ? 'en' : requested
  return { lang, dir: getDirection(lang), texts: page.in(lang) }
}

export function selectLanguage(search: string) {
  const requested = new URLSearchParams(search).get('lang') ?? ''
  const lang = closestLanguage([requested], (tag) => Object.hasOwn(directions, tag)) ?? 'en'
  return { lang, dir: getDirection(lang) }
}

const getDirection = (language: Language) => directions[language] ?? 'ltr'
