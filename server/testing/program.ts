/** A program of ours, as an operator runs it: its output is heard, and it ends with the test. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..', '..')

export type Program = {
  readonly child: ChildProcess
  readonly ended: Promise<{ readonly code: number | null; readonly output: string }>
  /** Resolves when it has said so; rejects when it ended without. */
  readonly says: (text: string) => Promise<void>
  readonly output: () => string
  readonly kill: () => Promise<void>
}

export function programs() {
  const running = new Set<Program>()
  return {
    run(script: string, args: readonly string[], environment: NodeJS.ProcessEnv): Program {
      const program = start(script, args, environment)
      running.add(program)
      return program
    },
    async killAll(): Promise<void> {
      await Promise.all([...running].map(({ kill }) => kill()))
      running.clear()
    },
  }
}

function start(script: string, args: readonly string[], environment: NodeJS.ProcessEnv): Program {
  const child = spawn(process.execPath, ['--conditions=latchkey-source', script, ...args], {
    cwd: root,
    env: { PATH: process.env.PATH, ...environment },
  })
  let output = ''
  const waiting = new Set<() => void>()
  const hear = (chunk: Buffer) => {
    output += chunk.toString()
    for (const look of waiting) look()
  }
  child.stdout.on('data', hear)
  child.stderr.on('data', hear)
  const ended = once(child, 'exit').then(([code]) => ({ code, output }))
  return {
    child,
    ended,
    output: () => output,
    says: (text) =>
      new Promise((resolve, reject) => {
        const look = () => {
          if (output.includes(text)) resolve()
        }
        waiting.add(look)
        look()
        ended.then(() => reject(new Error(`ended without saying ${text}:\n${output}`)))
      }),
    async kill() {
      child.kill('SIGKILL')
      if (child.exitCode === null && child.signalCode === null) await ended
    },
  }
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  if (typeof address !== 'object' || !address) throw new Error('no port')
  return address.port
}
