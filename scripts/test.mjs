// npm test [-- check | unit | e2e]: everything, quick checks first, and the true total at the end.

import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ensureBrowser, root, say, setUp } from './setup.mjs'

await setUp()
const { build } = await import('./build.mjs')
const { check } = await import('./check.mjs')
const { run, seconds } = await import('./run.mjs')
const { size } = await import('./size.mjs')

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

const unitTests = async () => {
  const { startPostgres } = await import('./postgres.mjs')
  const postgres = await startPostgres()
  try {
    const output = join(reports, 'unit.json')
    const args = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${output}`]
    const { ok } = await run('vitest', args, { show: true, env: { TEST_POSTGRES_URL: postgres.url } })
    const report = readReport('unit.json')
    if (report === undefined) return { passed: 0, failed: 1 }
    const broken = report.testResults.filter(
      ({ status, assertionResults }) =>
        status === 'failed' && !assertionResults.some(({ status }) => status === 'failed'),
    )
    return honest(
      {
        passed: report.numPassedTests,
        failed: report.numFailedTests + broken.length,
        skipped: report.numPendingTests + (report.numTodoTests ?? 0),
      },
      ok,
    )
  } finally {
    await postgres.stop()
  }
}

const browserTests = async () => {
  const browser = await ensureBrowser()
  const { ok } = await run('playwright', ['test', '-c', 'e2e/playwright.config.ts', '--reporter=list,json'], {
    show: true,
    // The tests name our packages, which resolve to their sources under this condition.
    env: {
      CHROMIUM: browser,
      NODE_OPTIONS: '--conditions=latchkey-source',
      PLAYWRIGHT_JSON_OUTPUT_FILE: join(reports, 'e2e.json'),
    },
  })
  const stats = readReport('e2e.json')?.stats
  if (stats === undefined) return { passed: 0, failed: 1 }
  // A test that passes only when it is run again has failed once.
  return honest(
    { passed: stats.expected, failed: stats.unexpected + stats.flaky, skipped: stats.skipped },
    ok,
  )
}

const steps = [
  { name: 'Static checks', parts: ['check'], run: check },
  { name: 'Build', parts: ['e2e'], run: buildAll },
  { name: 'Sizes', parts: [], run: async () => size() },
  { name: 'Unit and store tests', parts: ['unit'], run: unitTests },
  { name: 'Browser tests', parts: ['e2e'], run: browserTests },
]

const part = process.argv[2]
const parts = ['check', 'unit', 'e2e']
if (part !== undefined && !parts.includes(part)) {
  console.error(`There is no part "${part}". Parts: ${parts.join(', ')}; without one, everything runs.`)
  process.exit(1)
}

rmSync(reports, { recursive: true, force: true })
mkdirSync(reports, { recursive: true })
if (part === undefined || part === 'e2e') await ensureBrowser()

const summary = []
for (const step of steps.filter(({ parts }) => part === undefined || parts.includes(part))) {
  say(`\n${step.name}`)
  const started = performance.now()
  const result = await step.run().catch((error) => {
    console.error(error)
    return { passed: 0, failed: 1 }
  })
  summary.push({ name: step.name, skipped: 0, ...result, time: seconds(performance.now() - started) })
}

say('\nSummary')
for (const { name, passed, failed, skipped, time } of summary) {
  const notes = skipped > 0 ? `, ${skipped} skipped` : ''
  say(`  ${name.padEnd(22)} ${passed} passed, ${failed} failed${notes} (${time})`)
}
const total = (kind) => summary.reduce((sum, step) => sum + step[kind], 0)
say(`${total('passed')} passed, ${total('failed')} failed`)
process.exit(total('failed') === 0 ? 0 : 1)
