/** A command as a program that is killed before one of its effects (`killed-before.ts`). */
import '../../../kernel/keys/testing/killed-before.ts'
import { backupTool } from '../whole-database/backup-tool.ts'
import { copyTool } from '../whole-database/copy-tool.ts'
import { runOperation } from '../whole-database/operation.ts'
import { restoreTool } from '../whole-database/restore-tool.ts'

const tools = { copy: copyTool, backup: backupTool, restore: restoreTool }

const [name = '', ...args] = process.argv.slice(2)
const tool = Object.entries(tools).find(([one]) => one === name)?.[1]
if (!tool) throw new Error(`Unknown command ${name}`)
const print = (line: string) => void process.stdout.write(`${line}\n`)
const ran = await runOperation(tool, args, process.env, print)
if (!ran.ok) throw new Error(ran.why)
