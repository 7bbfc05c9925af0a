/** What the command line tools share: the database of the environment, and refusals in words. */
import { capabilities } from './capabilities.ts'
import { migrationsOf } from './capability.ts'
import { ConfigError, type StorageConfig, storageConfigFrom } from './config.ts'
import { type Database, openDatabase } from './db/database.ts'
import { MasterKeyError } from './keys/master-key.ts'
import type { Clock } from './ports.ts'

/** What a command works on. */
export type Workplace = {
  readonly database: Database
  readonly clock: Clock
  readonly config: StorageConfig
}
export type Command = (args: readonly string[], workplace: Workplace) => Promise<void>

export async function runCommand(tool: {
  readonly commands: Readonly<Record<string, Command>>
  readonly usage: string
  readonly isRefusal: (error: unknown) => boolean
}): Promise<void> {
  // Whoever reads us may have seen enough: `… | head`.
  process.stdout.on('error', () => process.exit())
  const [name = '', ...args] = process.argv.slice(2)
  const command = Object.hasOwn(tool.commands, name) ? tool.commands[name] : undefined
  if (!command) {
    process.stderr.write(`${tool.usage}\n`)
    process.exitCode = 1
    return
  }
  let database: Database | undefined
  try {
    const config = storageConfigFrom(process.env)
    database = openDatabase(config.databaseUrl, { migrations: migrationsOf(capabilities) })
    await database.migrate()
    await command(args, { database, clock: { nowMs: Date.now }, config })
  } catch (error) {
    process.stderr.write(`${wordsFor(error, tool.isRefusal)}\n`)
    process.exitCode = 1
  } finally {
    await database?.close()
  }
}

function wordsFor(error: unknown, isRefusal: (error: unknown) => boolean): string {
  if (!(error instanceof Error)) return String(error)
  const isOurs = isRefusal(error) || error instanceof ConfigError || error instanceof MasterKeyError
  const isParseArgs = 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')
  return isOurs || isParseArgs ? error.message : (error.stack ?? error.message)
}
