/** Runs our programs like an operator. Collects their output and ends them with the test file. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll } from 'vitest'

const root = join(import.meta.dirname, '..', '..')
/** Ends the programs if the test worker is killed. */
const endWithParent = pathToFileURL(join(root, 'sdk/sandbox/programs/end-with-parent.mjs')).href
/** The compile cache of Node, shared by all programs. */
const compiled = join(root, '.cache', 'compiled')
const endGraceMs = 2_000

export type Program = {
  child: ChildProcess
  ended: Promise<{ code: number | null; output: string }>
  /** Resolves when the output contains the text; rejects if the program ends before. */
  says: (text: string) => Promise<void>
  output: () => string
  kill: () => Promise<void>
  /** Ends the program with SIGINT, so that its child processes end too. */
  end: () => Promise<void>
}

/** Must be called outside of a test. */
export function programs() {
  const running = new Set<Program>()
  afterAll(() => Promise.all([...running].map(({ end }) => end())))
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
  const options = ['--conditions=latchkey-source', '--import', endWithParent]
  const child = spawn(process.execPath, [...options, script, ...args], {
    cwd: root,
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: compiled, ...environment },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  let output = ''
  const waiting = new Set<() => void>()
  const hear = (chunk: Buffer) => {
    output += chunk.toString()
    for (const look of waiting) look()
  }
  child.stdout?.on('data', hear)
  child.stderr?.on('data', hear)
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
        ended.then(() => reject(new Error(`ended without printing ${text}:\n${output}`)))
      }),
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
    async end() {
      const impatience = setTimeout(() => child.kill('SIGKILL'), endGraceMs)
      child.kill('SIGINT')
      await ended
      clearTimeout(impatience)
    },
  }
}

const assignedPorts = new Set<number>()

/** Returns a port that this process has not used before: the system may reuse a released one. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  if (typeof address !== 'object' || !address) throw new Error('no port')
  if (assignedPorts.has(address.port)) return freePort()
  assignedPorts.add(address.port)
  return address.port
}
