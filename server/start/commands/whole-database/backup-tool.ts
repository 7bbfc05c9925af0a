/** `latchkey backup`: writes the database to a folder that either engine can be restored from. */
import { join } from 'node:path'
import { parseStorageConfig, type StorageConfig } from '../../../kernel/config.ts'
import { assertPathIsFree, masterKeyCopy, recoveryKeyCopy, writeBackup } from '../../../kernel/copy/backup.ts'
import { formatDatabaseUrl, inSnapshot } from '../../../kernel/copy/storage.ts'
import { backupMac } from '../../../kernel/keys/backup-keys.ts'
import { copyMasterKeys, readMasterKeys } from '../../../kernel/keys/master-key.ts'
import { release } from '../../../kernel/release.ts'
import { parseOptions, UsageError } from '../spec.ts'
import { backupSpec } from '../specs/database.ts'
import { type Operation, resolveUserPath } from './operation.ts'
import {
  assertCurrentDatabase,
  findKeyById,
  listCopiedTables,
  releaseSchema,
  verifyKeys,
  withStorage,
} from './whole-database.ts'

function copyKeyFiles({ masterKeyFile, recoveryMasterKeyFile }: StorageConfig, folder: string): void {
  copyMasterKeys(join(folder, masterKeyCopy), readMasterKeys(masterKeyFile))
  if (recoveryMasterKeyFile !== undefined) {
    copyMasterKeys(join(folder, recoveryKeyCopy), readMasterKeys(recoveryMasterKeyFile))
  }
}

export const backupTool: Operation = {
  name: 'backup',
  spec: backupSpec,
  async run(args, { environment, clock, print, progress }) {
    const values = parseOptions(backupSpec, args)
    if (values.to === undefined) throw new UsageError()
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
