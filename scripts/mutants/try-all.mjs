// Which mutants of a folder its tests do not notice.

import { folders } from './folders.mjs'
import { mutantsOf, openSession } from './session.mjs'

/** So many mutants a run: one that stops it costs no more than these. */
const AT_ONCE = 100
const LONGEST_ALONE_MS = 60_000

const hasFailed = ({ testModules, unhandledErrors }) =>
  unhandledErrors.length > 0 || testModules.some((module) => !module.ok())

/** Of a run without a mutant, which should have none. */
const failuresOf = ({ testModules, unhandledErrors }) => [
  ...unhandledErrors,
  ...testModules.flatMap((module) => [
    ...module.errors(),
    ...[...module.children.allTests('failed')].flatMap((test) => [test.fullName, ...test.result().errors]),
  ]),
]

/** The first run is slow, since everything is transformed in it, and a busy machine may make a test late. */
async function look(session, tries = 3) {
  const result = await session.run({ mode: 'look' })
  if (result && !hasFailed(result)) return result.testModules.map(filesMeetings)
  if (tries > 1) return look(session, tries - 1)
  console.error(result && failuresOf(result))
  throw new Error('The tests fail without a mutant')
}

const filesMeetings = (module) => ({
  file: module.moduleId,
  metOutside: module.meta().mutants?.metOutside ?? [],
  tests: [...module.children.allTests()].map((test) => ({ id: test.id, met: test.meta().mutants ?? [] })),
})

const planOf = (tests, wanted) =>
  Object.fromEntries(
    tests
      .map(({ id, met }) => [id, met.filter((one) => wanted.has(one))])
      .filter(([, { length }]) => length > 0),
  )

/** Those that the tests of the file noticed, and those that have to be tried one by one. */
async function tryInFile(session, { file, tests }, wanted) {
  const noticed = new Set()
  let plan = planOf(tests, wanted)
  while (Object.keys(plan).length > 0) {
    const result = await session.run({ mode: 'try', plan }, { file })
    const outcome = result?.testModules[0]?.meta().mutants
    if (outcome === undefined) return { noticed, alone: [...wanted].filter((one) => !noticed.has(one)) }
    for (const one of outcome.noticed) noticed.add(one)
    const next = planOf(
      Object.entries(outcome.left).map(([id, met]) => ({ id, met })),
      new Set([...wanted].filter((one) => !noticed.has(one))),
    )
    // A file that ends before it got anywhere would do so again.
    if (outcome.isClean || JSON.stringify(next) === JSON.stringify(plan)) break
    plan = next
  }
  return { noticed, alone: [] }
}

async function isNoticedAlone(session, mutant, files) {
  for (const file of files) {
    const result = await session.run(
      { mode: 'from-the-start', mutant },
      { file, longestMs: LONGEST_ALONE_MS },
    )
    if (result === undefined || hasFailed(result)) return true
  }
  return false
}

const inGroups = (all, size) =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, at) => all.slice(at * size, (at + 1) * size))

export async function tryAll(folder, say) {
  const { mutants, codes } = mutantsOf(folder)
  const session = await openSession(codes, folders[folder])
  const files = await look(session)
  const noticed = new Set()
  const alone = new Map()
  const tryAlone = (mutant, file) => alone.set(mutant, [...(alone.get(mutant) ?? []), file])

  for (const one of files) {
    const met = new Set(one.tests.flatMap((test) => test.met))
    for (const group of inGroups(
      [...met].filter((mutant) => !noticed.has(mutant)),
      AT_ONCE,
    )) {
      const outcome = await tryInFile(session, one, new Set(group))
      for (const mutant of outcome.noticed) noticed.add(mutant)
      for (const mutant of outcome.alone) tryAlone(mutant, one.file)
    }
    for (const mutant of one.metOutside) tryAlone(mutant, one.file)
    say(`  ${folder}: ${noticed.size} of ${mutants.length} noticed after ${one.file.split('/').at(-1)}`)
  }
  for (const [mutant, where] of alone) {
    if (!noticed.has(mutant) && (await isNoticedAlone(session, mutant, where))) noticed.add(mutant)
  }
  await session.close()

  const met = new Set(
    files.flatMap(({ metOutside, tests }) => [...metOutside, ...tests.flatMap((test) => test.met)]),
  )
  const survivors = mutants
    .filter(({ id }) => !noticed.has(id))
    .map((mutant) => ({ ...mutant, isMet: met.has(mutant.id) }))
  return { mutants, survivors }
}
