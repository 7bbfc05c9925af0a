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
  readonly child: ChildProcess
  /** Rejects when it has ended without being told to. */
  readonly died: Promise<never>
  readonly stop: () => Promise<void>
}

type ProgramOptions = {
  readonly name: string
  readonly script: string
  readonly args?: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly logFile: string
  /** What it prints goes to the console too. */
  readonly isEchoed: boolean
}

export function startProgram({ name, script, args = [], env, logFile, isEchoed }: ProgramOptions): Program {
  // A session of its own: a Ctrl-C in the terminal reaches who started it alone, and that one ends all in order.
  const child = spawn(process.execPath, ['--import', endWithParent, script, ...args], {
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
  child.on('error', (error) => lines.push(error.message))
  let isTold = false
  const ended = once(child, 'close').then(([code, signal]) => {
    log.end()
    return String(signal ?? `exit code ${code}`)
  })
  const died = new Promise<never>((_, reject) => {
    void ended.then((how) => {
      if (!isTold) reject(new Error([`The ${name} stopped (${how}). Its last lines:`, ...lines].join('\n  ')))
    })
  })
  died.catch(() => {})
  return {
    child,
    died,
    async stop() {
      isTold = true
      child.kill('SIGTERM')
      const timer = setTimeout(() => child.kill('SIGKILL'), stopDeadlineMs)
      await ended
      clearTimeout(timer)
    },
  }
}

/** Resolves when the address answers with 200; rejects when the program has died, or does not answer in time. */
export async function untilItAnswers({ died }: Program, url: string): Promise<void> {
  const deadline = Date.now() + startDeadlineMs
  const isAnswered = async () => {
    const answer = await fetch(url, { signal: AbortSignal.timeout(1_000) }).catch(() => undefined)
    return answer?.ok === true
  }
  while (!(await Promise.race([isAnswered(), died]))) {
    if (Date.now() > deadline) throw new Error(`${url} did not answer within ${startDeadlineMs / 1_000} s`)
    await new Promise((resolve) => setTimeout(resolve, askEveryMs))
  }
}
