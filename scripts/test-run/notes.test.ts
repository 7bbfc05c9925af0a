import { expect, test } from 'vitest'
import { notesOfPlaywright, notesOfVitest } from './notes.ts'

const spec = (title: string, status: string) => ({ file: 'a.e2e.ts', line: 7, title, tests: [{ status }] })

test('a failed or retried browser test is noted, at any depth of describe blocks', () => {
  const report = {
    suites: [
      { specs: [spec('at once', 'expected'), spec('late', 'flaky')] },
      { suites: [{ specs: [spec('deep and late', 'flaky'), spec('never', 'unexpected')] }] },
    ],
  }
  expect(notesOfPlaywright(report)).toEqual([
    'failed: a.e2e.ts:7 never',
    'passed only when run again: a.e2e.ts:7 late',
    'passed only when run again: a.e2e.ts:7 deep and late',
  ])
})

test('a browser test is noted with the first line of its first error', () => {
  const results = [{ error: { message: '\u001b[31mexpected 1\u001b[39m\n  at x' } }, {}]
  const late = { ...spec('late', 'flaky'), tests: [{ status: 'flaky', results }] }
  expect(notesOfPlaywright({ specs: [late] })).toEqual([
    'passed only when run again: a.e2e.ts:7 late: expected 1',
  ])
})

test('a report without failures has no notes', () => {
  expect(notesOfPlaywright({ suites: [{ specs: [spec('at once', 'expected')] }] })).toEqual([])
})

test('a failed unit test is noted with the first line of its error, and a file that does not load by itself', () => {
  const one = (fullName: string, status: string, failureMessages: string[] = []) => ({
    fullName,
    status,
    failureMessages,
  })
  const report = {
    testResults: [
      {
        name: '/clone/a/one.test.ts',
        status: 'failed',
        assertionResults: [
          one('is right', 'passed'),
          one('is wrong', 'failed', ['expected 1\n  at x']),
          one('is late', 'passed', ['expected 2\n  at y']),
        ],
      },
      { name: '/clone/a/broken.test.ts', status: 'failed', assertionResults: [] },
    ],
  }
  expect(notesOfVitest(report, '/clone')).toEqual([
    'failed: a/one.test.ts is wrong: expected 1',
    'passed only when run again: a/one.test.ts is late: expected 2',
    'failed: a/broken.test.ts',
  ])
})
