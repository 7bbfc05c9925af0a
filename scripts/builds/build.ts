// Builds the packages that have a `build` script, in parallel.

import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
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
  dashboard: ['protocol'],
  demo: ['loader', 'protocol'],
  'sdk/server': [],
  'sdk/migrate': [],
  'sdk/sandbox': ['protocol', 'server', 'sandbox', 'loader', 'dialog-app', 'wallet-frame'],
  'sdk/testing': ['loader', 'protocol'],
}

/** Packages with pages and scripts for browsers. */
export const servedPackages = ['loader', 'dialog-app', 'wallet-frame', 'dashboard']

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
 * The extents of a build, from the smallest. `local` files are for a browser of this machine, so they are neither
 * compressed nor minified by terser. `served` is all that a host installs. `whole` includes the packages for npm.
 */
const extents = ['local', 'served', 'whole'] as const
type Extent = (typeof extents)[number]

/** The stamp of a package holds the extent of its last build. Its time is the start of that build. */
const stampPath = (folder: string) => join(stamps, folder)

function isStale(folder: string, extent: Extent): boolean {
  const stamp = stampPath(folder)
  if (!existsSync(stamp) || !existsSync(join(root, folder, 'dist'))) return true
  const built = extents.indexOf(readFileSync(stamp, 'utf8') as Extent)
  return built < extents.indexOf(extent) || newestSource(folder) > statSync(stamp).mtimeMs
}

export type Built = Outcome & { folder: string }

const buildOne = async ({ folder, manifest }: Package, extent: Extent): Promise<Built> => {
  const startedAt = new Date()
  const stamp = stampPath(folder)
  rmSync(stamp, { force: true })
  const hasServedBuild = manifest.scripts?.['build:served'] !== undefined
  const script = extent !== 'whole' && hasServedBuild ? 'build:served' : 'build'
  const env = {
    // Under another NODE_ENV, such as that of a test runner, React's development code and absolute paths would be built.
    NODE_ENV: 'production',
    LATCHKEY_LOCAL_BUILD: extent === 'local' ? 'yes' : undefined,
  }
  const result = await run('npm', ['run', script, '--silent', '-w', folder], { env })
  if (result.ok) {
    mkdirSync(dirname(stamp), { recursive: true })
    writeFileSync(stamp, extent === 'served' && !hasServedBuild ? 'whole' : extent)
    // Files that change during the build are newer than its start.
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
  extent?: Extent
}

/** Builds all packages or the listed ones. With `staleOnly`, builds only those with newer sources. */
export const build = async ({ only = [], staleOnly = false, extent = 'whole' }: Which = {}) => {
  await writeCommit()
  const waiting = packages()
    .filter(({ folder, manifest }) => folder in madeFrom && manifest.scripts?.build)
    .filter(({ folder }) => only.length === 0 || only.includes(folder))
    .filter(({ folder }) => !staleOnly || isStale(folder, extent))
  if (waiting.length > 0) say(`Building ${waiting.map(({ folder }) => folder).join(', ')}`)
  const results: Built[] = []
  const builds = new Map<string, Promise<Built>>()
  const worker = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      await Promise.all((builtBefore[next.folder] ?? []).map((folder) => builds.get(folder)))
      const building = buildOne(next, extent)
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
