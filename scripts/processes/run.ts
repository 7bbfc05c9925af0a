import { spawn } from 'node:child_process'
import { childEnvironment, root } from '../setup.mjs'

export type Outcome = { ok: boolean; output: string; ms: number }
type Options = {
  env?: Readonly<Record<string, string | undefined>>
  cwd?: string
  show?: boolean
}

/** Runs a program to its end without standard input. Captures its output, or shows it live. */
export const run = (
  command: string,
  args: string[],
  { env = {}, cwd = root, show = false }: Options = {},
): Promise<Outcome> =>
  new Promise((resolve) => {
    const started = performance.now()
    const child = spawn(command, args, {
      cwd,
      env: childEnvironment(env),
      stdio: ['ignore', show ? 'inherit' : 'pipe', show ? 'inherit' : 'pipe'],
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (data) => (output += data))
    const settle = (ok: boolean) => resolve({ ok, output: output.trim(), ms: performance.now() - started })
    child.on('error', (error) => {
      output += error.message
      settle(false)
    })
    child.on('close', (code) => settle(code === 0))
  })

export const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`
