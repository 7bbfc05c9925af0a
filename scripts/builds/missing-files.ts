import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'

/** The condition resolves only inside this repository. */
const ownCondition = 'latchkey-source'
const relativeImport = /(?:from|import)\s*\(?\s*['"](\.{1,2}\/[^'"]+)['"]/g

/** Returns every file that `exports` or `bin` names. */
const targets = (entry: unknown): string[] => {
  if (typeof entry === 'string') return [entry]
  return Object.entries(Object(entry)).flatMap(([name, value]) =>
    name === ownCondition ? [] : targets(value),
  )
}

/**
 * Returns the relative imports of a file. Imports in a declaration refer to the declaration beside the script.
 */
const listImports = (file: string): string[] => {
  if (!/\.[jt]s$/.test(file)) return []
  const isDeclaration = file.endsWith('.d.ts')
  return [...readFileSync(file, 'utf8').matchAll(relativeImport)].map(([, specifier = '']) =>
    join(dirname(file), isDeclaration ? specifier.replace(/\.[jt]s$/, '.d.ts') : specifier),
  )
}

/** Returns the missing files of a package: targets of its manifest, and relative imports of present files. */
export function missingFiles(folder: string): string[] {
  const { exports, bin, files = [] } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const listed = files.filter((name: string) => !name.startsWith('!'))
  const needed = new Set(
    [...listed, ...targets(exports), ...targets(bin)].map((path) => resolve(folder, path)),
  )
  const missing: string[] = []
  // The loop also visits files that are added during it.
  for (const file of needed) {
    if (!existsSync(file)) missing.push(relative(folder, file))
    else if (statSync(file).isFile()) for (const imported of listImports(file)) needed.add(imported)
  }
  return missing
}
