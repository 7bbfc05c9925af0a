import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = new URL('../../', import.meta.url)
/** The compile cache of Node, which the manual recommends for faster starts. */
const compiled = fileURLToPath(new URL('.cache/compiled', root))
const startDeadlineMs = 60_000
const stopDeadlineMs = 5_000

export type Started = {
  readonly pid: number | undefined
  readonly kill: (signal: 'SIGTERM' | 'SIGKILL', deadlineMs?: number) => Promise<void>
  /** Resolves when it ended, and by itself or because it was told to. */
  readonly ended: Promise<'by itself' | 'as told'>
}

/**
 * Starts one of the product's own programs, or that of a folder of its own, on what packages ship, and waits until it
 * answers. What it prints goes to its log file.
 */
export async function startProgram(options: {
  readonly name: string
  readonly folder?: string
  readonly script: string
  readonly args?: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly logFile: string
  readonly answersAt: string
  readonly deadlineMs?: number
}): Promise<Started> {
  const conditions = options.folder === undefined ? ['--conditions=latchkey-source'] : []
  const child = spawn(process.execPath, [...conditions, options.script, ...(options.args ?? [])], {
    cwd: options.folder ?? root,
    env: { ...process.env, NODE_COMPILE_CACHE: compiled, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const log = createWriteStream(options.logFile, { flags: 'a' })
  const printed: string[] = []
  for (const stream of [child.stdout, child.stderr]) {
    stream.pipe(log, { end: false })
    stream.on('data', (chunk: Buffer) => printed.push(String(chunk)))
  }
  await waitUntilItAnswers(
    child,
    options.answersAt,
    options.deadlineMs ?? startDeadlineMs,
    () => `${options.name} did not start:\n${printed.join('')}`,
  )
  let isTold = false
  return {
    pid: child.pid,
    kill(signal, deadlineMs = stopDeadlineMs) {
      isTold = true
      return end(child, signal, deadlineMs)
    },
    ended: new Promise((resolve) => child.once('exit', () => resolve(isTold ? 'as told' : 'by itself'))),
  }
}

export type Operator = {
  readonly run: (args: readonly string[]) => Promise<string>
  readonly stop: () => Promise<void>
}

/** Whoever is told what to do with the apps; one thing after the other. */
export function startOperator(env: Readonly<Record<string, string>>): Operator {
  const child = fork('server/testing/operator.ts', {
    cwd: root,
    execArgv: ['--conditions=latchkey-source'],
    env: { ...process.env, NODE_COMPILE_CACHE: compiled, ...env },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const ended = once(child, 'exit').then(() => Promise.reject(new Error('The operator has gone')))
  ended.catch(() => {})
  let last: Promise<unknown> = Promise.resolve()
  const told = async (args: readonly string[]) => {
    const answered = once(child, 'message')
    child.send(args)
    const [answer]: Said[] = await Promise.race([answered, ended])
    if (answer?.printed === undefined) throw new Error(`npm run app -- ${args.join(' ')}\n${answer?.why}`)
    return answer.printed
  }
  return {
    run(args) {
      const said = last.then(() => told(args))
      last = said.catch(() => {})
      return said
    },
    stop: () => end(child, 'SIGTERM', stopDeadlineMs),
  }
}
type Said = { readonly printed?: string; readonly why?: string }

/** Runs one of the product's command lines to its end. */
export async function runProgram(
  script: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
) {
  const child = spawn(process.execPath, ['--conditions=latchkey-source', script, ...args], {
    cwd: root,
    env: { ...process.env, NODE_COMPILE_CACHE: compiled, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const printed: string[] = []
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => printed.push(String(chunk)))
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  if (code !== 0) throw new Error(`${script} ${args.join(' ')} ended with ${code}:\n${printed.join('')}`)
  return printed.join('')
}

async function waitUntilItAnswers(
  child: ChildProcess,
  url: string,
  deadlineMs: number,
  failure: () => string,
) {
  const deadline = Date.now() + deadlineMs
  while (Date.now() < deadline) {
    if (child.exitCode !== null) throw new Error(failure())
    const answer = await fetch(url, { signal: AbortSignal.timeout(1_000) }).catch(() => undefined)
    if (answer?.ok) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  child.kill('SIGKILL')
  throw new Error(failure())
}

async function end(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL', deadlineMs: number) {
  if (child.exitCode !== null || child.signalCode !== null) return
  const closed = new Promise((resolve) => child.once('exit', resolve))
  child.kill(signal)
  const timer = setTimeout(() => child.kill('SIGKILL'), deadlineMs)
  await closed
  clearTimeout(timer)
}
