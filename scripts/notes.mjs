import { relative } from 'node:path'

const specsOf = ({ suites = [], specs = [] }) => [...specs, ...suites.flatMap(specsOf)]

const withStatus = (report, wanted) =>
  specsOf(report)
    .filter(({ tests }) => tests.some(({ status }) => status === wanted))
    .map(({ file, line, title }) => `${file}:${line} ${title}`)

/** What the summary says of single tests of a Playwright report. */
export const notesOfPlaywright = (report) => [
  ...withStatus(report, 'unexpected').map((test) => `failed: ${test}`),
  ...withStatus(report, 'flaky').map((test) => `passed only when run again: ${test}`),
]

/** The same of a report of vitest: a test that passed and says why it failed was run again. */
export const notesOfVitest = (report, root) =>
  report.testResults.flatMap(({ name, status, assertionResults }) => {
    const file = relative(root, name)
    if (status === 'failed' && !assertionResults.some((test) => test.status === 'failed'))
      return [`failed: ${file}`]
    return assertionResults.flatMap(({ fullName, status, failureMessages: [why] }) => {
      const said = `${file} ${fullName}: ${why?.split('\n')[0] ?? ''}`
      if (status === 'failed') return [`failed: ${said}`]
      return why === undefined ? [] : [`passed only when run again: ${said}`]
    })
  })

const markers = { FAILED: 'failed', AGAIN: 'run again' }

/** The same of a list of lines that begin with `FAILED`, or with `AGAIN` where one is tried once more. */
export const notesOfLines = (output) =>
  output.split('\n').flatMap((line) => {
    const [, marker, test] = /^ *(FAILED|AGAIN) +(.*)$/.exec(line) ?? []
    return marker === undefined ? [] : [`${markers[marker]}: ${test}`]
  })
