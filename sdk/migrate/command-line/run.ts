import { spawnSync } from 'node:child_process'
import { existsSync, lstatSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, normalize, resolve, sep } from 'node:path'
import { linkTo } from '../privy/guide.ts'
import { migrate } from '../privy/migrate.ts'
import type { Change, Note, Project } from '../privy/source-file.ts'

type Result = FileReport & { source: string; code: string }

/**
 * Runs the command in a folder. Returns its exit code: 2 for invalid arguments, 1 if it refused to write,
 * otherwise 0.
 */
export function run(given: string[], folder: string, print: (line: string) => void): number {
  if (given.includes('--help') || given.includes('-h')) {
    print(usage)
    return 0
  }
  const read = readArguments(given)
  const missing =
    typeof read === 'string' ? undefined : read.paths.find((path) => !existsSync(resolve(folder, path)))
  if (typeof read === 'string' || missing !== undefined) {
    print(`${typeof read === 'string' ? read : `${missing} does not exist`}.\n\n${usage}`)
    return 2
  }
  const { paths, isDryRun, isForced } = read
  const findProject = createProjects()
  const results = listSources(folder, paths).map((path) => migrated(folder, path, findProject))
  const written = results.filter(({ code, source }) => code !== source)
  if (!isDryRun && !isForced && written.length > 0) {
    const uncommitted = [...new Set(paths.flatMap((path) => listUncommitted(resolve(folder, path))))]
    if (uncommitted.length > 0) {
      print('Nothing was written, because git reports uncommitted changes or failed:')
      for (const line of uncommitted.slice(0, 10)) print(`  ${line}`)
      print('Commit them first to tell them apart from the changes of this command, or add --force.')
      return 1
    }
  }
  for (const result of results) for (const line of formatReport(result)) print(line)
  if (!isDryRun) for (const { path, code } of written) writeFileSync(resolve(folder, path), code)
  print(summary(results, written.length, isDryRun))
  return 0
}

function migrated(folder: string, path: string, findProject: ReturnType<typeof createProjects>): Result {
  const bytes = readFileSync(resolve(folder, path))
  const source = bytes.toString('utf8')
  const untouched = { path, source, code: source, changes: [] }
  const why = (message: string): Result => ({
    ...untouched,
    notes: [{ line: 1, message, heading: 'provider' }],
  })
  if (!/privy/i.test(source)) return { ...untouched, notes: [] }
  if (!Buffer.from(source, 'utf8').equals(bytes))
    return why('This file is not UTF-8, so it was left as it is')
  const migration = migrate(path, source, findProject(dirname(resolve(folder, path))))
  return migration ? { path, source, ...migration } : why('This file does not parse, so it was left as it is')
}

function summary(results: Result[], files: number, isDryRun: boolean): string {
  const notes = results.reduce((sum, { notes }) => sum + notes.length, 0)
  if (files === 0 && notes === 0) return 'Nothing to change.'
  const places = `${notes} ${notes === 1 ? 'place is' : 'places are'} left to you.`
  const head = `${files} ${files === 1 ? 'file' : 'files'} ${isDryRun ? 'would change' : 'changed'}, ${places}`
  if (isDryRun || files === 0) return head
  return `${head}\nNext: install @latchkey/loader, remove Privy's packages once no import names them, and run your type checker.`
}

/** The help text. */
const usage = `npx @latchkey/migrate privy [--dry-run] [--force] [paths…]

Moves a React app from @privy-io/react-auth to @latchkey/loader/react. It makes every change that it is sure of, and lists the rest.

  paths       files and folders (default: the current folder)
  --dry-run   prints the changes without writing them
  --force     writes even if git has uncommitted changes
`

type Arguments = {
  isDryRun: boolean
  isForced: boolean
  paths: string[]
}

const options = ['--dry-run', '--force']

/** Returns the parsed arguments, or an error message. */
function readArguments(given: string[]): Arguments | string {
  const [from, ...rest] = given
  if (from === undefined) return 'Name the kit to migrate from: privy'
  if (from !== 'privy') return `Unknown kit "${from}". Supported: privy`
  const unknown = rest.find((each) => each.startsWith('-') && !options.includes(each))
  if (unknown !== undefined) return `Unknown option ${unknown}`
  const paths = rest.filter((each) => !each.startsWith('-'))
  return {
    isDryRun: rest.includes('--dry-run'),
    isForced: rest.includes('--force'),
    paths: paths.length > 0 ? paths : ['.'],
  }
}

const gitDeadlineMs = 30_000

/** Returns the uncommitted changes below a path. Returns none outside a git repository or without git. */
function listUncommitted(path: string): string[] {
  const [folder, at] = lstatSync(path).isDirectory() ? [path, '.'] : [dirname(path), basename(path)]
  const { status, stdout, stderr, error } = spawnSync(
    'git',
    ['-C', folder, 'status', '--porcelain', '--', at],
    // In English, because the error message identifies a missing repository.
    { encoding: 'utf8', timeout: gitDeadlineMs, env: { ...process.env, LC_ALL: 'C' } },
  )
  if (status === 0) return stdout.split('\n').filter((line) => line !== '')
  const isMissing = error !== undefined && 'code' in error && error.code === 'ENOENT'
  if (isMissing || stderr.includes('not a git repository (or any')) return []
  return [`git status: ${stderr.trim() || 'no answer'}`]
}

type FileReport = {
  path: string
  changes: Change[]
  notes: Note[]
}

/** Formats the report: a line for each change and each remaining place. */
export function formatReport({ path, changes, notes }: FileReport): string[] {
  return [
    ...changes.map(({ line, message }) => `changed  ${path}:${line}: ${message}.`),
    ...notes.map(
      ({ line, message, heading }) => `left     ${path}:${line}: ${message}. See ${linkTo(heading)}`,
    ),
  ]
}

// Finding source files below the given paths, without installed or built files.

const neverRead = ['node_modules', 'dist', '.next']
const isSource = (name: string) => /\.(?:ts|tsx|js|jsx)$/.test(name) && !name.endsWith('.d.ts')

/** Returns whether a path is inside an installed or built folder, even if it is named explicitly. */
const isNeverRead = (folder: string, path: string) =>
  normalize(path)
    .split(sep)
    .some((part) => neverRead.includes(part)) || resolve(folder, path).split(sep).includes('node_modules')

/** Returns the source files below the given paths, each once, relative to the folder. Does not follow links. */
function listSources(folder: string, paths: string[]): string[] {
  const included = paths.filter((path) => !isNeverRead(folder, path))
  return [...new Set(included.flatMap((path) => listSourcesAt(folder, normalize(path))))]
}

function listSourcesAt(folder: string, path: string): string[] {
  const place = resolve(folder, path)
  const stat = lstatSync(place)
  if (stat.isFile()) return isSource(path) ? [path] : []
  if (!stat.isDirectory()) return []
  return readdirSync(place)
    .filter((name) => !neverRead.includes(name) && name !== '.git')
    .sort()
    .flatMap((name) => listSourcesAt(folder, join(path, name)))
}

const bundlers: [string, NonNullable<Project['bundler']>][] = [
  ['next', 'next'],
  ['vite', 'vite'],
  ['react-scripts', 'create-react-app'],
]

/** Creates a lookup for the project data in the nearest package.json of a folder. */
function createProjects(): (folder: string) => Project {
  const projectsByFolder = new Map<string, Project>()
  const findProject = (folder: string): Project => {
    const project =
      projectsByFolder.get(folder) ??
      read(folder) ??
      (dirname(folder) === folder ? {} : findProject(dirname(folder)))
    projectsByFolder.set(folder, project)
    return project
  }
  return findProject
}

function read(folder: string): Project | undefined {
  try {
    const { dependencies, devDependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    const all: Record<string, unknown> = { ...dependencies, ...devDependencies }
    const major = /^[\^~>=v\s]*(\d+)/.exec(String(all['@privy-io/react-auth'] ?? ''))?.[1]
    return {
      privyMajor: major === undefined ? undefined : Number(major),
      bundler: bundlers.find(([name]) => Object.hasOwn(all, name))?.[1],
    }
  } catch {
    return undefined
  }
}
