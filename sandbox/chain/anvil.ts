import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'

/** The chain id of the development chain. */
export const chainId = 31_337

const startDeadlineMs = 15_000
const stopGraceMs = 2_000
/** Older states are pruned, which bounds the memory of a long run. */
const maxStoredStates = 256
const maxErrorLines = 20

export type Chain = {
  port: number
  stop: () => Promise<void>
  /** Resolves if the chain exits before `stop` is called. */
  died: Promise<string>
}

const architectures: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' }
const platforms: Readonly<Record<string, string>> = { linux: 'linux', darwin: 'darwin', win32: 'win32' }

/**
 * Returns the path of the binary. The npm wrapper script dies on a signal before its child does, so its exit
 * does not show that the port is free.
 */
const getBinaryPath = (): string => {
  const name = `@foundry-rs/anvil-${platforms[process.platform]}-${architectures[process.arch]}`
  const file = process.platform === 'win32' ? 'anvil.exe' : 'anvil'
  const wrapper = createRequire(import.meta.url).resolve('@foundry-rs/anvil/package.json')
  return createRequire(wrapper).resolve(`${name}/bin/${file}`)
}

/** Resolves with the port that anvil prints once it listens. */
const waitForPort = (
  child: ChildProcessByStdio<null, Readable, Readable>,
  ended: Promise<string>,
): Promise<number> =>
  new Promise((resolve, reject) => {
    const errorLines: string[] = []
    const deadline = setTimeout(
      () => reject(new Error(`anvil did not start within ${startDeadlineMs} ms`)),
      startDeadlineMs,
    )
    createInterface({ input: child.stderr }).on('line', (line) => {
      errorLines.push(line)
      if (errorLines.length > maxErrorLines) errorLines.shift()
    })
    // Drain stdout: a full pipe would block the chain.
    createInterface({ input: child.stdout }).on('line', (line) => {
      const port = /^Listening on \S+:(\d+)$/.exec(line)?.[1]
      if (port === undefined) return
      clearTimeout(deadline)
      resolve(Number(port))
    })
    ended.then((how) => {
      clearTimeout(deadline)
      reject(new Error([`anvil ended (${how})`, ...errorLines].join('\n')))
    })
  })

const watcher = join(import.meta.dirname, 'end-with-parent.mjs')

/**
 * Ends the chain when this process dies, even by SIGKILL: the watcher sees its pipe close and kills the
 * chain.
 */
const endWithParent = (chain: ChildProcessByStdio<null, Readable, Readable>) => {
  if (chain.pid === undefined) return
  // Its own process group, so that a signal to our group does not kill the watcher first.
  const watch = spawn(process.execPath, [watcher, String(chain.pid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  })
  chain.once('exit', () => watch.kill('SIGKILL'))
}

export const startChain = async (options: { host: string; port: number }): Promise<Chain> => {
  const child = spawn(
    getBinaryPath(),
    [
      ...['--host', options.host],
      ...['--port', String(options.port)],
      ...['--chain-id', String(chainId)],
      ...['--prune-history', String(maxStoredStates)],
      ...['--color', 'never'],
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  )
  endWithParent(child)
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('exit', (code, signal) => resolve(signal === null ? `exit code ${code}` : `signal ${signal}`))
  })
  let stopping = false
  const died = ended.then((how) =>
    stopping ? new Promise<never>(() => {}) : `anvil exited unexpectedly (${how})`,
  )
  const port = await waitForPort(child, ended).catch((error: unknown) => {
    child.kill('SIGKILL')
    throw error
  })

  return {
    port,
    died,
    stop: async () => {
      stopping = true
      child.kill('SIGTERM')
      const killTimer = setTimeout(() => child.kill('SIGKILL'), stopGraceMs)
      await ended
      clearTimeout(killTimer)
    },
  }
}
