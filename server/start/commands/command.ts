/** Shared code of the command line tools: opens the configured database and prints errors for operators. */

import { collectMigrations } from '../../kernel/capability.ts'
import { ConfigError, parseStorageConfig, type StorageConfig } from '../../kernel/config.ts'
import { type Database, openDatabase } from '../../kernel/db/database.ts'
import { createDatabaseClock } from '../../kernel/db/database-clock.ts'
import type { Environment } from '../../kernel/environment.ts'
import { MasterKeyError } from '../../kernel/keys/master-key.ts'
import type { Clock } from '../../kernel/ports.ts'
import { capabilities } from '../capabilities.ts'
import { hintFor } from '../operator-hints.ts'
import { ensureTables } from '../tables.ts'
import { describeUnknownVariable, unknownVariables } from '../unknown-variables.ts'
import { type Confirm, confirmAtTerminal } from './confirm.ts'
import { formatHelp, type GroupSpec, isHelpOption, UsageError } from './spec.ts'

/** The context of a command. */
export type ToolContext = {
  database: Database
  clock: Clock
  config: StorageConfig
  /** The environment of the server that the command is run for. */
  environment: Environment
  print: (line: string) => void
  confirm: Confirm
}
export type Command = (args: readonly string[], workplace: ToolContext) => Promise<void>
/** A group of commands: `latchkey app …`. */
export type Tool = {
  name: string
  spec: GroupSpec
  commands: Readonly<Record<string, Command>>
  isRefusal: (error: unknown) => boolean
}
export type CommandResult = { ok: true } | { ok: false; why: string }

/** Runs a tool with the command line arguments and sets the exit code. */
export const runTool = (tool: Tool, args: readonly string[]): Promise<void> =>
  runProgram((environment, print) => runCommand(tool, args, environment, print))

export async function runProgram(
  run: (environment: Environment, print: ToolContext['print']) => Promise<CommandResult>,
): Promise<void> {
  const print = (line: string) => void process.stdout.write(`${line}\n`)
  for (const unknown of unknownVariables(process.env)) {
    process.stderr.write(`${describeUnknownVariable(unknown)}\n`)
  }
  const ran = await run(process.env, print)
  if (ran.ok) return
  process.stderr.write(`${ran.why}\n`)
  process.exitCode = 1
}

export async function runCommand(
  tool: Tool,
  [name = '', ...args]: readonly string[],
  environment: Environment,
  print: ToolContext['print'],
  confirm: Confirm = confirmAtTerminal,
): Promise<CommandResult> {
  const isKnown = Object.hasOwn(tool.spec.commands, name) && Object.hasOwn(tool.commands, name)
  const command = isKnown ? tool.commands[name] : undefined
  const commandSpec = tool.spec.commands[name]
  const usage =
    command && commandSpec
      ? formatHelp(`latchkey ${tool.name} ${name}`, commandSpec)
      : formatHelp(`latchkey ${tool.name}`, tool.spec)
  if ([name, ...args].some(isHelpOption)) {
    print(usage)
    return { ok: true }
  }
  if (!command) return { ok: false, why: usage }
  return runWithDatabase(environment, { print, confirm, usage, isRefusal: tool.isRefusal }, (context) =>
    command(args, context),
  )
}

type RunOptions = Pick<ToolContext, 'print' | 'confirm'> & Pick<Tool, 'isRefusal'> & { usage: string }

/** Runs the work of a command with the configured database. */
export async function runWithDatabase(
  environment: Environment,
  { print, confirm, usage, isRefusal }: RunOptions,
  work: (context: ToolContext) => Promise<void>,
): Promise<CommandResult> {
  let database: Database | undefined
  try {
    const config = parseStorageConfig(environment)
    database = openDatabase(config.databaseUrl, {
      migrations: collectMigrations(capabilities),
      isPooled: config.isPooled,
    })
    await ensureTables(database, config, () => {})
    const clock = await createDatabaseClock(database, { nowMs: Date.now })
    await work({ database, clock, config, environment, print, confirm })
    return { ok: true }
  } catch (error) {
    return { ok: false, why: explainError(error, isRefusal, usage) }
  } finally {
    await database?.close()
  }
}

export function explainError(error: unknown, isRefusal: (error: unknown) => boolean, usage: string): string {
  if (!(error instanceof Error)) return String(error)
  if (error instanceof UsageError) return error.message === '' ? usage : `${error.message}\n\n${usage}`
  const isOurs = isRefusal(error) || error instanceof ConfigError || error instanceof MasterKeyError
  const isParseArgs = 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')
  return isOurs || isParseArgs ? error.message : (hintFor(error) ?? error.stack ?? error.message)
}
