/** `latchkey copy`: from SQLite to each engine, and back. */
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { collectMigrations } from '../../../kernel/capability.ts'
import { openStorage } from '../../../kernel/copy/storage.ts'
import { readSchema } from '../../../kernel/copy/tables.ts'
import { allRows } from '../../../kernel/copy/testing/generated-rows.ts'
import { openDatabase } from '../../../kernel/db/database.ts'
import { forEachEngine } from '../../../kernel/db/test-engines.ts'
import { updateRunningServer } from '../../../kernel/keys/running-servers.ts'
import { capabilities } from '../../capabilities.ts'
import { environmentIn, operate, useDatabase } from '../testing/used-database.ts'
import { copyTool } from './copy-tool.ts'
import { runOperation } from './operation.ts'

let folder = ''
let environment: ReturnType<typeof environmentIn>
let source = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'latchkey-copy-'))
  environment = environmentIn(folder)
  source = `sqlite:${environment.DATABASE_URL}`
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const copy = (...args: string[]) => operate(copyTool, args, environment)

async function rowsAt(url: string): Promise<Readonly<Record<string, readonly string[]>>> {
  const storage = await openStorage(url, 'read')
  const found: Record<string, readonly string[]> = {}
  for (const { name } of (await readSchema(storage)).tables) found[name] = await allRows(storage.db, name)
  await storage.close()
  return found
}
const countAt = async (url: string) => Object.values(await rowsAt(url)).flat().length

async function withSource<Result>(work: (database: ReturnType<typeof openDatabase>) => Promise<Result>) {
  const database = openDatabase(environment.DATABASE_URL, { migrations: collectMigrations(capabilities) })
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}
const startServerOn = () =>
  withSource(({ db }) =>
    updateRunningServer(
      db,
      { id: 'one', name: 'host-a (process 7)', keys: [] },
      Math.floor(Date.now() / 1_000),
    ),
  )

forEachEngine((_database, _engine, url) => {
  test('copies and compares a database, and a copy back is identical', async () => {
    await useDatabase(environment, 30)
    const before = await rowsAt(environment.DATABASE_URL)
    const { ok, why, printed } = await copy('--from', source, '--to', url())
    expect(why).toBe('')
    expect(ok).toBe(true)
    expect(printed).toMatch(/^TABLE +ROWS READ +ROWS WRITTEN +CONTENT$/m)
    expect(printed).toMatch(/^wallets +30 +30 +same \([0-9a-f]{12}\)$/m)
    expect(printed).toContain('Set DATABASE_URL to the new database')
    expect(printed).not.toContain('DIFFERENT')
    const back = join(folder, 'back', 'database.sqlite')
    expect(await copy('--from', url(), '--to', `sqlite:${back}`)).toMatchObject({ ok: true })
    expect(await rowsAt(back)).toEqual(before)
    expect(await rowsAt(environment.DATABASE_URL)).toEqual(before)
  })

  test('rejects a target with rows', async () => {
    await useDatabase(environment, 3)
    expect(await copy('--from', source, '--to', url())).toMatchObject({ ok: true })
    const written = await rowsAt(url())
    const again = await copy('--from', source, '--to', url())
    expect(again).toMatchObject({ ok: false, why: expect.stringMatching(/^database_not_empty: /) })
    expect(again.why).toContain('allowlist')
    expect(await rowsAt(url())).toEqual(written)
  })

  test('rejects a source that a running server uses, unless --while-running is set', async () => {
    await useDatabase(environment, 3)
    await startServerOn()
    const refused = await copy('--from', source, '--to', url())
    expect(refused).toMatchObject({ ok: false, why: expect.stringMatching(/^servers_running: /) })
    expect(refused.why).toContain('host-a (process 7)')
    expect(await countAt(url())).toBe(0)
    const copied = await copy('--from', source, '--to', url(), '--while-running')
    expect(copied).toMatchObject({ ok: true })
    expect(copied.printed).toContain('The copy does not include writes of servers since it started.')
    const { running_servers, users } = await rowsAt(url())
    expect(running_servers).toEqual([])
    expect(users).toHaveLength(3)
  })

  test('detects a server that starts during the copy, and rolls back', async () => {
    await useDatabase(environment, 3)
    const said: string[] = []
    const args = ['--from', source, '--to', url()]
    const ran = await runOperation(
      copyTool,
      args,
      environment,
      () => {},
      (what) => {
        if (said.push(what) !== 1) return
        const database = new DatabaseSync(environment.DATABASE_URL)
        database.exec(`insert into running_servers values ('one', 'host-b', '', ${Date.now()})`)
        database.close()
      },
    )
    expect(ran).toMatchObject({ ok: false, why: expect.stringMatching(/^servers_running: .*host-b/) })
    expect(await countAt(url())).toBe(0)
    expect(said).toContain('Writing wallets: 3 rows')
    expect(said).toContain('Comparing wallets: 3 rows')
  })

  test('copies nothing if the key files do not open every row', async () => {
    await useDatabase(environment, 3)
    const keyFile = readFileSync(environment.MASTER_KEY_FILE, 'utf8')
    const write = (text: string) => {
      writeFileSync(environment.MASTER_KEY_FILE, text)
      chmodSync(environment.MASTER_KEY_FILE, 0o600)
    }
    write(`latchkey master key 1\n${Buffer.alloc(32, 7).toString('base64url')}\n`)
    expect((await copy('--from', source, '--to', url())).why).toContain(
      'The database belongs to the master key',
    )
    rmSync(environment.MASTER_KEY_FILE)
    expect((await copy('--from', source, '--to', url())).why).toContain('does not exist')
    expect(existsSync(environment.MASTER_KEY_FILE)).toBe(false)
    write(keyFile)
    // One share uses a key that was removed from the file too early.
    await withSource(async ({ db }) => {
      const { master_key_fingerprint: id } = await db
        .selectFrom('instance')
        .selectAll()
        .executeTakeFirstOrThrow()
      await sql`update wallets set auth_share = replace(auth_share, ${id}, 'gone')`.execute(db)
    })
    expect((await copy('--from', source, '--to', url())).why).toMatch(
      /^key_file_missing: .* the master key gone,/,
    )
    expect(await countAt(url())).toBe(0)
  })
})

test('rejects a missing or unused source database', async () => {
  const to = `sqlite:${join(folder, 'new', 'new.sqlite')}`
  expect((await copy('--from', source, '--to', to)).why).toMatch(/^database_not_found: /)
  await withSource((database) => database.migrate())
  expect((await copy('--from', source, '--to', to)).why).toMatch(/^database_without_keys: /)
  expect(existsSync(environment.MASTER_KEY_FILE)).toBe(false)
  expect(existsSync(join(folder, 'new'))).toBe(false)
  await useDatabase(environment, 1)
  expect(await copy('--from', source, '--to', to)).toMatchObject({ ok: true })
})

test('rejects an older source database and does not migrate it', async () => {
  const early = openDatabase(environment.DATABASE_URL)
  await early.migrate()
  await early.close()
  const { why } = await copy('--from', source, '--to', `sqlite:${join(folder, 'new', 'new.sqlite')}`)
  expect(why).toMatch(/^database_not_current: .* lacks migrations of this release: .*wallets\//)
  expect(existsSync(join(folder, 'new'))).toBe(false)
})

test('rejects an unknown table, and leaves it out with --ignore-unknown', async () => {
  await useDatabase(environment, 2)
  await withSource(({ db }) => db.schema.createTable('visits').addColumn('id', 'text').execute())
  const to = join(folder, 'new', 'new.sqlite')
  expect((await copy('--from', source, '--to', to)).why).toMatch(/^unknown_tables: .*: visits\./)
  expect(await copy('--from', source, '--to', to, '--ignore-unknown')).toMatchObject({ ok: true })
  const rows = await rowsAt(to)
  expect(rows.visits).toBeUndefined()
  expect(rows.users).toHaveLength(2)
})

test('reports an unreachable database without its password', async () => {
  const { why } = await copy('--from', 'postgres://me:secret@127.0.0.1:1/fieldnotes', '--to', source)
  expect(why).toMatch(
    /^database_unreachable: postgres:\/\/127\.0\.0\.1:1\/fieldnotes cannot be opened: .*ECONNREFUSED/,
  )
  expect(why).not.toContain('secret')
})

describe('command line', () => {
  test.each([['--help'], ['-h'], ['--from', 'x', '--help']])('%s %s %s prints the usage', async (...args) => {
    expect(await copy(...args.filter((one) => one !== undefined))).toMatchObject({
      ok: true,
      printed: expect.stringMatching(/^Usage: latchkey copy --from <database> --to <database>/),
    })
  })

  test.each([
    { args: [], why: /^Usage: latchkey copy/ },
    { args: ['--from', 'x'], why: /^Usage: latchkey copy/ },
    { args: ['--from', 'x', '--to', 'y', '--overwrite'], why: /^Unknown option '--overwrite'/ },
    { args: ['x', 'y'], why: /^Unexpected argument 'x'/ },
    { args: ['--from', 'mysql://x', '--to', 'y'], why: /^"mysql:\/\/x" is not a database\./ },
    { args: ['--from', 'sqlite:', '--to', 'y'], why: /^"sqlite:" is not a database\./ },
    { args: ['--from', 'postgres:x', '--to', 'y'], why: /^"postgres:x" is not a database\./ },
  ])('rejects $args', async ({ args, why }) => {
    expect(await copy(...args)).toMatchObject({ ok: false, why: expect.stringMatching(why) })
  })

  test('rejects a database next to the master key, like a server does', async () => {
    const to = join(folder, 'keys', 'new.sqlite')
    expect((await copy('--from', source, '--to', to)).why).toContain('must be outside the database folder')
  })

  test('resolves paths from the folder of the user', async () => {
    await useDatabase(environment, 1)
    const typed = { ...environment, INIT_CWD: folder }
    const args = ['--from', 'database/latchkey.sqlite', '--to', 'sqlite:new/new.sqlite']
    expect(await operate(copyTool, args, typed)).toMatchObject({ ok: true })
    expect(existsSync(join(folder, 'new', 'new.sqlite'))).toBe(true)
  })
})
