// Which mutants of a folder its tests do not notice.

import { dirname } from 'node:path'
import type { TestModule } from 'vitest/node'
import type { Plan } from './asked.ts'
import { testsOf } from './folders.ts'
import { mutantsOf, openSession, type RunResult, type Session } from './session.ts'

/** So many runs beside each other: most mutants make a test wait, which costs nothing but time. */
const LANES = 4
/** So many mutants a run: one that stops it costs no more than these. */
const AT_ONCE = 25
/** From one mutant to the next, and for a run of one alone, which is silent until its end. */
const PATIENCE_MS = { next: 15_000, alone: 90_000 }
/** Many a mutant makes a test wait for what never comes. A file that is slow without one gets a multiple of that. */
const TEST_TIMEOUT_MS = { least: 4_000, most: 15_000 }
const PATIENCE_FACTOR = 5

const hasFailed = ({ testModules, unhandledErrors }: RunResult) =>
  unhandledErrors.length > 0 || testModules.some((module) => !module.ok())

const messageOf = (failure: unknown) =>
  typeof failure === 'object' && failure !== null && 'message' in failure ? String(failure.message) : ''

/** Of a run without a mutant, which should have none. */
const failuresOf = ({ testModules, unhandledErrors }: RunResult): readonly unknown[] => [
  ...unhandledErrors,
  ...testModules.flatMap((module) => [
    ...module.errors(),
    ...[...module.children.allTests('failed')].flatMap((test) => [
      test.fullName,
      ...(test.result().errors ?? []),
    ]),
  ]),
]

/**
 * The files, quick ones first. The first run is slow, since everything is transformed in it, and a busy machine may
 * make a test late.
 */
async function look(session: Session, tries = 3): Promise<readonly FileTried[]> {
  const result = await session.run({ mode: 'look', timeoutMs: 60_000 })
  if (result && !hasFailed(result)) {
    return result.testModules
      .toSorted((one, other) => one.diagnostic().duration - other.diagnostic().duration)
      .map(filesMeetings)
  }
  if (tries > 1) return look(session, tries - 1)
  console.error(result && failuresOf(result))
  throw new Error('The tests fail without a mutant')
}

type Meeting = { readonly id: string; readonly met: readonly number[] }
type FileTried = {
  readonly file: string
  readonly timeoutMs: number
  readonly metOutside: readonly number[]
  readonly tests: readonly Meeting[]
}

function filesMeetings(module: TestModule): FileTried {
  const tests = [...module.children.allTests()]
  const slowestMs = Math.max(...tests.map((test) => test.diagnostic()?.duration ?? 0))
  return {
    file: module.moduleId,
    timeoutMs: Math.min(
      TEST_TIMEOUT_MS.most,
      Math.max(TEST_TIMEOUT_MS.least, Math.ceil(PATIENCE_FACTOR * slowestMs)),
    ),
    metOutside: module.meta().outcome?.metOutside ?? [],
    tests: tests.map((test) => ({ id: test.id, met: test.meta().mutants ?? [] })),
  }
}

const planOf = (tests: readonly Meeting[], wanted: ReadonlySet<number>): Plan =>
  Object.fromEntries(
    tests
      .map(({ id, met }) => [id, met.filter((one) => wanted.has(one))] as const)
      .filter(([, { length }]) => length > 0),
  )

/** Those that the tests of the file noticed, and those that have to be tried one by one. */
async function tryInFile(
  session: Session,
  { file, timeoutMs, tests }: FileTried,
  wanted: ReadonlySet<number>,
) {
  const noticed = new Set<number>()
  const notMet = new Set<number>()
  const rest = () => [...wanted].filter((one) => !noticed.has(one))
  let plan = planOf(tests, wanted)
  while (Object.keys(plan).length > 0) {
    const result = await session.run(
      { mode: 'try', timeoutMs, plan },
      { file, patienceMs: PATIENCE_MS.next + timeoutMs },
    )
    const outcome = result ? result.testModules[0]?.meta().outcome : session.lastProgress()
    if (outcome === undefined) return { noticed, alone: rest() }
    for (const one of outcome.noticed) noticed.add(one)
    for (const one of outcome.notMet) notMet.add(one)
    // Where a run did not end, it is this one's doing.
    if (outcome.active !== undefined) noticed.add(outcome.active)
    const next = planOf(
      Object.entries(outcome.left).map(([id, met]) => ({ id, met })),
      new Set(rest()),
    )
    if (outcome.isClean) break
    // A file that ends before it got anywhere would do so again.
    if (JSON.stringify(next) === JSON.stringify(plan)) return { noticed, alone: rest() }
    plan = next
  }
  return { noticed, alone: [...notMet].filter((one) => !noticed.has(one)) }
}

async function isNoticedAlone(session: Session, mutant: number, files: readonly FileTried[]) {
  for (const one of files) {
    const outcome = await outcomeAlone(session, mutant, one)
    if (outcome === 'failed') return true
    // Asked again, since a busy machine may make a test late.
    if (outcome === 'late' && (await outcomeAlone(session, mutant, one)) !== 'passed') return true
  }
  return false
}

async function outcomeAlone(session: Session, mutant: number, { file, timeoutMs }: FileTried) {
  const asked = { mode: 'from-the-start', timeoutMs, mutant } as const
  const result = await session.run(asked, { file, patienceMs: PATIENCE_MS.alone })
  if (result && !hasFailed(result)) return 'passed'
  const isLate = !result || failuresOf(result).some((failure) => /timed out/i.test(messageOf(failure)))
  return isLate ? 'late' : 'failed'
}

/** Tests of the same folder know best. */
const byDistanceTo = (source: string) => {
  const distance = ({ file }: FileTried) => (file.includes(`/${dirname(source)}/`) ? 0 : 1)
  return (one: FileTried, other: FileTried) => distance(one) - distance(other)
}

/** Each lane takes the next job when it is done with one. */
async function inLanes<Job>(
  lanes: readonly Session[],
  jobs: readonly Job[],
  work: (lane: Session, job: Job) => Promise<void>,
) {
  const left = [...jobs]
  const walk = async (lane: Session) => {
    for (let job = left.shift(); job !== undefined; job = left.shift()) await work(lane, job)
  }
  await Promise.all(lanes.map(walk))
}

const inGroups = <Item>(all: readonly Item[], size: number) =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, at) => all.slice(at * size, (at + 1) * size))

export async function tryAll(path: string, say: (text: string) => void) {
  const { mutants, codes } = mutantsOf(path)
  const tests = testsOf(path) ?? [path]
  const lanes = await Promise.all(Array.from({ length: LANES }, () => openSession(codes, tests)))
  const [first] = lanes
  if (first === undefined) throw new Error('There is no lane to look in')
  const files = await look(first)
  const noticed = new Set<number>()
  const alone = new Map<number, readonly FileTried[]>()
  const tryAlone = (mutant: number, file: FileTried) =>
    alone.set(mutant, [...(alone.get(mutant) ?? []), file])

  for (const one of files) {
    const left = [...new Set(one.tests.flatMap((test) => test.met))].filter((mutant) => !noticed.has(mutant))
    const size = Math.max(1, Math.min(AT_ONCE, Math.ceil(left.length / LANES)))
    await inLanes(lanes, inGroups(left, size), async (session, group) => {
      const outcome = await tryInFile(session, one, new Set(group))
      for (const mutant of outcome.noticed) noticed.add(mutant)
      for (const mutant of outcome.alone) tryAlone(mutant, one)
    })
    for (const mutant of one.metOutside) tryAlone(mutant, one)
    say(`  ${path}: ${noticed.size} of ${mutants.length} noticed after ${one.file.split('/').at(-1)}`)
  }
  const notYet = [...alone].filter(([mutant]) => !noticed.has(mutant))
  say(`  ${path}: ${notYet.length} are tried alone`)
  await inLanes(lanes, notYet, async (session, [mutant, where]) => {
    const nearestFirst = where.toSorted(byDistanceTo(mutants[mutant]?.file ?? ''))
    if (await isNoticedAlone(session, mutant, nearestFirst)) noticed.add(mutant)
  })
  await Promise.all(lanes.map((session) => session.close()))

  const met = new Set(
    files.flatMap(({ metOutside, tests }) => [...metOutside, ...tests.flatMap((test) => test.met)]),
  )
  const survivors = mutants
    .filter(({ id }) => !noticed.has(id))
    .map((mutant) => ({ ...mutant, isMet: met.has(mutant.id) }))
  return { mutants, survivors }
}
