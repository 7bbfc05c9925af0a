/** A program of the product: it has a log, is waited for until it answers, and ends with whoever started it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'

const startDeadlineMs = 60_000
const stopDeadlineMs = 5_000
const askEveryMs = 50
const linesInFailure = 30

const endWithParent = new URL(import.meta.resolve('./end-with-parent.mjs')).href

export type Program = {
  pid: number | undefined
  /** Resolves when it has ended: by itself, or because it was told to. */
  ended: Promise<'by itself' | 'as told'>
  /** Rejects when it has ended without being told to. */
  died: Promise<never>
  /** Resolves when the address answers with 200; rejects when the program has died, or does not answer in time. */
  answers: (url: string, deadlineMs?: number) => Promise<void>
  /** A program that does not end in time is killed. */
  stop: (signal?: 'SIGTERM' | 'SIGKILL', deadlineMs?: number) => Promise<void>
}

export type ProgramOptions = {
  /** Who it is in the sentence that says why it failed: `The server`. */
  name: string
  script: string
  args?: readonly string[]
  env: Readonly<Record<string, string>>
  logFile: string
  /** What it prints goes to the console too. */
  isEchoed?: boolean
  /** The folder that it runs in, unless it is that of this process. */
  folder?: string
  /** The options of Node itself, as `--conditions`. */
  nodeOptions?: readonly string[]
}

export const startProgram = (options: ProgramOptions): Program => launch(options).program

function launch(options: ProgramOptions): { child: ChildProcess; program: Program } {
  const { name, script, args = [], env, logFile, isEchoed = false, folder, nodeOptions = [] } = options
  // A session of its own: a Ctrl-C in the terminal reaches who started it alone, and that one ends all in order.
  const child = spawn(process.execPath, [...nodeOptions, '--import', endWithParent, script, ...args], {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    detached: true,
  })
  const log = createWriteStream(logFile, { flags: 'a' })
  const lines: string[] = []
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      log.write(chunk)
      if (isEchoed) process.stderr.write(chunk)
      lines.push(...String(chunk).split('\n').filter(Boolean))
      lines.splice(0, lines.length - linesInFailure)
    })
  }
  const failure = (what: string) => new Error([`${name} ${what}. Its last lines:`, ...lines].join('\n  '))
  child.on('error', (error) => lines.push(error.message))
  let isTold = false
  const ended = once(child, 'exit').then(() => (isTold ? 'as told' : 'by itself'))
  const died = new Promise<never>((_, reject) => {
    // Its last lines may come after it has ended.
    void once(child, 'close').then(([code, signal]) => {
      log.end()
      if (!isTold) reject(failure(`stopped (${signal ?? `exit code ${code}`})`))
    })
  })
  died.catch(() => {})
  const isAnswered = async (url: string) => {
    const answer = await fetch(url, { signal: AbortSignal.timeout(1_000) }).catch(() => undefined)
    return answer?.ok === true
  }
  const program: Program = {
    pid: child.pid,
    ended,
    died,
    async answers(url, deadlineMs = startDeadlineMs) {
      const deadline = Date.now() + deadlineMs
      while (!(await Promise.race([isAnswered(url), died]))) {
        if (Date.now() > deadline) throw failure(`did not answer at ${url} within ${deadlineMs / 1_000} s`)
        await new Promise((resolve) => setTimeout(resolve, askEveryMs))
      }
    },
    async stop(signal = 'SIGTERM', deadlineMs = stopDeadlineMs) {
      isTold = true
      child.kill(signal)
      const timer = setTimeout(() => child.kill('SIGKILL'), deadlineMs)
      await ended
      clearTimeout(timer)
    },
  }
  return { child, program }
}

type Answer = { printed?: string; why?: string }

export type Operator = Program & {
  /** Runs one command after the other, each as `npm run app --`, and resolves with what it printed. */
  run: (...args: readonly string[]) => Promise<string>
}

/** The operator's commands, kept at hand by `server/testing/operator.ts`. */
export function startOperator(options: ProgramOptions): Operator {
  const { child, program } = launch(options)
  let last: Promise<unknown> = Promise.resolve()
  const run = async (args: readonly string[]) => {
    const answered = once(child, 'message')
    child.send([...args])
    const [answer]: Answer[] = await Promise.race([answered, program.died])
    if (answer?.printed === undefined) throw new Error(`npm run app -- ${args.join(' ')}\n${answer?.why}`)
    return answer.printed
  }
  return {
    ...program,
    run(...args) {
      const next = last.then(() => run(args))
      last = next.catch(() => {})
      return next
    },
  }
}
