import { parseArgs } from 'node:util'
import { ConfigError } from '../../kernel/config.ts'
import type { ToolOfOne } from './command.ts'

const usage = `Usage: npm run migrate [-- --check]

Brings the tables of DATABASE_URL up to date with this release. Servers of this release and of the last one may run
meanwhile. You can run it again at any time: it goes on where it was stopped.

  --check    changes nothing, lists what is missing, and exits with 1 if something is`

/** The command of `npm run migrate`. */
export const migrateTool: ToolOfOne = {
  usage,
  isRefusal: () => false,
  tables: 'as they are',
  async run(args, { database, print }) {
    const { values } = parseArgs({
      args: [...args],
      options: {
        check: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    })
    if (values.help) {
      print(usage)
      return
    }
    const { missing } = await database.tableState()
    if (values.check && missing.length > 0) {
      throw new ConfigError(
        `${missing.length} migrations are missing:\n${missing.map((name) => `  ${name}`).join('\n')}`,
      )
    }
    if (missing.length > 0) await database.migrate((line) => print(`  ${line}`))
    print('The tables are up to date.')
  },
}
