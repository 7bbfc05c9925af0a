import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'

/** The number that wallets know this development chain by. */
export const chainId = 31_337

const startDeadlineMs = 15_000
const stopGraceMs = 2_000
/** Blocks whose state stays readable; older ones are pruned, so that a long run does not fill the memory. */
const keptStates = 256
const keptErrorLines = 20

export type Chain = {
  port: number
  stop: () => Promise<void>
  /** Resolves only when the chain ends without being asked. */
  died: Promise<string>
}

const architectures: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' }
const platforms: Readonly<Record<string, string>> = { linux: 'linux', darwin: 'darwin', win32: 'win32' }

/**
 * The binary itself and not the script around it: that script dies by a signal before its child does, and then
 * nobody knows whether the port is free again.
 */
const binaryPath = (): string => {
  const name = `@foundry-rs/anvil-${platforms[process.platform]}-${architectures[process.arch]}`
  const file = process.platform === 'win32' ? 'anvil.exe' : 'anvil'
  const wrapper = createRequire(import.meta.url).resolve('@foundry-rs/anvil/package.json')
  return createRequire(wrapper).resolve(`${name}/bin/${file}`)
}

/** Resolves with the port that anvil says it listens on. */
const listeningPort = (
  child: ChildProcessByStdio<null, Readable, Readable>,
  ended: Promise<string>,
): Promise<number> =>
  new Promise((resolve, reject) => {
    const heard: string[] = []
    const deadline = setTimeout(
      () => reject(new Error(`anvil did not start within ${startDeadlineMs} ms`)),
      startDeadlineMs,
    )
    createInterface({ input: child.stderr }).on('line', (line) => {
      heard.push(line)
      if (heard.length > keptErrorLines) heard.shift()
    })
    // Read to the end: a full pipe would stop the chain.
    createInterface({ input: child.stdout }).on('line', (line) => {
      const port = /^Listening on \S+:(\d+)$/.exec(line)?.[1]
      if (port === undefined) return
      clearTimeout(deadline)
      resolve(Number(port))
    })
    ended.then((how) => {
      clearTimeout(deadline)
      reject(new Error([`anvil ended (${how})`, ...heard].join('\n')))
    })
  })

const watcher = join(import.meta.dirname, 'end-with-parent.mjs')

/**
 * The chain knows nothing of who started it. When this process is gone without a word, as after a SIGKILL, its end of
 * the pipe closes, and whoever is at the other ends the chain.
 */
const endWithUs = (chain: ChildProcessByStdio<null, Readable, Readable>) => {
  if (chain.pid === undefined) return
  // A group of its own: what ends ours, all at once, must not end it first.
  const watch = spawn(process.execPath, [watcher, String(chain.pid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  })
  chain.once('exit', () => watch.kill('SIGKILL'))
}

export const startChain = async (options: { host: string; port: number }): Promise<Chain> => {
  const child = spawn(
    binaryPath(),
    [
      ...['--host', options.host],
      ...['--port', String(options.port)],
      ...['--chain-id', String(chainId)],
      ...['--prune-history', String(keptStates)],
      ...['--color', 'never'],
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  )
  endWithUs(child)
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('exit', (code, signal) => resolve(signal === null ? `exit code ${code}` : `signal ${signal}`))
  })
  let stopping = false
  const died = ended.then((how) =>
    stopping ? new Promise<never>(() => {}) : `anvil ended by itself (${how})`,
  )
  const port = await listeningPort(child, ended).catch((error: unknown) => {
    child.kill('SIGKILL')
    throw error
  })

  return {
    port,
    died,
    stop: async () => {
      stopping = true
      child.kill('SIGTERM')
      const impatience = setTimeout(() => child.kill('SIGKILL'), stopGraceMs)
      await ended
      clearTimeout(impatience)
    },
  }
}
