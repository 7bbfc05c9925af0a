// Builds the packages that have a `build` script, in parallel.

import { mkdirSync, readdirSync, realpathSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Outcome, run, seconds } from '../processes/run.ts'
import { root, say } from '../setup.mjs'
import { type Package, packages } from './packages.ts'

/** The packages that provide the sources of each bundle. */
const madeFrom: Readonly<Record<string, string[]>> = {
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

/** Packages with pages and scripts for browsers. */
export const servedPackages = ['loader', 'dialog-app', 'wallet-frame']

/** The sandbox copies the built pages, so its build starts after theirs. */
const builtBefore: Readonly<Record<string, string[]>> = { 'sdk/sandbox': servedPackages }

/** Builds are short, so more than two at a time gain nothing on a small machine. */
const atOnce = 2
const stamps = join(root, '.cache', 'build')
const isSource = (name: string) => !/^(dist|releases|node_modules|\..*)$|\.test\.tsx?$|\.md$/.test(name)

/**
 * Returns the newest modification time in a package's sources, in milliseconds. The time of a folder reveals
 * deleted files. The package folder itself does not count, because builds that recreate `dist` change it.
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
 * The extent of a build: everything, or only the served files, which is less for packages that hosts install
 * too. Each has its own stamp. A whole build includes the served files.
 */
type Extent = 'build' | 'build:served'
const stampPath = (folder: string, extent: Extent) =>
  join(stamps, extent === 'build' ? folder : `${folder}.served`)
const chooseExtent = ({ manifest }: Package, isServed: boolean): Extent =>
  isServed && manifest.scripts?.['build:served'] !== undefined ? 'build:served' : 'build'

const stampTime = (folder: string, extent: Extent) => {
  try {
    statSync(join(root, folder, 'dist'))
    return statSync(stampPath(folder, extent)).mtimeMs
  } catch {
    return 0
  }
}

const isStale = (folder: string, extent: Extent) =>
  newestSource(folder) > Math.max(stampTime(folder, 'build'), stampTime(folder, extent))

export type Built = Outcome & { folder: string }

const buildOne = async ({ folder }: Package, extent: Extent): Promise<Built> => {
  const startedAt = new Date()
  const stamp = stampPath(folder, extent)
  // A whole build empties the folder of both extents.
  for (const staleExtent of extent === 'build' ? ([extent, 'build:served'] as const) : [extent])
    rmSync(stampPath(folder, staleExtent), { force: true })
  // Under another NODE_ENV, such as that of a test runner, React's development code and absolute paths would be built.
  const env = { NODE_ENV: 'production' }
  const result = await run('npm', ['run', extent, '--silent', '-w', folder], { env })
  if (result.ok) {
    // The stamp has the start time, so that files that change during the build count as newer.
    mkdirSync(dirname(stamp), { recursive: true })
    writeFileSync(stamp, '')
    utimesSync(stamp, startedAt, startedAt)
  }
  return { folder, ...result }
}

/**
 * Writes the commit, which the server reports in /readyz and its log. A checkout without history keeps the
 * file.
 */
const writeCommit = async () => {
  const { ok, output } = await run('git', ['rev-parse', '--show-toplevel', 'HEAD'])
  const [folder = '', commit = ''] = output.split('\n')
  // A checkout without history may be inside another project's repository.
  if (ok && realpathSync(folder) === realpathSync(root)) writeFileSync(join(root, '.commit'), commit)
}

type Which = {
  only?: string[]
  staleOnly?: boolean
  /** Whether to build only the served files. */
  isServed?: boolean
}

/** Builds all packages or the given ones. With `staleOnly`, builds only those with newer sources. */
export const build = async ({ only = [], staleOnly = false, isServed = false }: Which = {}) => {
  await writeCommit()
  const waiting = packages()
    .filter(({ folder, manifest }) => folder in madeFrom && manifest.scripts?.build)
    .filter(({ folder }) => only.length === 0 || only.includes(folder))
    .filter((one) => !staleOnly || isStale(one.folder, chooseExtent(one, isServed)))
  if (waiting.length > 0) say(`Building ${waiting.map(({ folder }) => folder).join(', ')}`)
  const results: Built[] = []
  const builds = new Map<string, Promise<Built>>()
  const worker = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      await Promise.all((builtBefore[next.folder] ?? []).map((folder) => builds.get(folder)))
      const building = buildOne(next, chooseExtent(next, isServed))
      builds.set(next.folder, building)
      const result = await building
      results.push(result)
      say(`  ${result.ok ? 'built' : 'FAILED'} ${result.folder} (${seconds(result.ms)})`)
      if (!result.ok) say(result.output)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return { ok: results.every(({ ok }) => ok), results }
}
