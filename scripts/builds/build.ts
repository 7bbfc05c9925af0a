// Builds what has a `build` script, side by side where nothing waits for anything else.

import { mkdirSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Outcome, run, seconds } from '../processes/run.ts'
import { root, say } from '../setup.mjs'
import { type Package, packages } from './packages.ts'

/** Whose sources end up in whose bundle. */
const madeFrom: Readonly<Record<string, readonly string[]>> = {
  protocol: [],
  loader: ['protocol'],
  'dialog-app': ['protocol'],
  'wallet-frame': ['protocol'],
  demo: ['loader', 'protocol'],
  'sdk/server': [],
  'sdk/migrate': [],
  'sdk/sandbox': ['protocol', 'server', 'sandbox', 'loader', 'dialog-app', 'wallet-frame'],
  'sdk/testing': ['loader', 'protocol'],
}

/** Two at a time: the builds are short, and more only trade places on a small machine. */
const atOnce = 2
const stamps = join(root, '.cache', 'build')
const isSource = (name: string) => !/^(dist|node_modules|\..*)$|\.test\.tsx?$|\.md$/.test(name)

/**
 * The newest change in a package's sources, in milliseconds. A folder's own time tells of a file that went away; the
 * package's does not count, since a build that makes its dist anew changes it.
 */
const newestIn = (folder: string, own = 0): number =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => isSource(entry.name))
    .map((entry) => ({ isFolder: entry.isDirectory(), path: join(folder, entry.name) }))
    .map(({ isFolder, path }) => {
      const { mtimeMs } = statSync(path)
      return isFolder ? newestIn(path, mtimeMs) : mtimeMs
    })
    .reduce((newest, time) => Math.max(newest, time), own)

const newestSource = (folder: string) =>
  Math.max(
    ...[folder, ...(madeFrom[folder] ?? [])].map((name) => newestIn(join(root, name))),
    ...['package-lock.json', 'tsconfig.json'].map((name) => statSync(join(root, name)).mtimeMs),
  )

const stampTime = (folder: string) => {
  try {
    statSync(join(root, folder, 'dist'))
    return statSync(join(stamps, folder)).mtimeMs
  } catch {
    return 0
  }
}

const isStale = (folder: string) => newestSource(folder) > stampTime(folder)

export type Built = Outcome & { readonly folder: string }

const buildOne = async ({ folder }: Package): Promise<Built> => {
  const startedAt = new Date()
  rmSync(join(stamps, folder), { force: true })
  const result = await run('npm', ['run', 'build', '--silent', '-w', folder])
  if (result.ok) {
    // A file that changed while the build ran is newer than this.
    mkdirSync(dirname(join(stamps, folder)), { recursive: true })
    writeFileSync(join(stamps, folder), '')
    utimesSync(join(stamps, folder), startedAt, startedAt)
  }
  return { folder, ...result }
}

type Which = { readonly only?: readonly string[]; readonly staleOnly?: boolean }

/** Builds the packages (all, or those given; with `staleOnly` those whose sources are newer than their build). */
export const build = async ({ only = [], staleOnly = false }: Which = {}) => {
  const waiting = packages()
    .filter(({ folder, manifest }) => folder in madeFrom && manifest.scripts?.build)
    .filter(({ folder }) => only.length === 0 || only.includes(folder))
    .filter(({ folder }) => !staleOnly || isStale(folder))
  if (waiting.length > 0) say(`Building ${waiting.map(({ folder }) => folder).join(', ')}`)
  const results: Built[] = []
  const worker = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const result = await buildOne(next)
      results.push(result)
      say(`  ${result.ok ? 'built' : 'FAILED'} ${result.folder} (${seconds(result.ms)})`)
      if (!result.ok) say(result.output)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return { ok: results.every(({ ok }) => ok), results }
}
