/**
 * One command of `npm run keys` in a program of its own, as `runTool` runs it but for what costs seconds at each start:
 * the capabilities, and migrations, which the test has done.
 */

import { keysTool } from '../../../start/commands/keys-tool.ts'
import { storageConfigFrom } from '../../config.ts'
import { openDatabase } from '../../db/database.ts'
import './killed-before.ts'

const [name = '', ...args] = process.argv.slice(2)
const config = storageConfigFrom(process.env)
const database = openDatabase(config.databaseUrl)
const print = (line: string) => void process.stdout.write(`${line}\n`)
try {
  await keysTool.commands[name]?.(args, { database, clock: { nowMs: Date.now }, config, print })
} catch (error) {
  process.stderr.write(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
} finally {
  await database.close()
}
