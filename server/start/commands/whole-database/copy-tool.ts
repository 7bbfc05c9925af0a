/** `latchkey copy`: copies a database into an empty one of either engine. */
import { createRowSource, fill } from '../../../kernel/copy/fill.ts'
import { CopyRefusal } from '../../../kernel/copy/refusal.ts'
import { formatDatabaseUrl, inSnapshot } from '../../../kernel/copy/storage.ts'
import { listRunningServers } from '../../../kernel/keys/running-servers.ts'
import { type Clock, type Db, nowSeconds } from '../../../kernel/ports.ts'
import { parseOptions, UsageError } from '../spec.ts'
import { copySpec } from '../specs/database.ts'
import { type Operation, parseDatabaseUrl } from './operation.ts'
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
  name: 'copy',
  spec: copySpec,
  async run(args, { environment, clock, print, progress }) {
    const values = parseOptions(copySpec, args)
    if (values.from === undefined || values.to === undefined) throw new UsageError()
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
