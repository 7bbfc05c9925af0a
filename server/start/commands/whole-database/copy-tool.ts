/** `npm run copy`: copies a database into an empty one of either engine. */
import { createRowSource, fill } from '../../../kernel/copy/fill.ts'
import { CopyRefusal } from '../../../kernel/copy/refusal.ts'
import { formatDatabaseUrl, inSnapshot } from '../../../kernel/copy/storage.ts'
import { listRunningServers } from '../../../kernel/keys/running-servers.ts'
import { type Clock, type Db, nowSeconds } from '../../../kernel/ports.ts'
import { type Operation, parseDatabaseUrl, parseOptions, UsageError } from './operation.ts'
import {
  assertCurrentDatabase,
  assertEmptyDatabase,
  assertSameContent,
  createTables,
  formatComparison,
  listCopiedTables,
  releaseSchema,
  totalRows,
  verifyKeys,
  withStorage,
} from './whole-database.ts'

const usage = `Usage: npm run copy -- --from <database> --to <database> [--while-running] [--ignore-unknown]

Copies a database into an empty one, checks that both are the same, and leaves the first as it is.

  --from, --to       sqlite:<path> or postgres://<user>@<host>/<database>. Set PGPASSWORD instead of writing a
                     password here, where other users of the machine can read it
  --while-running    copies although servers use the first database. Writes after the start of the copy are not
                     included
  --ignore-unknown   leaves out tables that this release does not know

Both databases belong to the same master key: MASTER_KEY_FILE and, if set, RECOVERY_MASTER_KEY_FILE. If the copy is
interrupted, the second database is still empty: run the command again.`

async function assertNoneRunning(reader: Db, clock: Clock): Promise<void> {
  const names = await listRunningServers(reader, nowSeconds(clock))
  if (names.length === 0) return
  throw new CopyRefusal(
    'servers_running',
    `these servers use the database: ${names.join(', ')}. Stop them, so that nothing is written that the copy lacks. ` +
      'A server that was killed is forgotten after three minutes. To copy nevertheless, add --while-running.',
  )
}

export const copyTool: Operation = {
  usage,
  async run(args, { environment, clock, print, progress }) {
    const values = parseOptions(args, {
      from: { type: 'string' },
      to: { type: 'string' },
      'while-running': { type: 'boolean' },
      'ignore-unknown': { type: 'boolean' },
    })
    if (values.from === undefined || values.to === undefined) throw new UsageError(usage)
    const whileRunning = values['while-running'] === true
    const ignoresUnknown = values['ignore-unknown'] === true
    const source = parseDatabaseUrl(values.from, environment)
    const target = parseDatabaseUrl(values.to, environment)
    const release = await releaseSchema()
    const from = source.databaseUrl
    const to = target.databaseUrl

    const compared = await withStorage(from, 'read', (storage) =>
      inSnapshot(storage, async (reader) => {
        await assertCurrentDatabase(storage, reader, { url: from, release, ignoresUnknown })
        await verifyKeys(reader, source, clock)
        if (!whileRunning) await assertNoneRunning(reader, clock)
        await assertEmptyDatabase(to, release, ignoresUnknown)
        await createTables(to)
        return withStorage(to, 'write', async (written) => {
          await assertCurrentDatabase(written, written.db, { url: to, release, ignoresUnknown })
          return fill(written, {
            tables: listCopiedTables(release),
            source: createRowSource(reader),
            what: `the database ${formatDatabaseUrl(to)}`,
            progress,
            // A server may have started meanwhile, and the snapshot lacks its writes.
            beforeCommit: async () => {
              if (!whileRunning) await withStorage(from, 'read', ({ db }) => assertNoneRunning(db, clock))
            },
          })
        })
      }),
    )
    for (const line of formatComparison(compared, ['READ', 'WRITTEN'])) print(line)
    assertSameContent(compared)
    print('')
    print(`Copied ${totalRows(compared)} rows from ${formatDatabaseUrl(from)} to ${formatDatabaseUrl(to)}.`)
    if (whileRunning) print('The copy does not include writes of servers since it started.')
    print('Set DATABASE_URL to the new database, keep the key files, and start your servers.')
    print('Do not start a server with the old database again: each would know users that the other does not.')
  },
}
