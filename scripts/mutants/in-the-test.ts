// Runs in each test's process before its file. What is asked of it is one of three, each with the time that a test has:
//
//   { mode: 'look' }          notes which mutants each test meets, and which are met outside of tests
//   { mode: 'try', plan }     repeats each test, once for each mutant that is planned for it and not noticed yet, and
//                             writes to the file `progress` how far it is
//   { mode: 'from-the-start', mutant }  this one is active from the first line on; ends with the first failure
//
// While trying, a test runs without a mutant first, and again after each one that it noticed: what that one left
// behind must not be taken for the next. Where it fails then, the file ends, and is gone on with in a new process.

import { writeFileSync } from 'node:fs'
import {
  afterAll,
  beforeAll,
  beforeEach,
  inject,
  type RunnerTask,
  type RunnerTestCase,
  type RunnerTestSuite,
  vi,
} from 'vitest'
import type { Outcome } from './asked.ts'

/** One that is met more often than this makes a loop that does not end. */
const ENDLESS = 5_000_000

const asked = inject('mutants')
vi.setConfig({ testTimeout: asked.timeoutMs })
const plan = asked.mode === 'try' ? asked.plan : {}
const left = new Map(Object.entries(plan).map(([test, mutants]) => [test, [...mutants]]))
const noticed = new Set<number>()
const metOutside = new Set<number>()
const met = new Set<number>()
/** Active, and yet not met: what the test asks was made once, when another one was, and is kept. */
const notMet = new Set<number>()
const outcome = (): Outcome => ({
  noticed: [...noticed],
  notMet: [...notMet],
  left: Object.fromEntries(left),
  isClean,
})
/** Read where this process does not come to its end, and has to be killed. */
const writeProgress = () =>
  writeFileSync(asked.progress, JSON.stringify({ ...outcome(), active, pid: process.pid }))

let active = asked.mode === 'from-the-start' ? asked.mutant : undefined
let timesMet = 0
let isClean = true
let isCheck = true

writeProgress()
const isActive = (id: number) => {
  met.add(id)
  if (id !== active) return false
  timesMet += 1
  if (timesMet > ENDLESS) throw new Error('This does not end')
  return true
}
Object.assign(globalThis, { __mutant: isActive })

const allTests = ({ tasks }: Pick<RunnerTestSuite, 'tasks'>): readonly RunnerTestCase[] =>
  tasks.flatMap((task: RunnerTask) => (task.type === 'test' ? [task] : allTests(task)))
const isFirstTime = ({ result }: Pick<RunnerTestCase, 'result'>) => !result?.repeatCount

// biome-ignore lint/correctness/noEmptyPattern: vitest reads the pattern to know what a hook needs.
beforeAll(({}, file) => {
  for (const test of allTests(file)) {
    const mutants = left.get(test.id)
    if (mutants) test.repeats = 2 * mutants.length
  }
})

beforeEach(({ task, skip, onTestFinished }) => {
  for (const id of met) metOutside.add(id)
  met.clear()
  timesMet = 0
  if (!isClean) skip()
  if (asked.mode === 'try') prepareTry(task, skip)
  // Not `afterEach`, which is not run when another one fails, as that of a test whose parts are broken does.
  onTestFinished(() => finish(task))
})

function prepareTry(task: RunnerTestCase, skip: () => void) {
  const mutants = left.get(task.id) ?? []
  while (mutants[0] !== undefined && noticed.has(mutants[0])) mutants.shift()
  if (mutants.length === 0) skip()
  isCheck ||= isFirstTime(task)
  active = isCheck ? undefined : mutants.shift()
  writeProgress()
}

function finish(task: RunnerTestCase) {
  const hasFailed = task.result?.state === 'fail'
  if (asked.mode === 'look') task.meta.mutants = [...met]
  if (asked.mode === 'from-the-start') isClean &&= !hasFailed
  if (asked.mode === 'try') {
    if (isCheck) isClean &&= !hasFailed
    else if (active !== undefined && hasFailed) noticed.add(active)
    else if (active !== undefined && timesMet === 0) notMet.add(active)
    isCheck = !isCheck && hasFailed
    active = undefined
  }
  met.clear()
}

// biome-ignore lint/correctness/noEmptyPattern: as above.
afterAll(({}, file) => {
  file.meta.outcome = { ...outcome(), metOutside: [...metOutside] }
})
