// Builds what has a `build` script, side by side where nothing waits for anything else.

import { mkdirSync, readdirSync, realpathSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
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
const isSource = (name: string) => !/^(dist|releases|node_modules|\..*)$|\.test\.tsx?$|\.md$/.test(name)

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

/**
 * What is built of a package: everything, or only what a server hands out of it, which is less of one that hosts install
 * too. It has a stamp of its own, and the whole build brings it as well.
 */
type Extent = 'build' | 'build:served'
const stampOf = (folder: string, extent: Extent) =>
  join(stamps, extent === 'build' ? folder : `${folder}.served`)
const extentOf = ({ manifest }: Package, isServed: boolean): Extent =>
  isServed && manifest.scripts?.['build:served'] !== undefined ? 'build:served' : 'build'

const stampTime = (folder: string, extent: Extent) => {
  try {
    statSync(join(root, folder, 'dist'))
    return statSync(stampOf(folder, extent)).mtimeMs
  } catch {
    return 0
  }
}

const isStale = (folder: string, extent: Extent) =>
  newestSource(folder) > Math.max(stampTime(folder, 'build'), stampTime(folder, extent))

export type Built = Outcome & { folder: string }

const buildOne = async ({ folder }: Package, extent: Extent): Promise<Built> => {
  const startedAt = new Date()
  const stamp = stampOf(folder, extent)
  // The whole build empties the folder that both write into.
  for (const made of extent === 'build' ? ([extent, 'build:served'] as const) : [extent])
    rmSync(stampOf(folder, made), { force: true })
  const result = await run('npm', ['run', extent, '--silent', '-w', folder])
  if (result.ok) {
    // A file that changed while the build ran is newer than this.
    mkdirSync(dirname(stamp), { recursive: true })
    writeFileSync(stamp, '')
    utimesSync(stamp, startedAt, startedAt)
  }
  return { folder, ...result }
}

/** The server reports it in /readyz and in its log. A copied checkout without a history keeps the file. */
const writeCommit = async () => {
  const { ok, output } = await run('git', ['rev-parse', '--show-toplevel', 'HEAD'])
  const [folder = '', commit = ''] = output.split('\n')
  // A checkout without a history may lie in the repository of another project.
  if (ok && realpathSync(folder) === realpathSync(root)) writeFileSync(join(root, '.commit'), commit)
}

/** Packages with pages and scripts for browsers. */
export const servedPackages = ['loader', 'dialog-app', 'wallet-frame']

type Which = {
  only?: readonly string[]
  staleOnly?: boolean
  /** Only what a server hands out. */
  isServed?: boolean
}

/** Builds the packages (all, or those given; with `staleOnly` those whose sources are newer than their build). */
export const build = async ({ only = [], staleOnly = false, isServed = false }: Which = {}) => {
  await writeCommit()
  const waiting = packages()
    .filter(({ folder, manifest }) => folder in madeFrom && manifest.scripts?.build)
    .filter(({ folder }) => only.length === 0 || only.includes(folder))
    .filter((one) => !staleOnly || isStale(one.folder, extentOf(one, isServed)))
  if (waiting.length > 0) say(`Building ${waiting.map(({ folder }) => folder).join(', ')}`)
  const results: Built[] = []
  const worker = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const result = await buildOne(next, extentOf(next, isServed))
      results.push(result)
      say(`  ${result.ok ? 'built' : 'FAILED'} ${result.folder} (${seconds(result.ms)})`)
      if (!result.ok) say(result.output)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return { ok: results.every(({ ok }) => ok), results }
}
