import { relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'

type Spec = {
  file: string
  line: number
  title: string
  tests: readonly {
    status: string
    results?: readonly { error?: { message?: string } }[]
  }[]
}
type Suite = { suites?: Suite[]; specs?: Spec[] }
type ReportOfVitest = {
  testResults: readonly {
    name: string
    status: string
    assertionResults: readonly {
      fullName: string
      status: string
      failureMessages: string[]
    }[]
  }[]
}

const listSpecs = ({ suites = [], specs = [] }: Suite): Spec[] => [...specs, ...suites.flatMap(listSpecs)]

const withStatus = (report: Suite, wanted: string) =>
  listSpecs(report)
    .filter(({ tests }) => tests.some(({ status }) => status === wanted))
    .map(({ file, line, title, tests }) => `${file}:${line} ${title}${firstError(tests)}`)

/** Returns the first line of the first error, without the colours of a terminal. */
function firstError(tests: Spec['tests']): string {
  const results = tests.flatMap(({ results = [] }) => results)
  const [message = ''] = results.flatMap(({ error }) => error?.message ?? [])
  const [line = ''] = stripVTControlCharacters(message).split('\n')
  return line === '' ? '' : `: ${line}`
}

/** Returns the summary lines for single tests of a Playwright report. */
export const notesOfPlaywright = (report: Suite): string[] => [
  ...withStatus(report, 'unexpected').map((test) => `failed: ${test}`),
  ...withStatus(report, 'flaky').map((test) => `passed only when run again: ${test}`),
]

/** Returns the same for a vitest report. A passed test with a failure message was retried. */
export const notesOfVitest = (report: ReportOfVitest, root: string): string[] =>
  report.testResults.flatMap(({ name, status, assertionResults }) => {
    const file = relative(root, name)
    if (status === 'failed' && !assertionResults.some((test) => test.status === 'failed'))
      return [`failed: ${file}`]
    return assertionResults.flatMap(({ fullName, status, failureMessages: [why] }) => {
      const failure = `${file} ${fullName}: ${why?.split('\n')[0] ?? ''}`
      if (status === 'failed') return [`failed: ${failure}`]
      return why === undefined ? [] : [`passed only when run again: ${failure}`]
    })
  })
