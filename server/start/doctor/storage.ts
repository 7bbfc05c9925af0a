/** Checks the database, its migrations and clock, the data folder and the master keys. */
import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { collectMigrations } from '../../kernel/capability.ts'
import type { StorageConfig } from '../../kernel/config.ts'
import { type Database, openDatabase, parseEngine } from '../../kernel/db/database.ts'
import { createDatabaseClock } from '../../kernel/db/database-clock.ts'
import { MasterKeyError, type MasterKeys, readMasterKeys } from '../../kernel/keys/master-key.ts'
import { isNewDatabase, readMasterKeyState } from '../../kernel/keys/store.ts'
import { isOlder, release } from '../../kernel/release.ts'
import { capabilities } from '../capabilities.ts'
import { clockLimits } from '../health/limits.ts'
import { getErrorReason } from '../health/reach.ts'
import { hintFor } from '../operator-hints.ts'
import { type Finding, findings } from './finding.ts'
import { beforeDeadline, type DoctorPorts } from './ports.ts'

/** The ids of the master keys that the database needs. The first start of a new database creates the key files. */
type NeededKeys =
  | { database: 'used'; master: string; recovery: string | null }
  | { database: 'new' | 'unknown' }

export async function checkStorage(
  config: StorageConfig,
  keyBackups: string[],
  ports: DoctorPorts,
): Promise<Finding[]> {
  const { databaseUrl } = config
  const engine = parseEngine(databaseUrl)
  const folder = engine === 'sqlite' ? [checkFolder(dirname(databaseUrl))] : []
  if (engine === 'sqlite' && !existsSync(databaseUrl)) {
    const database = findings('Database').ok(`The first start creates ${databaseUrl}.`)
    return [database, ...folder, ...checkKeys(config, keyBackups, { database: 'new' })]
  }
  const database = openDatabase(databaseUrl, {
    migrations: collectMigrations(capabilities),
    isPooled: config.isPooled,
  })
  try {
    return await beforeDeadline(ports.createDeadline(), async () => {
      const state = await database.tableState()
      const needed = await readNeededKeys(database)
      return [
        findings('Database').ok(`It answers (${engine}).`),
        checkMigrations(state, config, engine),
        ...folder,
        ...(await checkDatabaseClock(database, ports)),
        ...checkKeys(config, keyBackups, needed),
      ]
    })
  } catch (error) {
    const reason = hintFor(error) ?? `It does not answer (${getErrorReason(error)}).`
    return [
      findings('Database').failed(
        reason,
        engine === 'sqlite'
          ? 'Correct DATABASE_URL, or restore a backup: latchkey restore'
          : 'Check that PostgreSQL runs, and that this machine can reach the host of DATABASE_URL.',
      ),
      ...folder,
      ...checkKeys(config, keyBackups, { database: 'unknown' }),
    ]
  } finally {
    // A connection attempt has its own deadline, so the program ends soon afterwards.
    void database.close().catch(() => {})
  }
}

async function readNeededKeys({ db }: Database): Promise<NeededKeys> {
  try {
    if (await isNewDatabase(db)) return { database: 'new' }
    const { master, recovery } = await readMasterKeyState(db)
    return { database: 'used', master: master.current, recovery: recovery.current }
  } catch {
    // The tables are missing or older than this release.
    return { database: 'unknown' }
  }
}

export function checkMigrations(
  { missing, oldestReleases }: Awaited<ReturnType<Database['tableState']>>,
  { migratesAtStart }: Pick<StorageConfig, 'migratesAtStart'>,
  engine: Database['engine'],
): Finding {
  const { ok, failed } = findings('Migrations')
  const oldest = oldestReleases.find((each) => isOlder(release, each))
  if (oldest !== undefined) {
    return failed(
      `The database requires release ${oldest} or later, and this is ${release}.`,
      `Run release ${oldest} or later.`,
    )
  }
  if (missing.length === 0) return ok('The tables are up to date.')
  const count = missing.length === 1 ? '1 migration is' : `${missing.length} migrations are`
  return engine === 'sqlite' || migratesAtStart
    ? ok(`${count} pending. The next start runs them.`)
    : failed(`${count} pending.`, 'Run: latchkey migrate')
}

function checkFolder(folder: string): Finding {
  const { ok, failed } = findings('Data folder')
  let existing = folder
  while (!existsSync(existing) && dirname(existing) !== existing) existing = dirname(existing)
  try {
    accessSync(existing, constants.W_OK | constants.X_OK)
  } catch (error) {
    return failed(
      `This user cannot write in ${existing} (${getErrorReason(error)}).`,
      `Give this user the folder, or set DATABASE_URL to a path in another one.`,
    )
  }
  return ok(existing === folder ? `${folder} is writable.` : `The first start creates ${folder}.`)
}

async function checkDatabaseClock(
  database: Pick<Database, 'db' | 'engine'>,
  ports: DoctorPorts,
): Promise<Finding[]> {
  if (database.engine === 'sqlite') return []
  const { ok, failed } = findings('Clock of the database')
  const clock = await createDatabaseClock(database, ports)
  const aheadMs = ports.nowMs() - clock.nowMs()
  return [
    Math.abs(aheadMs) <= clockLimits.toleratedMs
      ? ok('It agrees with the clock of this machine.')
      : failed(
          `The clock of this machine is ${formatDifference(aheadMs)} the clock of the database.`,
          'Synchronise both machines by NTP. This machine: timedatectl set-ntp true',
        ),
  ]
}

export const formatDifference = (aheadMs: number): string =>
  `${Math.round(Math.abs(aheadMs) / 1_000)} s ${aheadMs > 0 ? 'ahead of' : 'behind'}`

function checkKeys(
  { masterKeyFile, recoveryMasterKeyFile }: StorageConfig,
  backups: string[],
  needed: NeededKeys,
): Finding[] {
  const { database } = needed
  const ids = needed.database === 'used' ? needed : { master: undefined, recovery: null }
  const files: KeyFile[] = [
    { check: 'Master key', variable: 'MASTER_KEY_FILE', file: masterKeyFile, id: ids.master, database },
    ...(recoveryMasterKeyFile === undefined
      ? []
      : [
          {
            check: 'Recovery master key',
            variable: 'RECOVERY_MASTER_KEY_FILE',
            file: recoveryMasterKeyFile,
            id: ids.recovery ?? undefined,
            database,
          },
        ]),
  ]
  const missingRecovery =
    ids.recovery !== null && recoveryMasterKeyFile === undefined
      ? [
          findings('Recovery master key').failed(
            `The database needs the recovery master key ${ids.recovery}.`,
            'Set RECOVERY_MASTER_KEY_FILE to the path of its file.',
          ),
        ]
      : []
  const isReady = files.every(({ file }) => existsSync(file))
  return [
    ...files.map((file) => checkKeyFile(file)),
    ...missingRecovery,
    ...(isReady ? [checkBackups(files, backups)] : []),
  ]
}

type KeyFile = {
  check: string
  variable: string
  file: string
  /** The key that the database needs. */
  id: string | undefined
  database: NeededKeys['database']
}

function checkKeyFile({ check, variable, file, id, database }: KeyFile): Finding {
  const { ok, warning, failed } = findings(check)
  if (!existsSync(file) && database === 'new') return ok(`The first start creates ${file}.`)
  if (!existsSync(file) && database === 'unknown') {
    return warning(
      `${file} does not exist.`,
      'The first start of a new database creates it. For an existing one, restore it from its backup.',
    )
  }
  let keys: MasterKeys
  try {
    keys = readMasterKeys(file)
  } catch (error) {
    return failed(
      error instanceof MasterKeyError ? error.message : `${file} cannot be read (${getErrorReason(error)}).`,
      `Correct ${variable}, the owner and the mode of the file, or restore it from its backup.`,
    )
  }
  if (id !== undefined && !keys.some((key) => key.id === id)) {
    return failed(
      `${file} contains ${keys.map((key) => key.id).join(', ')}, but the database needs ${id}.`,
      `Set ${variable} to the key file of this database, or restore it from its backup.`,
    )
  }
  const folder = dirname(file)
  if (process.platform !== 'win32' && (statSync(folder).mode & 0o022) !== 0) {
    return warning(`Other users can replace files in ${folder}.`, `Run: chmod go-w ${folder}`)
  }
  return ok(`Only its owner can read ${file}.`)
}

function checkBackups(files: KeyFile[], backups: string[]): Finding {
  const { ok, warning, failed } = findings('Key backup')
  if (backups.length === 0) {
    const paths = files.map(({ check }) => `<${check.toLowerCase()} copy>`).join(' ')
    return warning(
      'Not checked. Without the key file, nobody can open the wallets in the database.',
      `Run: latchkey keys backup ${paths}. Then name each copy: latchkey doctor --key-backup <path>`,
    )
  }
  const copies: string[] = []
  for (const path of backups) {
    try {
      copies.push(...readMasterKeys(path).map(({ id }) => id))
    } catch (error) {
      const reason = error instanceof MasterKeyError ? error.message : getErrorReason(error)
      return failed(`The copy cannot be read: ${reason}`, 'Write another one: latchkey keys backup <path>')
    }
  }
  for (const { check, file } of files) {
    try {
      const missing = readMasterKeys(file).find(({ id }) => !copies.includes(id))
      if (!missing) continue
      return failed(
        `No copy has the key ${missing.id} of the ${check.toLowerCase()} file.`,
        'Write a new copy: latchkey keys backup <path>',
      )
    } catch {
      // The check of the file itself reports this.
    }
  }
  return ok('The copies contain every key.')
}
