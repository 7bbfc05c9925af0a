/** Writes the types of all texts, where the compiler looks beside the sources (`rootDirs` of tsconfig.json). */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { englishCatalogues, problemsOf, readLocales } from './catalogues.ts'
import { typeOf } from './compile.ts'

const dialog = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const types = join(dirname(dialog), '.cache', 'types', 'dialog-app')

/** What is wrong with the texts; types are written all the same, so that the compiler says the rest. */
export function writeTypes(): readonly string[] {
  const english = englishCatalogues(dialog)
  const locales = readLocales(dialog)
  rmSync(types, { recursive: true, force: true })
  for (const { path, messages } of english) {
    const toCatalogue = relative(dirname(path), 'i18n/catalogue.ts')
    write(
      path.replace(/\.arb$/, '.d.arb.ts'),
      `import type { Catalogue } from ${JSON.stringify(toCatalogue.startsWith('.') ? toCatalogue : `./${toCatalogue}`)}
export type Texts = ${typeOf(messages)}
export declare const english: Texts
export declare const texts: Catalogue<Texts>
`,
    )
  }
  return problemsOf(english, locales)
}

function write(path: string, text: string): void {
  const file = join(types, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const problems = writeTypes()
  for (const line of problems) console.error(line)
  process.exitCode = problems.length > 0 ? 1 : 0
}
