/** Texts for a program that runs its sources, such as the server: read when it starts, and in need of no build. */
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { localeFiles, readCatalogue, readTranslations } from './catalogues.ts'
import { createTexts } from './create-texts.ts'
import type { Direction, InLanguages, Language } from './languages.ts'

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const locales = localeFiles(root).map((files) => ({ ...files, translation: readTranslations(root, files) }))

/** Which way each language is written. */
export const directions: InLanguages<Direction> = {
  en: 'ltr',
  ...Object.fromEntries(locales.map(({ tag, direction }) => [tag, direction])),
}

/** Those of a file, by language; `Texts` is the type of that file: `import type { Texts } from './texts.arb'`. */
export function readTexts<Texts>(folder: string, file = 'texts.arb'): (language: Language) => Texts {
  const { name, messages } = readCatalogue(root, relative(root, join(folder, file)))
  const all = new Map<Language, unknown>([
    ['en', createTexts(messages, 'en')],
    ...locales.map(({ tag, translation }) => [tag, createTexts(translation(name), tag, messages)] as const),
  ])
  return (language) => (all.get(language) ?? all.get('en')) as Texts
}

/** What typed data means, in the words of the pages. */
export const readingFolder = join(root, 'protocol/reading')
