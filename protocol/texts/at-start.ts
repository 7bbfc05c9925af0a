/** Reads texts at start-up, for programs that run from source, such as the server. */
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { localeFiles, readCatalogue, readTranslations } from './catalogues.ts'
import { createTexts } from './create-texts.ts'
import type { Language } from './languages.ts'
import { withoutUnreviewed } from './reviews.ts'

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const locales = localeFiles(root).map((files) => ({ ...files, translation: readTranslations(root, files) }))

/**
 * Reads a texts file and returns its texts by language. `Texts` is the generated type: `import type { Texts } from
 * './texts.arb'`.
 */
export function readTexts<Texts>(folder: string, file = 'texts.arb'): (language: Language) => Texts {
  const { name, messages } = readCatalogue(root, relative(root, join(folder, file)))
  const all = new Map<Language, unknown>([
    ['en', createTexts(messages, 'en')],
    ...locales.map(({ tag, translation }) => {
      const visible = withoutUnreviewed(tag, name, messages, translation(name))
      return [tag, createTexts(visible, tag, messages)] as const
    }),
  ])
  return (language) => (all.get(language) ?? all.get('en')) as Texts
}

/** The folder with the texts that describe typed data. */
export const readingFolder = join(root, 'protocol/reading')
