/**
 * Runs one command of `latchkey keys` as a program, like `runTool`, but without the parts that take seconds at each
 * start: the capabilities, and the migrations, which the test has already run.
 */

import { createKeysTool } from '../../../start/commands/keys-tool.ts'
import { parseStorageConfig } from '../../config.ts'
import { openDatabase } from '../../db/database.ts'
import type { KeyColumns } from '../store.ts'
import './killed-before.ts'

/** The columns of the test's rows. */
const columns: KeyColumns = {
  wrapped: [
    { table: 'wallets', column: 'auth_share' },
    { table: 'wallets', column: 'recovery_share' },
  ],
  peppered: [],
}
const keysTool = createKeysTool(columns)

const [name = '', ...args] = process.argv.slice(2)
const config = parseStorageConfig(process.env)
const database = openDatabase(config.databaseUrl)
const print = (line: string) => void process.stdout.write(`${line}\n`)
try {
  const clock = { nowMs: Date.now }
  const confirm = async () => 'no terminal' as const
  await keysTool.commands[name]?.(args, { database, clock, config, environment: process.env, print, confirm })
} catch (error) {
  process.stderr.write(error instanceof Error ? error.message || error.name : String(error))
  process.exitCode = 1
} finally {
  await database.close()
}
