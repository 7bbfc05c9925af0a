// npm test [-- check | unit | e2e | engines | quick]: everything, quick checks first, and the true total at the end.

import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { engines, ensureBrowsers, ensureEngine, root, say, setUp } from './setup.mjs'

await setUp()
const { build } = await import('./build.mjs')
const { check } = await import('./check.mjs')
const { notesOfLines, notesOfPlaywright, notesOfVitest } = await import('./notes.ts')
const { run, seconds } = await import('./run.ts')
const { size } = await import('./budgets.ts')

const reports = join(root, '.cache', 'test')

const readReport = (name) => {
  try {
    return JSON.parse(readFileSync(join(reports, name), 'utf8'))
  } catch {
    return undefined
  }
}

/** A runner that failed without a failed test (a file that does not load, a crash) still counts as one failure. */
const honest = ({ passed, failed, skipped }, ok) => ({
  passed,
  failed: ok ? failed : Math.max(failed, 1),
  skipped,
})

const buildAll = async () => {
  const { results } = await build({ staleOnly: !process.env.CI })
  const failed = results.filter(({ ok }) => !ok).length
  return { passed: results.length - failed, failed }
}

/** One run of vitest, counted from its report. */
const vitest = async (name, { args = [], env = {}, cwd = root } = {}) => {
  const output = join(reports, `${name}.json`)
  const reporters = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${output}`]
  const { ok } = await run('vitest', [...reporters, ...args], { show: true, env, cwd })
  const report = readReport(`${name}.json`)
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

/** Several runs as one step. */
const together = (results) => {
  const sum = (kind) => results.reduce((total, result) => total + result[kind], 0)
  const notes = results.flatMap(({ notes = [] }) => notes)
  return { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped'), notes }
}

const unitTests = async () => {
  const { startPostgres } = await import('./postgres.ts')
  const postgres = await startPostgres({ waitsForDisk: false })
  try {
    return await vitest('unit', { env: { TEST_POSTGRES_URL: postgres.url } })
  } finally {
    await postgres.stop()
  }
}

const unitTestsOnSqlite = () => vitest('unit', { env: { TEST_POSTGRES_URL: '' } })

const loaderFacts = async () => {
  const { ok, output } = await run('node', ['--conditions=latchkey-source', 'testing/browser.ts'], {
    cwd: join(root, 'loader'),
    env: browsers,
  })
  say(output)
  const [, passed, failed] = /(\d+) passed, (\d+) failed\s*$/.exec(output) ?? [0, 0, 1]
  const counts = { passed: Number(passed), failed: Number(failed), skipped: 0 }
  return { ...honest(counts, ok), notes: notesOfLines(output) }
}

/** What each package proves of itself in a browser. Beside the others the loader, whose facts wait for deadlines. */
const packageBrowserTests = async () => {
  const ofPackage = (name) =>
    vitest(`${name}-browser`, {
      args: ['-c', 'vitest.browser.config.ts'],
      cwd: join(root, name),
      env: browsers,
    })
  const others = async () => [await ofPackage('wallet-frame'), await ofPackage('dialog-app')]
  const [loader, rest] = await Promise.all([loaderFacts(), others()])
  return together([loader, ...rest])
}

/** The files whose names have these words, or all. */
const browserTests = async (...names) => {
  const args = ['test', '-c', 'e2e/playwright.config.ts', '--reporter=list,json', ...names]
  const { ok } = await run('playwright', args, {
    show: true,
    // The tests name our packages, which resolve to their sources under this condition.
    env: {
      ...browsers,
      NODE_OPTIONS: '--conditions=latchkey-source',
      PLAYWRIGHT_JSON_OUTPUT_FILE: join(reports, 'e2e.json'),
    },
  })
  const report = readReport('e2e.json')
  if (report === undefined) return { passed: 0, failed: 1 }
  const { expected, flaky, unexpected, skipped } = report.stats
  const counts = { passed: expected + flaky, failed: unexpected, skipped }
  return { ...honest(counts, ok), notes: notesOfPlaywright(report) }
}

/** The path in the other engines, side by side. One that cannot be had here is told of; on CI that is a failure. */
const otherEngines = async () => {
  const missing = Object.entries(engines)
    .map(([tests, engine]) => ({ tests, name: engine.name, reason: ensureEngine(engine) }))
    .filter(({ reason }) => reason !== undefined)
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

const steps = [
  { name: 'Static checks', parts: ['all', 'quick', 'check'], run: check },
  { name: 'Build', parts: ['all', 'quick', 'e2e'], run: buildAll },
  { name: 'Sizes', parts: ['all'], run: size },
  { name: 'Unit and store tests', parts: ['all', 'unit'], run: unitTests },
  { name: 'Unit tests on SQLite', parts: ['quick'], run: unitTestsOnSqlite },
  { name: 'Packages in a browser', parts: ['all', 'e2e'], run: packageBrowserTests },
  { name: 'The whole in a browser', parts: ['all', 'e2e'], run: () => browserTests() },
  { name: 'The path in Chromium', parts: ['quick'], run: () => browserTests('the-path') },
  { name: 'Other engines', parts: ['all', 'e2e', 'engines'], run: otherEngines },
]

const part = process.argv[2] ?? 'all'
const parts = ['check', 'unit', 'e2e', 'engines', 'quick']
if (part !== 'all' && !parts.includes(part)) {
  console.error(`There is no part "${part}". Choose one of ${parts.join(', ')}, or none to run everything.`)
  process.exit(1)
}
const chosen = steps.filter(({ parts }) => parts.includes(part))

rmSync(reports, { recursive: true, force: true })
mkdirSync(reports, { recursive: true })
const browsers = ['all', 'quick', 'e2e'].includes(part) ? await ensureBrowsers() : {}

const summary = []
for (const step of chosen) {
  say(`\n${step.name}`)
  const started = performance.now()
  const result = await step.run().catch((error) => {
    console.error(error)
    return { passed: 0, failed: 1 }
  })
  summary.push({ name: step.name, skipped: 0, ...result, time: seconds(performance.now() - started) })
}

say('\nSummary')
for (const { name, passed, failed, skipped, time, notes = [] } of summary) {
  const leftOut = skipped > 0 ? `, ${skipped} skipped` : ''
  say(`  ${name.padEnd(22)} ${passed} passed, ${failed} failed${leftOut} (${time})`)
  for (const note of notes) say(`    ${note}`)
}
const total = (kind) => summary.reduce((sum, step) => sum + step[kind], 0)
say(`${total('passed')} passed, ${total('failed')} failed`)
process.exit(total('failed') === 0 ? 0 : 1)
