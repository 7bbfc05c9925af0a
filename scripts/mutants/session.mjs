// Vitest, started once for a folder: its sources carry all their mutants, and each run says which one is active.

import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createVitest } from 'vitest/node'
import { root } from '../setup.mjs'
import { instrument } from './instrument.mjs'

/** A run that takes longer than this is one that does not end. */
const LONGEST_RUN_MS = 120_000

const isSource = (path) => !/\.test\.ts$|\/testing\/|\/doc\.ts$/.test(path)

export function mutantsOf(folder) {
  const mutants = []
  const codes = new Map()
  for (const path of globSync(`${folder}/**/*.ts`, { cwd: root }).filter(isSource).sort()) {
    const { code, mutants: own } = instrument(path, readFileSync(join(root, path), 'utf8'), mutants.length)
    mutants.push(...own)
    codes.set(join(root, path), code)
  }
  return { mutants, codes }
}

export async function openSession(codes, tests) {
  const plugin = { name: 'mutants', enforce: 'pre', transform: (_code, id) => codes.get(id) }
  const start = () =>
    createVitest(
      {
        root,
        watch: false,
        reporters: [{}],
        maxWorkers: 1,
        // Else other runs would find code with mutants in the cache, and this one code without.
        fsModuleCache: false,
        coverage: { enabled: false },
        setupFiles: [join(root, 'scripts/mutants/in-the-test.mjs')],
      },
      { plugins: [plugin] },
    )
  let vitest = await start()

  /** Undefined for a run that did not end. */
  async function run({ active = null, files, tests: ids = null }) {
    vitest.provide('mutants', { active, tests: ids })
    const all = await vitest.globTestSpecifications(tests)
    const specifications = files ? all.filter(({ moduleId }) => files.includes(moduleId)) : all
    const watchdog = Promise.withResolvers()
    const timer = setTimeout(watchdog.resolve, LONGEST_RUN_MS)
    const result = await Promise.race([vitest.runTestSpecifications(specifications), watchdog.promise])
    clearTimeout(timer)
    if (result === undefined) {
      await vitest.close()
      vitest = await start()
    }
    return result
  }

  return { run, close: () => vitest.close() }
}
