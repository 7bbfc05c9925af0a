/** Debian programs that a soak test needs, and the accounts that run them, so that none runs as root. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, existsSync } from 'node:fs'
import { ensureEngine } from '../../scripts/local/browsers.ts'

export type Tool = {
  name: string
  programs: string[]
  packages: string[]
}

/** Installs a missing tool. If this user cannot, throws with the command that does. */
export async function ensureTool({ name, programs, packages }: Tool): Promise<void> {
  const isHere = () => programs.every((path) => existsSync(path))
  const problem = await ensureEngine({ name, isHere, packages })
  if (problem !== undefined) throw new Error(problem)
}

const isRoot = process.getuid?.() === 0
const account = 'postgres'

/** Gives a folder to the account of Debian's PostgreSQL, if this process runs as root. */
export function giveAway(folder: string): void {
  if (isRoot) spawnSync('chown', ['-R', `${account}:${account}`, folder])
}

export type Daemon = {
  child: ChildProcess
  end: (signal: 'SIGTERM' | 'SIGKILL') => Promise<void>
}

/** Starts a program in its own process group, so that it can be killed with all its children. */
export function startDaemon(
  command: string,
  args: readonly string[],
  { logFile, env = {} }: { logFile: string; env?: Readonly<Record<string, string>> },
): Daemon {
  const [program, ...words] = isRoot
    ? ['setpriv', `--reuid=${account}`, `--regid=${account}`, '--clear-groups', command, ...args]
    : [command, ...args]
  const child = spawn(program ?? command, words, {
    detached: true,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const log = createWriteStream(logFile, { flags: 'a' })
  for (const stream of [child.stdout, child.stderr]) stream.pipe(log, { end: false })
  return {
    child,
    async end(signal) {
      if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
      const ended = once(child, 'exit')
      process.kill(-child.pid, signal)
      await ended
    },
  }
}
