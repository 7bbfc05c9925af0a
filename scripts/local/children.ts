import { type ChildProcess, spawn } from 'node:child_process'
import { createWriteStream, mkdirSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { childEnvironment, root } from '../setup.mjs'

const endWithParent = new URL('../../sdk/sandbox/programs/end-with-parent.mjs', import.meta.url).href
const keptLines = 30
const pollEveryMs = 100
const startDeadlineMs = 30_000

type Address = { port: number; host: string; path: string }
type Program = {
  name: string
  args: string[]
  env?: Readonly<Record<string, string | undefined>>
  echo?: boolean
}
type Death = { name: string; how: string; lines: string[] }

/** Sends a GET request to the loopback address with the program's host name. */
const answers = ({ port, host, path }: Address) =>
  new Promise<boolean>((resolve) => {
    const call = request({
      host: '127.0.0.1',
      port,
      path,
      headers: { host: `${host}:${port}` },
      timeout: 2_000,
    })
    call.on('response', (response) => {
      response.resume()
      resolve(response.statusCode === 200)
    })
    call.on('timeout', () => call.destroy())
    call.on('error', () => resolve(false))
    call.end()
  })

/**
 * Creates the programs of the local product. Each has a log file and ends with the others. If one dies,
 * `onDeath` receives its name, its exit and its last output.
 */
export const createChildren = ({
  logFolder,
  onDeath,
  stopDeadlineMs = 4_000,
}: {
  logFolder: string
  onDeath: (death: Death) => void
  stopDeadlineMs?: number
}) => {
  const running = new Map<string, { child: ChildProcess; ended: Promise<void> }>()
  let stopping = false
  mkdirSync(logFolder, { recursive: true })

  const start = ({ name, args, env = {}, echo = false }: Program) => {
    const log = createWriteStream(join(logFolder, `${name}.log`))
    // In its own session, so that Ctrl-C reaches only this process, which ends the programs in order. The
    // channel tells them if this process is gone.
    const child = spawn(process.execPath, ['--import', endWithParent, ...args], {
      cwd: root,
      env: childEnvironment(env),
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      detached: true,
    })
    const lines: string[] = []
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (data) => {
        log.write(data)
        if (echo) process.stdout.write(data)
        lines.push(...String(data).split('\n').filter(Boolean))
        lines.splice(0, lines.length - keptLines)
      })
    }
    child.on('error', (error) => lines.push(error.message))
    const ended = new Promise<void>((resolve) => {
      child.on('close', (code, signal) => {
        running.delete(name)
        resolve()
        if (!stopping) onDeath({ name, how: signal === null ? `exit code ${code}` : signal, lines })
      })
    })
    running.set(name, { child, ended })
  }

  const waitFor = async (name: string, at: Address): Promise<boolean> => {
    const deadline = Date.now() + startDeadlineMs
    while (running.has(name)) {
      if (await answers(at)) return true
      if (Date.now() > deadline) return false
      await new Promise((resolve) => setTimeout(resolve, pollEveryMs))
    }
    // The program died, and onDeath reports it.
    return new Promise(() => {})
  }

  const kill = ({ pid }: ChildProcess, signal: NodeJS.Signals) => {
    if (pid === undefined) return
    try {
      process.kill(-pid, signal)
    } catch {
      // The program has ended in the meantime.
    }
  }

  const stop = async () => {
    stopping = true
    const all = [...running.values()]
    for (const { child } of all) child.kill('SIGTERM')
    const impatience = setTimeout(() => {
      for (const { child } of running.values()) kill(child, 'SIGKILL')
    }, stopDeadlineMs)
    await Promise.all(all.map(({ ended }) => ended))
    clearTimeout(impatience)
  }

  return { start, waitFor, stop }
}
