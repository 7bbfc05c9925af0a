// npm test [-- check | unit | e2e | engines | quick]: runs everything, quick checks first, and prints the
// totals.
// npm run test:changed [-- <commit>]: checks and tests of the files that differ from a commit, HEAD by default.
// npm run test:repeat -- <words>: end-to-end tests with these words in their path, 20 times each.

import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { build } from '../builds/build.ts'
import { check } from '../checks/check.ts'
import { engines, ensureBrowsers, ensureEngine, startInstallation } from '../local/browsers.ts'
import { startPostgres } from '../local/postgres.ts'
import { ensurePrometheus } from '../local/prometheus.ts'
import { run, seconds } from '../processes/run.ts'
import { root, say } from '../setup.mjs'
import { size } from '../sizes/budgets.ts'
import { changedFiles, testsOfChange } from './changed.ts'
import { notesOfPlaywright, notesOfVitest } from './notes.ts'

type Counts = { passed: number; failed: number; skipped?: number }
type Result = Counts & { notes?: string[] }

const reports = join(root, '.cache', 'test')

const readReport = (name: string) => {
  try {
    return JSON.parse(readFileSync(join(reports, name), 'utf8'))
  } catch {
    return undefined
  }
}

/** Counts a runner that failed without a failed test (a crash, a file that does not load) as one failure. */
const honest = ({ passed, failed, skipped = 0 }: Counts, ok: boolean) => ({
  passed,
  failed: ok ? failed : Math.max(failed, 1),
  skipped,
})

const buildAll = async () => {
  const { results } = await build({ staleOnly: !process.env.CI })
  const failed = results.filter(({ ok }) => !ok).length
  return { passed: results.length - failed, failed }
}

type VitestOptions = {
  args?: string[]
  env?: Readonly<Record<string, string>>
  cwd?: string
}
type VitestReport = Parameters<typeof notesOfVitest>[0] & {
  numPassedTests: number
  numFailedTests: number
  numPendingTests: number
  numTodoTests?: number
}

/** Runs vitest once and returns the counts of its report. */
const vitest = async (
  name: string,
  { args = [], env = {}, cwd = root }: VitestOptions = {},
): Promise<Result> => {
  const output = join(reports, `${name}.json`)
  const reporters = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${output}`]
  const { ok } = await run('vitest', [...reporters, ...args], { show: true, env, cwd })
  const report: VitestReport | undefined = readReport(`${name}.json`)
  if (report === undefined) return { passed: 0, failed: 1, skipped: 0 }
  const broken = report.testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && !assertionResults.some(({ status }) => status === 'failed'),
  )
  const counts = {
    passed: report.numPassedTests,
    failed: report.numFailedTests + broken.length,
    skipped: report.numPendingTests + (report.numTodoTests ?? 0),
  }
  return { ...honest(counts, ok), notes: notesOfVitest(report, root) }
}

/** Combines several runs into one step. */
const together = (results: Result[]): Result => {
  const sum = (kind: keyof Counts) => results.reduce((total, result) => total + (result[kind] ?? 0), 0)
  const notes = results.flatMap(({ notes = [] }) => notes)
  return { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped'), notes }
}

const unitTests = async () => {
  const postgres = await startPostgres({ waitsForDisk: false })
  try {
    return await vitest('unit', { env: { TEST_POSTGRES_URL: postgres.url } })
  } finally {
    await postgres.stop()
  }
}

const unitTestsOnSqlite = () => vitest('unit', { env: { TEST_POSTGRES_URL: '' } })

let paths: ReturnType<typeof ensureBrowsers> | undefined
/** Waits for the browsers once. */
const browserPaths = () => {
  paths ??= ensureBrowsers()
  return paths
}

/** Runs the browser tests of each package. Those of the dialog run alone, because visibility is sampled in real time. */
const packageBrowserTests = async () => {
  const ofPackage = (name: string) =>
    vitest(`${name}-browser`, {
      args: ['-c', 'vitest.browser.config.ts'],
      cwd: join(root, name),
      env,
    })
  const env = await browserPaths()
  const small = await Promise.all([ofPackage('loader'), ofPackage('wallet-frame')])
  return together([...small, await ofPackage('dialog-app')])
}

/** Runs all Playwright tests, or those with these words in their path. */
const playwright = async (folder: string, ...names: string[]): Promise<Result> => {
  const args = ['test', '-c', join(folder, 'playwright.config.ts'), '--reporter=list,json', ...names]
  const name = `${folder.replaceAll('/', '-')}.json`
  const { ok } = await run('playwright', args, {
    show: true,
    // With this condition, our packages resolve to their sources.
    env: {
      ...(await browserPaths()),
      NODE_OPTIONS: '--conditions=latchkey-source',
      PLAYWRIGHT_JSON_OUTPUT_FILE: join(reports, name),
    },
  })
  const report = readReport(name)
  if (report === undefined) return { passed: 0, failed: 1 }
  const { expected, flaky, unexpected, skipped } = report.stats
  const counts = { passed: expected + flaky, failed: unexpected, skipped }
  return { ...honest(counts, ok), notes: notesOfPlaywright(report) }
}

/** Runs the path in the other engines. An unavailable engine is noted; on CI it is a failure. */
const otherEngines = async () => {
  const missing: { tests: string; name: string; reason: string }[] = []
  for (const [tests, engine] of Object.entries(engines)) {
    const reason = await ensureEngine(engine)
    if (reason !== undefined) missing.push({ tests, name: engine.name, reason })
  }
  const here = Object.keys(engines).filter((tests) => !missing.some((one) => one.tests === tests))
  const config = join('e2e', 'engines', 'vitest.config.ts')
  return together([
    ...(here.length > 0 ? [await vitest('engines', { args: ['-c', config, ...here] })] : []),
    ...missing.map(({ name, reason }) => ({
      passed: 0,
      failed: process.env.CI ? 1 : 0,
      skipped: 0,
      notes: [`not run in ${name}: ${reason}`],
    })),
  ])
}

/** Tests the server with a real Prometheus, and the files of `deploy/`. */
const inPrometheus = async (): Promise<Result> => {
  const programs = await ensurePrometheus()
  if (typeof programs !== 'string') {
    return vitest('prometheus', { args: ['-c', join('deploy', 'vitest.config.ts')], env: programs })
  }
  return { passed: 0, failed: process.env.CI ? 1 : 0, notes: [`not run in Prometheus: ${programs}`] }
}

const count = (ok: boolean): Result => ({ passed: ok ? 1 : 0, failed: ok ? 0 : 1 })
const passes = async (command: string, ...args: string[]) =>
  count((await run(command, args, { show: true })).ok)

/** Steps for the files that differ from a commit. */
async function stepsOfChange(since: string): Promise<Step[]> {
  const files = await changedFiles(since)
  const { specs, hasChangedSpecs, packages, programs } = testsOfChange(files)
  const onSqlite = { TEST_POSTGRES_URL: '' }
  const step = (name: string, run: Step['run']): Step => ({ name, parts: ['changed'], run })
  return [
    step('Lint of changed files', () =>
      passes('biome', 'check', '--changed', `--since=${since}`, '--no-errors-on-unmatched'),
    ),
    step('Types', () => passes('tsc', '-p', '.', '--pretty', 'false')),
    step('Unit tests', () =>
      vitest('unit', { args: ['--changed', since, '--passWithNoTests'], env: onSqlite }),
    ),
    ...(programs.length > 0
      ? [step('Programs', () => vitest('programs', { args: programs, env: onSqlite }))]
      : []),
    ...(packages.length > 0 || specs.length > 0 || hasChangedSpecs ? [step('Build', buildAll)] : []),
    ...packages.map(({ name, files: own }) =>
      step(`${name} in a browser`, async () =>
        vitest(`${name}-browser`, {
          args: ['-c', 'vitest.browser.config.ts', ...own],
          cwd: join(root, name),
          env: await browserPaths(),
        }),
      ),
    ),
    ...(hasChangedSpecs
      ? [
          step('Changed end-to-end tests', () =>
            playwright('e2e', `--only-changed=${since}`, '--pass-with-no-tests'),
          ),
        ]
      : []),
    ...(specs.length > 0 ? [step('End-to-end tests', () => playwright('e2e', ...specs))] : []),
  ]
}

type Step = {
  name: string
  parts: string[]
  run: () => Promise<Result>
}

const steps: Step[] = [
  { name: 'Static checks', parts: ['all', 'quick', 'check'], run: check },
  { name: 'Build', parts: ['all', 'quick', 'e2e'], run: buildAll },
  { name: 'Sizes', parts: ['all'], run: size },
  { name: 'Unit and store tests', parts: ['all', 'unit'], run: unitTests },
  { name: 'Unit tests on SQLite', parts: ['quick'], run: unitTestsOnSqlite },
  { name: 'In Prometheus', parts: ['all', 'unit'], run: inPrometheus },
  { name: 'Packages in a browser', parts: ['all', 'e2e'], run: packageBrowserTests },
  { name: 'The whole in a browser', parts: ['all', 'e2e'], run: () => playwright('e2e') },
  { name: 'Tests of hosts', parts: ['all', 'e2e'], run: () => playwright('e2e/testing') },
  { name: 'The path in Chromium', parts: ['quick'], run: () => playwright('e2e', 'the-path') },
  { name: 'Other engines', parts: ['all', 'e2e', 'engines'], run: otherEngines },
]

const [part = 'all', ...words] = process.argv.slice(2)
const parts = ['check', 'unit', 'e2e', 'engines', 'quick', 'changed', 'repeat']
if (part !== 'all' && !parts.includes(part)) {
  console.error(`Unknown part "${part}". Choose one of ${parts.join(', ')}, or none to run everything.`)
  process.exit(1)
}
const REPEATS = 20
async function chooseSteps(): Promise<Step[]> {
  if (part === 'changed') return stepsOfChange(words[0] ?? 'HEAD')
  if (part !== 'repeat') return steps.filter(({ parts }) => parts.includes(part))
  if (words.length === 0) {
    console.error('Name the tests to repeat: npm run test:repeat -- <words of their paths>')
    process.exit(1)
  }
  return [
    { name: 'Build', parts: ['repeat'], run: buildAll },
    {
      name: `${REPEATS} times each`,
      parts: ['repeat'],
      run: () => playwright('e2e', `--repeat-each=${REPEATS}`, ...words),
    },
  ]
}
const plan = await chooseSteps()

rmSync(reports, { recursive: true, force: true })
mkdirSync(reports, { recursive: true })
const usesEngines = ['all', 'e2e', 'engines'].includes(part)
if (part !== 'check' && part !== 'unit') await startInstallation(usesEngines)

/** CI ends a run after 90 minutes. The summary must be printed before that. */
const CI_DEADLINE_MS = 85 * 60_000

const summary: (Result & { name: string; time: string })[] = []
let running: { name: string; startedMs: number } | undefined

function endRun(): never {
  say('\nSummary')
  for (const { name, passed, failed, skipped = 0, time, notes = [] } of summary) {
    const leftOut = skipped > 0 ? `, ${skipped} skipped` : ''
    say(`  ${name.padEnd(22)} ${passed} passed, ${failed} failed${leftOut} (${time})`)
    for (const note of notes) say(`    ${note}`)
  }
  const total = (kind: 'passed' | 'failed') => summary.reduce((sum, step) => sum + step[kind], 0)
  say(`${total('passed')} passed, ${total('failed')} failed`)
  process.exit(total('failed') === 0 ? 0 : 1)
}

const addResult = (name: string, startedMs: number, result: Result) =>
  summary.push({ name, ...result, time: seconds(performance.now() - startedMs) })

if (process.env.CI) {
  setTimeout(() => {
    const cutOff = { passed: 0, failed: 1, notes: ['cut off after 85 minutes'] }
    if (running) addResult(running.name, running.startedMs, cutOff)
    endRun()
  }, CI_DEADLINE_MS).unref()
}

for (const step of plan) {
  say(`\n${step.name}`)
  const startedMs = performance.now()
  running = { name: step.name, startedMs }
  const result = await step.run().catch((error): Result => {
    console.error(error)
    return { passed: 0, failed: 1 }
  })
  addResult(step.name, startedMs, result)
}
endRun()
