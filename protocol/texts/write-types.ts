/** Writes the types of all texts, where the compiler finds them next to the sources (`rootDirs` of tsconfig.json). */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type EnglishCatalogue, englishCatalogues, findProblems, readLocales } from './catalogues.ts'
import { createTypeText } from './compile.ts'

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const types = join(root, '.cache', 'types')

/**
 * Writes the types and returns the problems of the texts. Types are written in any case, so that the compiler reports
 * errors too.
 */
export function writeTypes(): readonly string[] {
  const english = englishCatalogues(root)
  rmSync(types, { recursive: true, force: true })
  for (const one of english) write(one.path.replace(/\.arb$/, '.d.arb.ts'), createDeclaration(one))
  const shared = english.filter(({ path }) => path.startsWith('protocol/'))
  write('packages.d.ts', shared.map(createModuleDeclaration).join('\n'))
  return findProblems(english, readLocales(root))
}

/**
 * Returns the declaration of a texts file. Built packages get the exports of `texts.config.ts`; the server only gets
 * the type.
 */
function createDeclaration({ path, messages }: EnglishCatalogue): string {
  const texts = `export type Texts = ${createTypeText(messages)}\n`
  if (path.startsWith('dialog-app/') || path.startsWith('wallet-frame/')) {
    return `import type { Catalogue } from '@latchkey/protocol/texts'
${texts}export declare const english: Texts
export declare const texts: Catalogue<Texts>
`
  }
  return texts
}

/** Returns the module declaration for other packages, where the compiler does not use `rootDirs`. */
function createModuleDeclaration({ path, messages }: EnglishCatalogue): string {
  return `declare module '${path.replace(/^protocol/, '@latchkey/protocol')}' {
  import type { Catalogue } from '@latchkey/protocol/texts'
  type Texts = ${createTypeText(messages)}
  export const texts: Catalogue<Texts>
}
`
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
