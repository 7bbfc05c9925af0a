// npm run mutants [-- path …]: breaks the code in every small way, one at a time, and asks the tests whether they
// notice. What they do not notice stands in mutants/survivors.tsv, each with its reason. No part of npm test.
// Stryker runs this vitest, but its list of mutators is closed and lacks a left-out `await` and a dropped condition of
// a query, which these tests have to notice.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, say } from '../setup.mjs'
import { folders, inBrowsers, testsOf, wantedShare } from './folders.ts'
import type { Mutant } from './instrument.ts'
import { tryAll } from './try-all.ts'

/** Long ones by their beginning and their end: of a chain of calls the end says which it is. */
const short = (text: string) => {
  const line = text.replaceAll(/\s+/g, ' ')
  return line.length <= 110 ? line : `${line.slice(0, 60)} … ${line.slice(-45)}`
}
const nameOf = ({ file, original, replacement }: Mutant) =>
  [file, short(original), short(replacement) || '(removed)'].join('\t')

/** The names of mutants that may live. */
const known = new Set(
  readFileSync(join(root, 'scripts/mutants/survivors.tsv'), 'utf8')
    .split('\n')
    .slice(1)
    .filter(Boolean)
    .map((line) => line.split('\t').slice(0, 3).join('\t')),
)

const asked = process.argv.slice(2)
const unknown = asked.filter((path) => !testsOf(path))
if (unknown.length > 0) {
  say(`There are no mutants of ${unknown.join(', ')}. Choose from ${Object.keys(folders).join(', ')}.`)
  process.exit(1)
}

let failed = false
for (const path of asked.length > 0 ? asked : Object.keys(folders)) {
  const { mutants, survivors } = await tryAll(path, say)
  const names = new Set(survivors.map(nameOf))
  const unlisted = survivors.filter((survivor) => !known.has(nameOf(survivor)))
  for (const survivor of unlisted) {
    const [file, original, replacement] = nameOf(survivor).split('\t')
    const where = survivor.isMet ? '' : '  (no test runs this line)'
    say(`  ${file}:${survivor.line}: ${original}  →  ${replacement}${where}`)
  }
  const gone = [...known].filter((name) => name.startsWith(`${path}/`) && !names.has(name))
  for (const name of gone) say(`  noticed now, so remove it from the list: ${name}`)
  const share = 1 - survivors.length / mutants.length
  failed ||= share < wantedShare || unlisted.length > 0
  const count = `${mutants.length - survivors.length} of ${mutants.length}`
  for (const file of inBrowsers.filter((file) => file.startsWith(path))) {
    say(`  ${file}: skipped, because only a browser runs it`)
  }
  say(
    `${path}: ${count} noticed (${(100 * share).toFixed(1)} %), ${unlisted.length} not noticed and not in the list`,
  )
}
process.exit(failed ? 1 : 0)
