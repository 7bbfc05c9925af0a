/** `latchkey restore`: restores a backup into the configured, empty database. */
import { join } from 'node:path'
import { amendRestored, collectDroppedTables } from '../../../kernel/capability.ts'
import { parseStorageConfig, type StorageConfig } from '../../../kernel/config.ts'
import {
  type Backup,
  type Manifest,
  masterKeyCopy,
  openBackup,
  recoveryKeyCopy,
} from '../../../kernel/copy/backup.ts'
import { type Compared, fill } from '../../../kernel/copy/fill.ts'
import { CopyRefusal } from '../../../kernel/copy/refusal.ts'
import { formatDatabaseUrl } from '../../../kernel/copy/storage.ts'
import { assertSameSchema } from '../../../kernel/copy/tables.ts'
import { backupMac } from '../../../kernel/keys/backup-keys.ts'
import {
  createMasterKeyFile,
  type MasterKeys,
  masterKeyFileExists,
  readMasterKeys,
} from '../../../kernel/keys/master-key.ts'
import { nowSeconds } from '../../../kernel/ports.ts'
import { capabilities } from '../../capabilities.ts'
import { parseOptions, UsageError } from '../spec.ts'
import { restoreSpec } from '../specs/database.ts'
import { type Operation, resolveUserPath } from './operation.ts'
import {
  assertCurrentDatabase,
  assertEmptyDatabase,
  assertKeysPresent,
  assertSameContent,
  createTables,
  findKeyById,
  formatComparison,
  listCopiedTables,
  releaseSchema,
  totalRows,
  verifyKeys,
  withStorage,
} from './whole-database.ts'

export const restoreTool: Operation = {
  name: 'restore',
  spec: restoreSpec,
  async run(args, { environment, clock, print, progress }) {
    const values = parseOptions(restoreSpec, args)
    if (values.from === undefined) throw new UsageError()
    const ignoresUnknown = values['ignore-unknown'] === true
    const keepsSessions = values['keep-sessions'] === true
    const config = parseStorageConfig(environment)
    const { databaseUrl: url } = config
    const backup = openBackup(resolveUserPath(values.from, environment))
    const { manifest } = backup
    const installKeys = openKeyFiles(backup, config, values['with-keys'] === true)
    const schema = await releaseSchema()
    const release = { ...schema, tables: listCopiedTables(schema) }
    assertCurrentBackup(release, manifest, ignoresUnknown)
    await backup.verifyFiles(progress)
    await assertEmptyDatabase(url, schema, ignoresUnknown)

    // A key file alone is harmless: a restore that is interrupted after this uses it in the next run.
    installKeys()
    await createTables(url)
    const drops = collectDroppedTables(capabilities)
    const compared = await withStorage(url, 'write', async (storage) => {
      await assertCurrentDatabase(storage, storage.db, { url, release: schema, ignoresUnknown })
      return fill(storage, {
        tables: release.tables.filter(({ name }) => !drops.includes(name)),
        source: backup.source,
        what: `the database ${formatDatabaseUrl(url)}`,
        progress,
        async beforeCommit(writer, written) {
          assertManifestRows(manifest, written)
          await verifyKeys(writer, config, clock)
          await amendRestored(capabilities, writer, { nowSeconds: nowSeconds(clock), keepsSessions })
        },
      })
    })
    for (const line of formatComparison(compared, ['IN BACKUP', 'RESTORED'])) print(line)
    assertSameContent(compared)
    const dropped = manifest.tables.filter(({ name, rows }) => rows > 0 && drops.includes(name))
    if (dropped.length > 0) {
      print(
        `Left out, because it was pending: ${dropped.map(({ name, rows }) => `${rows} rows of ${name}`).join(', ')}.`,
      )
    }
    print('')
    print(
      `Restored ${totalRows(compared)} rows to ${formatDatabaseUrl(url)}, as they were at ${manifest.createdAt}.`,
    )
    print(keepsSessions ? 'Sessions are kept.' : 'All sessions are ended: your users log in again.')
    print('Before you start a server, look at what has happened since: docs/operating.md#after-a-restore')
  },
}

function assertCurrentBackup(
  release: Parameters<typeof assertSameSchema>[0],
  { tables, migrations, release: madeBy }: Manifest,
  ignoresUnknown: boolean,
): void {
  const backupSchema = {
    tables: tables.map(({ name, columns, key }) => ({ name, columns, key })),
    migrations,
    what: `the backup, which release ${madeBy} made,`,
    older: {
      code: 'backup_of_other_release',
      advice: `Restore it with that release, then bring its tables up to date with "latchkey migrate" of this one.`,
    },
  } as const
  assertSameSchema(release, backupSchema, ignoresUnknown)
}

/** Compares the rows with the manifest again, because a file may change between the check and the restore. */
function assertManifestRows({ tables }: Manifest, compared: readonly Compared[]): void {
  for (const { table, read } of compared) {
    const expected = tables.find(({ name }) => name === table)
    if (expected?.rows === read.rows && expected.hash === read.hash) continue
    throw new CopyRefusal(
      'backup_damaged',
      `the file of the table ${table} was changed while it was read. Nothing was kept.`,
    )
  }
}

type KeyFile = {
  file: string
  copy: string
  id: string
  variable: string
}

/** Checks the key files and the backup's MAC. Returns a function that installs missing key files from the backup. */
function openKeyFiles(backup: Backup, config: StorageConfig, withKeys: boolean): () => void {
  const { keys } = backup.manifest
  if (withKeys && !backup.manifest.withKeys) {
    throw new CopyRefusal('key_file_missing', 'the backup has no key files. Leave out --with-keys.')
  }
  const installs: (() => void)[] = []
  function read({ file, copy, id, variable }: KeyFile): MasterKeys {
    const isMissing = !masterKeyFileExists(file)
    if (isMissing && !withKeys) {
      throw new CopyRefusal(
        'key_file_missing',
        `the backup belongs to the master key ${id}, but ${file} does not exist. Restore the file from its backup, or set ${variable} to its path.`,
      )
    }
    const fileKeys = readMasterKeys(isMissing ? join(backup.path, copy) : file)
    findKeyById(id, fileKeys, file)
    if (isMissing) installs.push(() => createMasterKeyFile(file, fileKeys))
    return fileKeys
  }

  const masterFile = config.masterKeyFile
  const master = read({ file: masterFile, copy: masterKeyCopy, id: keys.master, variable: 'MASTER_KEY_FILE' })
  backup.verifyMac(backupMac(findKeyById(keys.master, master, masterFile)))
  const heldIds = master.map(({ id }) => id)
  if (keys.recovery !== null) {
    const file = config.recoveryMasterKeyFile
    if (file === undefined) {
      throw new CopyRefusal(
        'key_file_missing',
        `the backup encrypts recovery shares with the recovery master key ${keys.recovery}. Set RECOVERY_MASTER_KEY_FILE to the path of its file.`,
      )
    }
    const variable = 'RECOVERY_MASTER_KEY_FILE'
    heldIds.push(...read({ file, copy: recoveryKeyCopy, id: keys.recovery, variable }).map(({ id }) => id))
  }
  assertKeysPresent(keys.needed, heldIds)
  return () => {
    for (const install of installs) install()
  }
}
