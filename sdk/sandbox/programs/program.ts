/** A program of the product. It writes a log, and ends with its parent process. */
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
  /** Resolves when the program has ended, and how. */
  ended: Promise<'by itself' | 'as told'>
  /** Rejects when the program ends without `stop()`. */
  died: Promise<never>
  /** Resolves when the URL responds with 200. Rejects if the program ends first or does not respond in time. */
  answers: (url: string, deadlineMs?: number) => Promise<void>
  /** Ends the program. After the deadline, kills it with its child processes. */
  stop: (signal?: 'SIGTERM' | 'SIGKILL', deadlineMs?: number) => Promise<void>
}

export type ProgramOptions = {
  /** The name for error messages, such as `The server`. */
  name: string
  script: string
  args?: string[]
  env: Readonly<Record<string, string | undefined>>
  logFile: string
  /** Whether to copy its output to the console. */
  isEchoed?: boolean
  /** The working directory. Defaults to that of this process. */
  folder?: string
  /** Options of Node itself, such as `--conditions`. */
  nodeOptions?: string[]
}

export const startProgram = (options: ProgramOptions): Program => launch(options).program

function launch(options: ProgramOptions): { child: ChildProcess; program: Program } {
  const { name, script, args = [], env, logFile, isEchoed = false, folder, nodeOptions = [] } = options
  // In its own session, so that Ctrl-C reaches only the parent process, which ends all programs in order.
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
    // The last lines may arrive after the exit.
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
  const killGroup = () => {
    if (child.pid === undefined) return
    try {
      process.kill(-child.pid, 'SIGKILL')
    } catch {
      // Windows has no process groups.
      child.kill('SIGKILL')
    }
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
      const timer = setTimeout(killGroup, deadlineMs)
      await ended
      clearTimeout(timer)
    },
  }
  return { child, program }
}

type Answer = { printed?: string; why?: string }

export type Operator = Program & {
  /** Runs a command like `npm run app --`, one at a time. Resolves with its output. */
  run: (...args: string[]) => Promise<string>
}

/** Starts the operator commands as one long-running process, `server/testing/operator.ts`. */
export function startOperator(options: ProgramOptions): Operator {
  const { child, program } = launch(options)
  let last: Promise<unknown> = Promise.resolve()
  const run = async (args: string[]) => {
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
