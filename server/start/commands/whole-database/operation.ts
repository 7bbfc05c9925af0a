/** The program frame of commands that open databases themselves: `latchkey copy`, `backup`, `restore` and `migrate`. */
import { resolve } from 'node:path'
import { parseStorageConfig, type StorageConfig } from '../../../kernel/config.ts'
import { CopyRefusal } from '../../../kernel/copy/refusal.ts'
import { parseEngine } from '../../../kernel/db/database.ts'
import type { Environment } from '../../../kernel/environment.ts'
import type { Clock } from '../../../kernel/ports.ts'
import { type CommandResult, explainError, runProgram, type ToolContext } from '../command.ts'
import { type CommandSpec, formatHelp, isHelpOption, UsageError } from '../spec.ts'

export type OperationContext = Pick<ToolContext, 'clock' | 'environment' | 'print'> & {
  /** Shows the current step, on a line that the next step overwrites. */
  progress: (what: string) => void
}
export type Operation = {
  name: string
  spec: CommandSpec
  run: (args: readonly string[], context: OperationContext) => Promise<void>
}

export const runOperationProgram = (operation: Operation, args: readonly string[]): Promise<void> =>
  runProgram(async (environment, print) => {
    const progress = progressLine()
    const printBelow = (line: string) => {
      progress.clear()
      print(line)
    }
    const ran = await runOperation(operation, args, environment, printBelow, progress.show)
    progress.clear()
    return ran
  })

const systemClock: Clock = { nowMs: Date.now }

export async function runOperation(
  operation: Operation,
  args: readonly string[],
  environment: Environment,
  print: ToolContext['print'],
  progress: OperationContext['progress'] = () => {},
): Promise<CommandResult> {
  const usage = formatHelp(`latchkey ${operation.name}`, operation.spec)
  if (args.some(isHelpOption)) {
    print(usage)
    return { ok: true }
  }
  try {
    await operation.run(args, { clock: systemClock, environment, print, progress })
    return { ok: true }
  } catch (error) {
    return { ok: false, why: explainError(error, isRefusal, usage) }
  }
}

/** System errors about a path (no permission, disk full) are printed with their message too. */
const isRefusal = (error: unknown) =>
  error instanceof CopyRefusal || (error instanceof Error && 'syscall' in error)

const progressLimits = { terminalEveryMs: 100, logEveryMs: 10_000 } as const

/** Shows progress: one updated line on a terminal, or an occasional line otherwise. */
function progressLine() {
  const { stderr } = process
  const everyMs = stderr.isTTY ? progressLimits.terminalEveryMs : progressLimits.logEveryMs
  let shownAtMs = performance.now()
  if (stderr.isTTY) shownAtMs -= everyMs
  let isShown = false
  return {
    show(what: string) {
      if (performance.now() - shownAtMs < everyMs) return
      shownAtMs = performance.now()
      isShown = true
      stderr.write(stderr.isTTY ? `\r\x1b[K${what}` : `${what}\n`)
    },
    clear() {
      if (stderr.isTTY && isShown) stderr.write('\r\x1b[K')
      isShown = false
    },
  }
}

/** Resolves a path relative to the user's folder, because npm changes the working directory. */
export const resolveUserPath = (path: string, { INIT_CWD }: Environment): string =>
  resolve(INIT_CWD ?? process.cwd(), path)

/** Parses `sqlite:<path>` or `postgres://…` and validates it with the key files, like a server at start. */
export function parseDatabaseUrl(text: string, environment: Environment): StorageConfig {
  const path = text.startsWith('sqlite:') ? text.slice('sqlite:'.length) : text
  if (parseEngine(text) !== 'postgres' && (path === '' || /^[a-z]+:/i.test(path))) {
    throw new UsageError(
      `"${text}" is not a database. Write sqlite:<path> or postgres://<user>@<host>/<database>.`,
    )
  }
  const url = parseEngine(text) === 'postgres' ? text : resolveUserPath(path, environment)
  return parseStorageConfig({ ...environment, DATABASE_URL: url })
}
