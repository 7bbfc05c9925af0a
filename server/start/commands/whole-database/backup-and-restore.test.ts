/** `latchkey backup` and `latchkey restore`: from SQLite into each engine, and back. */
import { createHash } from 'node:crypto'
import {
  appendFileSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { collectDroppedTables } from '../../../kernel/capability.ts'
import { openStorage } from '../../../kernel/copy/storage.ts'
import { readSchema } from '../../../kernel/copy/tables.ts'
import { allRows } from '../../../kernel/copy/testing/generated-rows.ts'
import { openDatabase } from '../../../kernel/db/database.ts'
import { forEachEngine } from '../../../kernel/db/test-engines.ts'
import { backupMac } from '../../../kernel/keys/backup-keys.ts'
import { readMasterKeys } from '../../../kernel/keys/master-key.ts'
import { capabilities } from '../../capabilities.ts'
import { environmentIn, operate, useDatabase } from '../testing/used-database.ts'
import { backupTool } from './backup-tool.ts'
import { restoreTool } from './restore-tool.ts'

let folder = ''
let environment: ReturnType<typeof environmentIn>
let path = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'latchkey-backup-'))
  environment = environmentIn(folder)
  path = join(folder, 'backups', 'monday')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

type Changed = Readonly<Record<string, string | undefined>>
const backup = (args: readonly string[] = [], changed: Changed = {}) =>
  operate(backupTool, ['--to', path, ...args], { ...environment, ...changed })
const restore = (url: string, args: readonly string[] = [], changed: Changed = {}) =>
  operate(restoreTool, ['--from', path, ...args], { ...environment, DATABASE_URL: url, ...changed })
const newFile = () => join(folder, 'restored', 'latchkey.sqlite')

async function rowsAt(url: string): Promise<Readonly<Record<string, readonly string[]>>> {
  const storage = await openStorage(url, 'read')
  const found: Record<string, readonly string[]> = {}
  for (const { name } of (await readSchema(storage)).tables) found[name] = await allRows(storage.db, name)
  await storage.close()
  return found
}

/** Tables with pending or single-use data, or with access that may have been revoked. A restore drops them. */
const underWay = [
  'admin_answers',
  'app_proposals',
  'challenges',
  'codes',
  'confirmations',
  'cross_app_requests',
  'cross_app_windows',
  'factor_resets',
  'farcaster_channels',
  'import_chunks',
  'import_claims',
  'import_parts',
  'import_rows',
  'imports',
  'login_windows',
  'mfa_verifications',
  'oauth_flows',
  'openid_authorizations',
  'openid_records',
  'operator_invitations',
  'operator_passkeys',
  'operator_sessions',
  'passkey_challenges',
  'passkey_windows',
  'recovery_passkeys',
  'request_replays',
  'session_codes',
  'siwe_nonces',
  'sponsor_relays',
  'sponsored_operations',
  'telegram_windows',
  'wallet_reshares',
  'window_starts',
]

test('drops only existing tables', async () => {
  expect([...collectDroppedTables(capabilities)].sort()).toEqual(underWay)
  await useDatabase(environment, 1)
  expect(Object.keys(await rowsAt(environment.DATABASE_URL))).toEqual(expect.arrayContaining(underWay))
})

forEachEngine((database, _engine, url) => {
  test('restores all rows into either engine, except pending flows, sessions and running servers', async () => {
    await useDatabase(environment, 30)
    const before = await rowsAt(environment.DATABASE_URL)
    expect(await backup()).toMatchObject({ ok: true, why: '' })
    const { ok, why, printed } = await restore(url())
    expect(why).toBe('')
    expect(ok).toBe(true)
    expect(printed).toMatch(/^users +30 +30 +same \([0-9a-f]{12}\)$/m)
    expect(printed).toContain('30 rows of codes')
    expect(printed).toContain('All sessions are ended')
    const { sessions, wallets, admin_keys: adminKeys, operators, ...rest } = await rowsAt(url())
    const { sessions: _, wallets: __, admin_keys: ___, operators: ____, ...expected } = before
    const dropped = Object.fromEntries(underWay.map((name) => [name, []]))
    expect(rest).toEqual({ ...expected, ...dropped, running_servers: [] })
    expect(wallets).toHaveLength(30)
    const { db } = database()
    const alive = await db.selectFrom('sessions').select('id').where('revoked_at', 'is', null).execute()
    expect(sessions).toHaveLength(30)
    expect(alive).toEqual([])
    expect(adminKeys).toHaveLength(30)
    expect(operators).toHaveLength(30)
    expect(operators?.filter((row) => row.includes('["revoked_at","object","null"]'))).toEqual([])
    // Devices may have shares of later generations, made since the backup.
    const generations = await db.selectFrom('wallets').select('last_generation').distinct().execute()
    expect(generations).toEqual([{ last_generation: 1_003 }])
  })

  test('restore keeps sessions on request', async () => {
    await useDatabase(environment, 30)
    const { sessions } = await rowsAt(environment.DATABASE_URL)
    await backup()
    const { printed } = await restore(url(), ['--keep-sessions'])
    expect(printed).toContain('Sessions are kept.')
    expect((await rowsAt(url())).sessions).toEqual(sessions)
  })

  test('restores a backup of this engine into SQLite', async () => {
    await useDatabase(environment, 30)
    await backup()
    await restore(url(), ['--keep-sessions'])
    path = join(folder, 'backups', 'tuesday')
    expect(await backup([], { DATABASE_URL: url() })).toMatchObject({ ok: true, why: '' })
    const file = newFile()
    expect(await restore(file, ['--keep-sessions'])).toMatchObject({ ok: true, why: '' })
    const { wallets: again, ...rest } = await rowsAt(file)
    const { wallets: first, ...expected } = await rowsAt(url())
    expect(rest).toEqual(expected)
    expect(again).toHaveLength(first?.length ?? 0)
  })

  test('rejects a database with rows, and keeps them', async () => {
    await useDatabase(environment, 1)
    await backup()
    const entry = { app_id: 'one', type: 'email', identifier: 'ada@example.com' }
    await database().db.insertInto('allowlist').values(entry).execute()
    expect((await restore(url())).why).toMatch(/^database_not_empty: .* allowlist\./)
    const rows = await rowsAt(url())
    expect(Object.values(rows).flat()).toHaveLength(1)
    await database().db.deleteFrom('allowlist').execute()
    // Applies to dropped tables as well.
    const browser = { app_id: 'one', identifier: 'ada@example.com', binding: '' }
    const code = { ...browser, purpose: 'login', code_hash: '', expires_at: 1, sent_at: 1 }
    await database().db.insertInto('codes').values(code).execute()
    expect((await restore(url())).why).toMatch(/^database_not_empty: .* codes\./)
    await database().db.deleteFrom('codes').execute()
    expect(await restore(url())).toMatchObject({ ok: true })
  })
})

describe('a backup', () => {
  beforeEach(() => useDatabase(environment, 3))

  test('a backup is readable by its owner only and contains no key', async () => {
    const { printed } = await backup()
    expect(printed).toContain('It opens only with the master key')
    const modes = (place: string): readonly string[] => [
      `${(statSync(place).mode & 0o777).toString(8)}`,
      ...(statSync(place).isDirectory()
        ? readdirSync(place).flatMap((name) => modes(join(place, name)))
        : []),
    ]
    expect(new Set(modes(path))).toEqual(new Set(['700', '600']))
    expect(statSync(path).mode & 0o777).toBe(0o700)
    expect(readdirSync(path).sort()).toEqual(['manifest.json', 'manifest.mac', 'tables'])
    expect(readdirSync(join(folder, 'backups'))).toEqual(['monday'])
    const [, key = ''] = readFileSync(environment.MASTER_KEY_FILE, 'utf8').split('\n')
    const files = readdirSync(join(path, 'tables')).map((name) =>
      gunzipSync(readFileSync(join(path, 'tables', name))),
    )
    for (const text of [readFileSync(join(path, 'manifest.json')), ...files]) {
      expect(text.includes(key)).toBe(false)
    }
  })

  test('the manifest describes the backup', async () => {
    await backup()
    const manifest = JSON.parse(readFileSync(join(path, 'manifest.json'), 'utf8'))
    expect(manifest).toMatchObject({
      format: 'latchkey backup',
      version: 1,
      release: JSON.parse(readFileSync('package.json', 'utf8')).version,
      engine: 'sqlite',
      withKeys: false,
      keys: { recovery: null },
    })
    expect(manifest.migrations).toContain('0009-recovery-keys')
    const users = manifest.tables.find(({ name }: { name: string }) => name === 'users')
    expect(users).toMatchObject({ rows: 3, key: ['id'], sha256: expect.stringMatching(/^[0-9a-f]{64}$/) })
    expect(manifest.tables.map(({ name }: { name: string }) => name)).not.toContain('running_servers')
  })

  test('a backup never overwrites an existing path', async () => {
    await backup()
    const before = readFileSync(join(path, 'manifest.json'), 'utf8')
    expect((await backup()).why).toMatch(/^path_taken: /)
    expect(readFileSync(join(path, 'manifest.json'), 'utf8')).toBe(before)
  })

  test('a failed backup leaves nothing behind', async () => {
    const database = openDatabase(environment.DATABASE_URL)
    // SQLite accepts a fraction in an integer column.
    await database.db.updateTable('users').set({ created_at: 1.5 }).execute()
    await database.close()
    expect((await backup()).why).toMatch(/^row_refused: /)
    expect(readdirSync(join(folder, 'backups'))).toEqual([])
  })

  test('a backup to an impossible path is rejected with the system error', async () => {
    path = join(environment.MASTER_KEY_FILE, 'deeper', 'monday')
    expect((await backup()).why).toMatch(/^ENOTDIR: not a directory/)
  })

  test('a backup is rejected if the configured keys do not open the database', async () => {
    const recoveryFile = join(folder, 'keys', 'recovery.key')
    expect((await backup([], { RECOVERY_MASTER_KEY_FILE: recoveryFile })).ok).toBe(false)
    expect((await backup([], { MASTER_KEY_FILE: join(folder, 'keys', 'other.key') })).ok).toBe(false)
    expect(existsSync(join(folder, 'backups'))).toBe(false)
  })
})

describe('key files', () => {
  const recovery = () => ({ RECOVERY_MASTER_KEY_FILE: join(folder, 'recovery', 'recovery.key') })
  const without = () => ({
    MASTER_KEY_FILE: join(folder, 'new', 'master.key'),
    RECOVERY_MASTER_KEY_FILE: join(folder, 'new-recovery', 'recovery.key'),
  })

  test('key files are restored only with --with-keys on both sides, and only if they are missing', async () => {
    await useDatabase({ ...environment, ...recovery() }, 3)
    const { printed } = await backup(['--with-keys'], recovery())
    expect(printed).toContain('The folder contains the master key.')
    const file = newFile()
    expect((await restore(file, [], without())).why).toMatch(/^key_file_missing: /)
    expect(existsSync(without().MASTER_KEY_FILE)).toBe(false)
    expect(await restore(file, ['--with-keys'], without())).toMatchObject({ ok: true, why: '' })
    for (const [copied, original] of [
      [without().MASTER_KEY_FILE, environment.MASTER_KEY_FILE],
      [without().RECOVERY_MASTER_KEY_FILE, recovery().RECOVERY_MASTER_KEY_FILE],
    ] as const) {
      expect(readFileSync(copied, 'utf8')).toBe(readFileSync(original, 'utf8'))
      expect(statSync(copied).mode & 0o777).toBe(0o600)
    }
  })

  test('rejects --with-keys for a backup without key files', async () => {
    await useDatabase(environment, 1)
    await backup()
    expect((await restore(newFile(), ['--with-keys'])).why).toMatch(
      /^key_file_missing: the backup has no key files\./,
    )
  })

  test('a backup with a recovery key requires the recovery key file', async () => {
    await useDatabase({ ...environment, ...recovery() }, 3)
    await backup([], recovery())
    expect((await restore(newFile())).why).toMatch(/^key_file_missing: .* Set RECOVERY_MASTER_KEY_FILE/)
    expect(existsSync(newFile())).toBe(false)
    expect(await restore(newFile(), [], recovery())).toMatchObject({ ok: true, why: '' })
  })

  test('the key files of another database do not open a backup', async () => {
    await useDatabase(environment, 1)
    await backup()
    const other = { ...environmentIn(join(folder, 'other')) }
    await useDatabase(other, 0)
    const wrong = await restore(newFile(), [], { MASTER_KEY_FILE: other.MASTER_KEY_FILE })
    expect(wrong.why).toMatch(/^wrong_key: this belongs to the master key /)
    expect(existsSync(newFile())).toBe(false)
    expect(await restore(newFile())).toMatchObject({ ok: true })
  })
})

describe('a modified backup is rejected without changes', () => {
  const manifest = () => join(path, 'manifest.json')
  const tableFile = () => join(path, 'tables', 'users.jsonl.gz')
  const change = (text: (manifest: string) => string) =>
    writeFileSync(manifest(), text(readFileSync(manifest(), 'utf8')))
  const flip = (file: string) => {
    const bytes = readFileSync(file)
    const middle = Math.floor(bytes.length / 2)
    bytes.writeUInt8(bytes.readUInt8(middle) ^ 1, middle)
    writeFileSync(file, bytes)
  }
  const damages: Readonly<Record<string, { code: string; damage: () => void }>> = {
    'a table is truncated': { code: 'backup_damaged', damage: () => truncateSync(tableFile(), 30) },
    'a table is longer': { code: 'backup_damaged', damage: () => appendFileSync(tableFile(), 'x') },
    'one bit of a table is flipped': { code: 'backup_damaged', damage: () => flip(tableFile()) },
    'a table is replaced by a valid one': {
      code: 'backup_damaged',
      damage: () => writeFileSync(tableFile(), gzipSync('["1","1",null,"an-app","a-user"]\n')),
    },
    'a table is replaced by another table of the backup': {
      code: 'backup_damaged',
      damage: () => copyFileSync(join(path, 'tables', 'apps.jsonl.gz'), tableFile()),
    },
    'a table is missing': { code: 'backup_damaged', damage: () => rmSync(tableFile()) },
    'the manifest is truncated': { code: 'backup_damaged', damage: () => truncateSync(manifest(), 500) },
    'the manifest has another content': {
      code: 'backup_damaged',
      damage: () => writeFileSync(manifest(), '{}'),
    },
    'the manifest has another time': {
      code: 'backup_damaged',
      damage: () => change((text) => text.replace(/"createdAt": "20../, '"createdAt": "2000')),
    },
    'the manifest has the hash of another file': {
      code: 'backup_damaged',
      damage: () => {
        const none = gzipSync('')
        writeFileSync(tableFile(), none)
        const sha256 = createHash('sha256').update(none).digest('hex')
        const said = { rows: 0, hash: '0'.repeat(64), bytes: none.length, sha256 }
        change((text) => {
          const json = JSON.parse(text)
          Object.assign(
            json.tables.find(({ name }: { name: string }) => name === 'users'),
            said,
          )
          return JSON.stringify(json)
        })
      },
    },
    'the MAC of the manifest is wrong': {
      code: 'backup_damaged',
      damage: () => writeFileSync(join(path, 'manifest.mac'), 'A'.repeat(43)),
    },
    'the MAC of the manifest is missing': {
      code: 'backup_damaged',
      damage: () => rmSync(join(path, 'manifest.mac')),
    },
    'the manifest is missing': { code: 'backup_not_found', damage: () => rmSync(manifest()) },
    'the folder is missing': { code: 'backup_not_found', damage: () => rmSync(path, { recursive: true }) },
    'the backup format is newer': {
      code: 'backup_format_unknown',
      damage: () => change((text) => text.replace('"version": 1,', '"version": 2,')),
    },
  }

  test.each(Object.entries(damages))('rejects the backup if %s', async (_, { code, damage }) => {
    await useDatabase(environment, 3)
    await backup()
    const whole = join(folder, 'whole')
    cpSync(path, whole, { recursive: true })
    damage()
    const { ok, why } = await restore(newFile())
    expect(ok).toBe(false)
    expect(why).toMatch(new RegExp(`^${code}: `))
    expect(existsSync(newFile())).toBe(false)
    rmSync(path, { recursive: true, force: true })
    cpSync(whole, path, { recursive: true })
    expect(await restore(newFile())).toMatchObject({ ok: true, why: '' })
  })

  test('rejects a backup with missing or unknown migrations and names its release', async () => {
    await useDatabase(environment, 1)
    await backup()
    const { why } = await restoreForged((json) => ({
      ...json,
      release: '0.0.9',
      migrations: json.migrations.slice(1),
    }))
    expect(why).toMatch(
      /^backup_of_other_release: the backup, which release 0\.0\.9 made, lacks .*0001-first-tables/,
    )
    expect(why).toContain('Restore it with that release')
    const newer = await restoreForged((json) => ({ ...json, migrations: [...json.migrations, '0100-newer'] }))
    expect(newer.why).toMatch(/^unknown_migrations: .*0100-newer/)
    expect(existsSync(newFile())).toBe(false)
  })

  /** Restores a backup that an attacker with the master key modified. */
  async function restoreForged(change: (manifest: { release: string; migrations: string[] }) => unknown) {
    const forged = join(folder, `forged-${Math.random()}`)
    cpSync(path, forged, { recursive: true })
    const text = JSON.stringify(change(JSON.parse(readFileSync(manifest(), 'utf8'))))
    writeFileSync(join(forged, 'manifest.json'), text)
    const mac = backupMac(readMasterKeys(environment.MASTER_KEY_FILE)[0])
    writeFileSync(join(forged, 'manifest.mac'), mac(Buffer.from(text)))
    return operate(restoreTool, ['--from', forged], { ...environment, DATABASE_URL: newFile() })
  }
})

test('rejects a backup of an older database and does not migrate it', async () => {
  const early = openDatabase(environment.DATABASE_URL)
  await early.migrate()
  await early.close()
  expect((await backup()).why).toMatch(/^database_not_current: /)
  expect(existsSync(join(folder, 'backups'))).toBe(false)
})

describe('command line', () => {
  test.each([
    { tool: backupTool, args: ['--help'], ok: true, says: /^Usage: latchkey backup --to <path>/ },
    { tool: restoreTool, args: ['--help'], ok: true, says: /^Usage: latchkey restore --from <path>/ },
    { tool: backupTool, args: [], ok: false, says: /^Usage: latchkey backup/ },
    { tool: restoreTool, args: [], ok: false, says: /^Usage: latchkey restore/ },
    { tool: backupTool, args: ['--to', 'x', '--from', 'y'], ok: false, says: /^Unknown option '--from'/ },
    { tool: restoreTool, args: ['--from', 'x', '--force'], ok: false, says: /^Unknown option '--force'/ },
  ])('$args prints usage or rejects the options', async ({ tool, args, ok, says }) => {
    const ran = await operate(tool, args, environment)
    expect({ ok: ran.ok, said: ran.printed + ran.why }).toMatchObject({
      ok,
      said: expect.stringMatching(says),
    })
  })

  test('resolves paths from the folder of the user', async () => {
    await useDatabase(environment, 1)
    mkdirSync(join(folder, 'here'))
    const typed = { ...environment, INIT_CWD: join(folder, 'here') }
    expect(await operate(backupTool, ['--to', 'saved'], typed)).toMatchObject({ ok: true })
    expect(existsSync(join(folder, 'here', 'saved', 'manifest.json'))).toBe(true)
    const there = { ...typed, DATABASE_URL: newFile() }
    expect(await operate(restoreTool, ['--from', 'saved'], there)).toMatchObject({ ok: true })
  })
})
