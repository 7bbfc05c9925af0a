/** `latchkey import` with the files that it accepts. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { forDefaultEngine } from '../../kernel/db/test-engines.ts'
import { withAdminTables } from '../../platform/admin/tables.ts'
import { appFixture } from '../../testing/fixture.ts'
import { runImport } from './import.ts'

forDefaultEngine((database, _, url) => {
  let fixture: Awaited<ReturnType<typeof appFixture>>
  let folder = ''
  beforeEach(async () => {
    fixture = await appFixture(database())
    folder = mkdtempSync(join(tmpdir(), 'latchkey-import-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  function write(name: string, content: string | Buffer): string {
    writeFileSync(join(folder, name), content)
    return join(folder, name)
  }
  async function run(file: string, options: string[] = []) {
    const printed: string[] = []
    const environment = { DATABASE_URL: url(), MASTER_KEY_FILE: join('/nowhere', 'master.key') }
    const args = [file, '--app', fixture.app.id, ...options]
    return { ...(await runImport(args, environment, (line) => void printed.push(line))), printed }
  }
  const csv = 'id,email,email_verified\n1,ada@example.com,true\n2,bob@example.com,false\n'
  const countUsers = async () => (await fixture.context.db.selectFrom('users').select('id').execute()).length
  const summary = 'Created 1 users, merged 0, left 0 conflicts, skipped 1.'

  test.each<[string, string, () => string | Buffer]>([
    ['csv', 'users.csv', () => csv],
    ['csv', 'users.csv.gz', () => gzipSync(csv)],
    [
      'firebase',
      'users.json',
      () =>
        JSON.stringify({
          users: [{ localId: '1', email: 'a@b.example', emailVerified: true }, { localId: '2' }],
        }),
    ],
    [
      'privy',
      'users.ndjson.gz',
      () =>
        gzipSync(
          '{"id":"1","linked_accounts":[{"type":"email","address":"a@b.example","latest_verified_at":1}]}\n{}\n',
        ),
    ],
  ])('imports a file of %s: %s', async (source, name, content) => {
    const result = await run(write(name, content()), ['--from', source])
    expect(result).toEqual({ ok: true, printed: [summary, 'Add --report <path> to see why.'] })
    expect(await countUsers()).toBe(1)
    const audit = await withAdminTables(fixture.context.db).selectFrom('admin_audit').selectAll().execute()
    expect(audit).toMatchObject([{ actor: 'command', operation: 'startImport' }])
  })

  test('a dry run creates no user, and writes the report', async () => {
    const report = join(folder, 'report.ndjson')
    const options = ['--from', 'csv', '--dry-run', '--report', report]
    const { printed } = await run(write('users.csv', csv), options)
    expect(printed).toEqual(['Would create 1 users, merged 0, left 0 conflicts, skipped 1.'])
    expect(
      readFileSync(report, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toMatchObject([
      { part: 1, line: 2, result: 'created', why: null, id: null, left_out: [] },
      { part: 1, line: 3, result: 'skipped', why: 'no_account', left_out: ['unverified_email'] },
    ])
    expect(await countUsers()).toBe(0)
  })

  test('prints progress for each 10,000 records', async () => {
    const rows = Array.from({ length: 10_001 }, (_, index) => `${index},user${index}@example.com,true\n`)
    const { printed } = await run(write('users.csv', `id,email,email_verified\n${rows.join('')}`), [
      '--from',
      'csv',
    ])
    expect(printed).toEqual([
      '10,000 of 10,001 records',
      'Created 10001 users, merged 0, left 0 conflicts, skipped 0.',
    ])
  })

  test.each([
    ['an unknown source', 'users.csv', csv, 'okta', 'There is no source okta.'],
    ['a document without users', 'users.json', '{"people":[]}', 'firebase', 'has no array of users'],
    ['an empty file', 'users.csv', '', 'csv', 'Upload a part with records first'],
  ])('refuses %s', async (_, name, content, source, why) => {
    const result = await run(write(name, content), ['--from', source])
    expect(result).toMatchObject({ ok: false, why: expect.stringContaining(why) })
    expect(await countUsers()).toBe(0)
  })
})
