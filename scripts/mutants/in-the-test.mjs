// Runs in each test's process before its file: says which mutant is active, and notes which ones a test meets.

import { afterEach, beforeEach, inject } from 'vitest'

/** One that is met more often than this makes a loop that does not end. */
const ENDLESS = 5_000_000

const { active, tests } = inject('mutants')
let met = new Set()
let turns = 0
let isNoticed = false

globalThis.__mutant = (id) => {
  met.add(id)
  if (id !== active) return false
  turns += 1
  if (turns > ENDLESS) throw new Error('This does not end')
  return true
}

beforeEach(({ task, skip }) => {
  if (isNoticed || (tests !== null && !tests.includes(task.id))) skip()
  // What is met outside of tests, while files load, is met by all of them.
  task.file.meta.mutants = [...new Set([...(task.file.meta.mutants ?? []), ...met])]
  met = new Set()
})

afterEach(({ task }) => {
  isNoticed ||= active !== null && task.result?.state === 'fail'
  task.meta.mutants = [...met]
  met = new Set()
})
