// Vitest, started once for a folder. Its sources carry all their mutants; what a run does with them is said in
// in-the-test.ts.

import { globSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createVitest, type TestRunResult } from 'vitest/node'
import { root } from '../setup.mjs'
import type { Ask, Outcome } from './asked.ts'
import { inBrowsers } from './folders.ts'
import { instrument, type Mutant } from './instrument.ts'

/** What a capability brings is a list, which tests of all capabilities hold to what there is. */
const isSource = (path: string) =>
  !/\.test\.ts$|\/testing\/|\/(doc|capability)\.ts$/.test(path) && !inBrowsers.includes(path)

/** `path` is a folder or a file. */
export function mutantsOf(path: string) {
  const mutants: Mutant[] = []
  const codes = new Map<string, string>()
  const files = globSync([path, `${path}/**/*.ts`], { cwd: root }).filter((file) => file.endsWith('.ts'))
  for (const file of files.filter(isSource).sort()) {
    const { code, mutants: own } = instrument(file, readFileSync(join(root, file), 'utf8'), mutants.length)
    mutants.push(...own)
    codes.set(join(root, file), code)
  }
  return { mutants, codes }
}

/** In an endless loop a process hears no request to end. */
function kill(pid: number) {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It ended by itself.
  }
}

type RunOptions = { readonly file?: string; readonly patienceMs?: number }
export type RunResult = Pick<TestRunResult, 'testModules' | 'unhandledErrors'>
export type Session = Awaited<ReturnType<typeof openSession>>

export async function openSession(codes: ReadonlyMap<string, string>, tests: readonly string[]) {
  const plugin = {
    name: 'mutants',
    enforce: 'pre' as const,
    transform: (_code: string, id: string) => codes.get(id),
  }
  const vitest = await createVitest(
    {
      root,
      // The projects of the tests share what is loaded, and here each file begins anew.
      config: false,
      include: ['**/*.test.ts'],
      exclude: ['**/node_modules/**', '**/dist/**', '**/*.browser.test.ts'],
      isolate: true,
      unstubGlobals: true,
      hookTimeout: 60_000,
      watch: false,
      reporters: [{}],
      maxWorkers: 1,
      coverage: { enabled: false },
      // Else other runs would find code with mutants in the cache, and this one code without.
      fsModuleCache: false,
      setupFiles: [join(root, 'scripts/mutants/in-the-test.ts')],
    },
    {
      plugins: [plugin],
      resolve: { conditions: ['latchkey-source'] },
      ssr: { resolve: { conditions: ['latchkey-source', 'node', 'default'] } },
    },
  )
  const folder = mkdtempSync(join(tmpdir(), 'mutants-'))
  const progress = join(folder, 'progress.json')

  /** How far a run came that was killed. */
  function lastProgress(): (Outcome & { readonly pid: number }) | undefined {
    try {
      return { ...JSON.parse(readFileSync(progress, 'utf8')), isClean: false }
    } catch {
      return undefined
    }
  }

  /** What became of each file; undefined for a run of which nothing was heard for `patienceMs`. */
  async function run(asked: Ask, { file, patienceMs = 600_000 }: RunOptions = {}) {
    rmSync(progress, { force: true })
    vitest.provide('mutants', { ...asked, progress })
    const all = await vitest.globTestSpecifications([...tests])
    const specifications = file ? all.filter(({ moduleId }) => moduleId === file) : all
    const begunAt = Date.now()
    const lastHeardOf = () => statSync(progress, { throwIfNoEntry: false })?.mtimeMs ?? begunAt
    let wasKilled = false
    const timer = setInterval(() => {
      const pid = Date.now() - lastHeardOf() > patienceMs && lastProgress()?.pid
      if (!pid || wasKilled) return
      wasKilled = true
      kill(pid)
    }, 1_000)
    const result = await vitest.runTestSpecifications(specifications)
    clearInterval(timer)
    if (wasKilled) return undefined
    // Vitest tells of files of earlier runs too.
    const ran = new Set(specifications.map(({ moduleId }) => moduleId))
    return { ...result, testModules: result.testModules.filter(({ moduleId }) => ran.has(moduleId)) }
  }

  async function close() {
    rmSync(folder, { recursive: true })
    await vitest.close()
  }

  return { run, lastProgress, close }
}
