// npm run mutants [-- folder …]: breaks the code in every small way, one at a time, and asks the tests whether they
// notice. What they do not notice stands in mutants/survivors.tsv, each with its reason. No part of npm test.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { folders, wantedShare } from './mutants/folders.mjs'
import { root, say, setUp } from './setup.mjs'

await setUp()
const { mutantsOf, openSession } = await import('./mutants/session.mjs')

const short = (text) => text.replaceAll(/\s+/g, ' ').slice(0, 100)
const nameOf = ({ file, original, replacement }) =>
  [file, short(original), short(replacement) || '(removed)'].join('\t')

/** Names and reasons of mutants that may live. */
const known = new Map(
  readFileSync(join(root, 'scripts/mutants/survivors.tsv'), 'utf8')
    .split('\n')
    .slice(1)
    .filter(Boolean)
    .map((line) => [line.split('\t').slice(0, 3).join('\t'), line.split('\t')[3]]),
)

/** Of a run without a mutant, which should have none. */
const failuresOf = ({ testModules, unhandledErrors }) => [
  ...unhandledErrors,
  ...testModules.flatMap((module) => [
    ...module.errors(),
    ...[...module.children.allTests('failed')].flatMap((test) => [test.fullName, ...test.result().errors]),
  ]),
]

const hasFailed = ({ testModules, unhandledErrors }) =>
  unhandledErrors.length > 0 || testModules.some((module) => !module.ok())

/** Who meets which mutant: tests by id, and the files all of whose tests do because it is met while they load. */
function meetings({ testModules }) {
  const met = new Map()
  const meet = (id, file, test) => {
    const files = met.get(id) ?? new Map()
    files.set(file, [...(files.get(file) ?? []), ...test])
    met.set(id, files)
  }
  for (const module of testModules) {
    const tests = [...module.children.allTests()]
    for (const id of module.meta().mutants ?? []) {
      meet(
        id,
        module.moduleId,
        tests.map(({ id }) => id),
      )
    }
    for (const test of tests) for (const id of test.meta().mutants ?? []) meet(id, module.moduleId, [test.id])
  }
  return met
}

/** The first run is slow, since everything is transformed in it, and a busy machine may make a test late. */
async function passingRun(session, tries = 3) {
  const result = await session.run({})
  if (result && !hasFailed(result)) return result
  if (tries > 1) return passingRun(session, tries - 1)
  console.error(result && failuresOf(result))
  throw new Error('The tests fail without a mutant')
}

async function isNoticed(session, id, files) {
  for (const [file, tests] of files) {
    const result = await session.run({ active: id, files: [file], tests })
    if (result === undefined || hasFailed(result)) return true
  }
  return false
}

async function tryAll(folder) {
  const { mutants, codes } = mutantsOf(folder)
  const session = await openSession(codes, folders[folder])
  const met = meetings(await passingRun(session))
  const survivors = []
  for (const [index, mutant] of mutants.entries()) {
    const files = met.get(mutant.id)
    if (!files || !(await isNoticed(session, mutant.id, files))) {
      survivors.push({ ...mutant, isMet: files !== undefined })
    }
    if (index % 100 === 99)
      say(`  ${folder}: ${index + 1} of ${mutants.length}, ${survivors.length} not noticed`)
  }
  await session.close()
  return { folder, mutants, survivors }
}

const asked = process.argv.slice(2)
const unknown = asked.filter((folder) => !(folder in folders))
if (unknown.length > 0) {
  say(`There is no ${unknown.join(', ')}. Folders: ${Object.keys(folders).join(', ')}`)
  process.exit(1)
}

let failed = false
for (const folder of asked.length > 0 ? asked : Object.keys(folders)) {
  const { mutants, survivors } = await tryAll(folder)
  const names = new Set(survivors.map(nameOf))
  for (const survivor of survivors.filter((one) => !known.has(nameOf(one)))) {
    const { file, line, isMet } = survivor
    const [, original, replacement] = nameOf(survivor).split('\t')
    say(`  ${file}:${line}: ${original}  →  ${replacement}${isMet ? '' : '  (no test gets here)'}`)
  }
  const gone = [...known.keys()].filter((name) => name.startsWith(`${folder}/`) && !names.has(name))
  for (const name of gone) say(`  noticed by now, take it out of the list: ${name}`)
  const caught = mutants.length - survivors.length
  const share = caught / mutants.length
  const unlisted = survivors.some((one) => !known.has(nameOf(one)))
  failed ||= share < wantedShare || unlisted
  say(`${folder}: ${caught} of ${mutants.length} noticed (${(100 * share).toFixed(1)} %)`)
}
process.exit(failed ? 1 : 0)
