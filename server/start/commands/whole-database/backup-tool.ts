/** `npm run backup`: writes the database to a folder that either engine can be restored from. */
import { join } from 'node:path'
import { parseStorageConfig, type StorageConfig } from '../../../kernel/config.ts'
import { assertPathIsFree, masterKeyCopy, recoveryKeyCopy, writeBackup } from '../../../kernel/copy/backup.ts'
import { formatDatabaseUrl, inSnapshot } from '../../../kernel/copy/storage.ts'
import { backupMac } from '../../../kernel/keys/backup-keys.ts'
import { copyMasterKeys, readMasterKeys } from '../../../kernel/keys/master-key.ts'
import { release } from '../../../kernel/release.ts'
import { type Operation, parseOptions, resolveUserPath, UsageError } from './operation.ts'
import {
  assertCurrentDatabase,
  findKeyById,
  listCopiedTables,
  releaseSchema,
  verifyKeys,
  withStorage,
} from './whole-database.ts'

const usage = `Usage: npm run backup -- --to <path> [--with-keys] [--ignore-unknown]

Writes a snapshot of the database of DATABASE_URL into a new folder. Servers may run meanwhile.

  --to               the folder. It must not exist
  --with-keys        puts the master key files into the folder too. Anyone with this folder can read every wallet that
                     recovers automatically, and everything else. Without it the folder is of use only
                     together with the key files, which you back up apart: npm run keys -- backup
  --ignore-unknown   leaves out tables that this release does not know

To restore a backup, run: npm run restore -- --from <path>`

function copyKeyFiles({ masterKeyFile, recoveryMasterKeyFile }: StorageConfig, folder: string): void {
  copyMasterKeys(join(folder, masterKeyCopy), readMasterKeys(masterKeyFile))
  if (recoveryMasterKeyFile !== undefined) {
    copyMasterKeys(join(folder, recoveryKeyCopy), readMasterKeys(recoveryMasterKeyFile))
  }
}

export const backupTool: Operation = {
  usage,
  async run(args, { environment, clock, print, progress }) {
    const values = parseOptions(args, {
      to: { type: 'string' },
      'with-keys': { type: 'boolean' },
      'ignore-unknown': { type: 'boolean' },
    })
    if (values.to === undefined) throw new UsageError(usage)
    const path = resolveUserPath(values.to, environment)
    assertPathIsFree(path)
    const withKeys = values['with-keys'] === true
    const config = parseStorageConfig(environment)
    const { databaseUrl: url, masterKeyFile } = config
    const schema = await releaseSchema()

    const manifest = await withStorage(url, 'read', (storage) =>
      inSnapshot(storage, async (reader) => {
        const createdAt = new Date(clock.nowMs()).toISOString()
        const ignoresUnknown = values['ignore-unknown'] === true
        await assertCurrentDatabase(storage, reader, { url, release: schema, ignoresUnknown })
        const keys = await verifyKeys(reader, config, clock)
        const about = {
          release,
          engine: storage.engine,
          createdAt,
          migrations: [...schema.migrations],
          keys: { ...keys, needed: [...keys.needed] },
          withKeys,
        }
        return writeBackup(path, {
          reader,
          tables: listCopiedTables(schema),
          about,
          mac: backupMac(findKeyById(keys.master, readMasterKeys(masterKeyFile), masterKeyFile)),
          copyKeys: (folder) => copyKeyFiles(config, folder),
          progress,
        })
      }),
    )
    const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
    const bytes = manifest.tables.reduce((sum, table) => sum + table.bytes, 0)
    print(`Backed up ${formatDatabaseUrl(url)} to ${path}: ${rows} rows, ${(bytes / 1e6).toFixed(1)} MB.`)
    if (withKeys) {
      print(
        'The folder contains the master key. Anyone with access can read everything in it: store it accordingly.',
      )
      return
    }
    print(
      `It opens only with the master key ${manifest.keys.needed.join(' and ')}. Keep a backup of the key files apart from it.`,
    )
  },
}
