import { expect, test } from 'vitest'
import { passedWhenRunAgain } from './flaky.mjs'

const spec = (title: string, status: string) => ({ file: 'a.e2e.ts', line: 7, title, tests: [{ status }] })

test('a test that passed only when run again is named, however deep it is described', () => {
  const report = {
    suites: [
      { specs: [spec('at once', 'expected'), spec('late', 'flaky')] },
      { suites: [{ specs: [spec('deep and late', 'flaky'), spec('never', 'unexpected')] }] },
    ],
  }
  expect(passedWhenRunAgain(report)).toEqual(['a.e2e.ts:7 late', 'a.e2e.ts:7 deep and late'])
})

test('a report without one names none', () => {
  expect(passedWhenRunAgain({ suites: [{ specs: [spec('at once', 'expected')] }] })).toEqual([])
})
