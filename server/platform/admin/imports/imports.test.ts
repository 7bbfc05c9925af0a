/** Imports by the Admin API: results of records, and the attempts to misuse them. */
import { gzipSync } from 'node:zlib'
import { adminLimits } from '@latchkey/protocol/admin'
import { beforeEach, describe, expect, test } from 'vitest'
import { setFields } from '../../../identity/apps/manage.ts'
import { findOrCreateUser } from '../../../identity/users/users.ts'
import { collectExpiryRules } from '../../../kernel/capability.ts'
import { cleanUp } from '../../../kernel/db/cleanup.ts'
import { forEachEngine } from '../../../kernel/db/test-engines.ts'
import { withTransaction } from '../../../kernel/db/transaction.ts'
import { capabilities } from '../../../start/capabilities.ts'
import { importLimits } from './limits.ts'
import { type ImportFixture, importFixture, toNdjson } from './testing/fixture.ts'

const auth0 = (id: string, changes: object = {}) => ({
  user_id: `auth0|${id}`,
  email: `${id}@example.com`,
  email_verified: true,
  identities: [{ provider: 'auth0', user_id: id, connection: 'db', isSocial: false }],
  ...changes,
})

forEachEngine((database) => {
  let fixture: ImportFixture
  beforeEach(async () => {
    fixture = await importFixture(database())
  })
  const run = (records: unknown[], options?: Parameters<ImportFixture['run']>[2]) =>
    fixture.run('auth0', toNdjson(records), options)
  const results = async (records: unknown[]) =>
    (await run(records)).report.map(({ result, why }) => (why === null ? result : `${result} ${why}`))
  const countRows = async (table: string) =>
    (
      await fixture.context.db
        .selectFrom(table as never)
        .selectAll()
        .execute()
    ).length
  const cleanUpLater = () => {
    const { clock } = fixture.context
    clock.advanceSeconds(importLimits.uploadSeconds)
    return cleanUp(database(), clock, collectExpiryRules(capabilities))
  }
  const users = () => `/apps/${fixture.app.id}/users`

  test('a created user expects the accounts, and the first login takes over the user', async () => {
    const google = { provider: 'google-oauth2', user_id: '1101', connection: 'google-oauth2' }
    const { summary, report } = await run([
      auth0('ada', {
        created_at: '2024-05-06T07:08:09.000Z',
        identities: [google],
        app_metadata: { plan: 'pro' },
      }),
    ])
    expect(summary).toMatchObject({ state: 'finished', records: 1, done: 1, created: 1, dry_run: false })
    expect(report).toEqual([
      { part: 1, line: 1, result: 'created', why: null, id: expect.stringMatching(/^usr_/), left_out: [] },
    ])
    const id = report[0]?.id ?? null
    expect(await fixture.getUser(id)).toMatchObject({
      created_at: '2024-05-06T07:08:09.000Z',
      accounts: [],
      expected_accounts: [
        { type: 'email', identifier: 'ada@example.com' },
        { type: 'google_oauth', identifier: '1101' },
      ],
      external_id: 'auth0|ada',
      metadata: { public: {}, private: { app_metadata: { plan: 'pro' } } },
      wallets: [],
    })
    expect(await fixture.login('ADA@example.com')).toBe(id)
    expect(await fixture.getUser(id)).toMatchObject({ external_id: 'auth0|ada', expected_accounts: [] })
  })

  test('the first login with a provider and subject takes over the user too', async () => {
    const { report } = await run([
      auth0('ada', { identities: [{ provider: 'google-oauth2', user_id: '1101' }] }),
    ])
    const { context, app } = fixture
    const found = await context.apps.find(app.id)
    if (found === undefined) throw new Error('The app does not exist')
    const account = { type: 'google_oauth', identifier: '1101', profile: { subject: '1101' } } as const
    const login = await context.transaction((trx) => findOrCreateUser(trx, context, found, account))
    expect(login).toMatchObject({ type: 'found', userId: report[0]?.id })
  })

  test('an imported user stays blocked at the first login', async () => {
    const { report } = await run([auth0('ada', { blocked: true })])
    expect(await fixture.getUser(report[0]?.id ?? null)).toMatchObject({ blocked: { reason: null } })
    await expect(fixture.login('ada@example.com')).rejects.toThrow()
  })

  test('bad lines are reported with their reason, and the others are imported', async () => {
    const content = [
      '{"user_id": "auth0|broken"',
      JSON.stringify(auth0('ada')),
      '',
      '[]',
      JSON.stringify({ ...auth0('bob'), user_id: 7 }),
      JSON.stringify(auth0('long', { name: 'x'.repeat(adminLimits.maxRecordBytes) })),
      JSON.stringify(auth0('x'.repeat(200))),
      JSON.stringify(auth0('eve', { email_verified: false })),
      JSON.stringify(auth0('mal', { app_metadata: { note: 'x'.repeat(adminLimits.maxMetadataBytes) } })),
      JSON.stringify(auth0('zoe')),
    ].join('\n')
    const { report, summary } = await fixture.run('auth0', content)
    expect(report.map(({ line, result, why, left_out }) => [line, result, why, left_out])).toEqual([
      [1, 'skipped', 'malformed_json', []],
      [2, 'created', null, []],
      [4, 'skipped', 'invalid_record', []],
      [5, 'skipped', 'invalid_record', []],
      [6, 'skipped', 'record_too_large', []],
      [7, 'skipped', 'invalid_external_id', []],
      [8, 'skipped', 'no_account', ['unverified_email']],
      [9, 'skipped', 'metadata_too_large', []],
      [10, 'created', null, []],
    ])
    expect(summary).toMatchObject({ records: 9, done: 9, created: 2, skipped: 7, merged: 0, conflicts: 0 })
  })

  describe('a user who exists', () => {
    test('gets an empty external id and empty metadata filled, and no account', async () => {
      const id = await fixture.login('ada@example.com')
      await fixture.call('PATCH', `${users()}/${id}`, { body: { metadata: { public: { plan: 'pro' } } } })
      const { report } = await run([
        auth0('ada', {
          phone_number: '+14155550100',
          phone_verified: true,
          user_metadata: { theme: 'dark' },
        }),
      ])
      expect(report).toMatchObject([{ result: 'merged', why: null, id }])
      expect(await fixture.getUser(id)).toMatchObject({
        accounts: [{ type: 'email', identifier: 'ada@example.com' }],
        expected_accounts: [],
        external_id: 'auth0|ada',
        metadata: { public: { plan: 'pro' }, private: { user_metadata: { theme: 'dark' } } },
      })
      const phone = await fixture.call('GET', `${users()}?phone=%2B14155550100`)
      expect(phone.body.data).toEqual([])
    })

    test('keeps metadata and an external id that are set', async () => {
      const id = await fixture.login('ada@example.com')
      const body = { external_id: 'customer-1', metadata: { private: { note: 'old' } } }
      await fixture.call('PATCH', `${users()}/${id}`, { body })
      const { report } = await run([auth0('ada', { app_metadata: { plan: 'free' }, blocked: true })])
      expect(report).toMatchObject([{ result: 'conflict', why: 'other_external_id', id }])
      expect(await fixture.getUser(id)).toMatchObject({
        external_id: 'customer-1',
        metadata: { public: {}, private: { note: 'old' } },
        blocked: null,
      })
    })

    test('is never merged with another one', async () => {
      const ada = await fixture.login('ada@example.com')
      await fixture.call('POST', users(), {
        body: { accounts: [{ type: 'phone', identifier: '+14155550100' }] },
      })
      const record = auth0('ada', { phone_number: '+1 415 555 0100', phone_verified: true })
      const { report } = await run([record])
      expect(report).toMatchObject([{ result: 'conflict', why: 'several_users', id: null }])
      expect((await fixture.getUser(ada)).external_id).toBeNull()
    })

    test('is not found by an address that the source did not verify', async () => {
      const id = await fixture.login('ada@example.com')
      expect(await results([auth0('ada', { email_verified: false })])).toEqual(['skipped no_account'])
      expect((await fixture.getUser(id)).external_id).toBeNull()
    })
  })

  test('a second import of the same file changes nothing', async () => {
    const records = [auth0('ada', { app_metadata: { plan: 'pro' } }), auth0('bob')]
    const first = await run(records)
    const second = await run(records)
    expect(second.report).toEqual(first.report.map((row) => ({ ...row, result: 'skipped', why: 'exists' })))
  })

  test('duplicates in one file become one user, also in another case, chunk or part', async () => {
    const many = Array.from({ length: importLimits.chunkRecords }, (_, index) => auth0(`user${index}`))
    const { id } = (await fixture.create('auth0')).body
    await fixture.upload(id, toNdjson([auth0('ada'), auth0('b', { email: 'Ada@EXAMPLE.com' }), ...many]))
    // Another spelling by look-alikes is another address.
    const lookAlike = auth0('c', { email: 'ada@examp1e.com' })
    await fixture.upload(id, toNdjson([auth0('ada', { email: 'new@example.com' }), lookAlike]), { part: 2 })
    await fixture.start(id)
    await fixture.poll()
    const report = await fixture.readReport(id)
    const odd = report.filter(({ why }) => why !== null)
    expect(odd.map(({ part, line, result, why, id: user }) => [part, line, result, why, user])).toEqual([
      [1, 2, 'conflict', 'duplicate', null],
      [2, 1, 'conflict', 'duplicate', null],
    ])
    const named = report.flatMap(({ id: user }) => user ?? [])
    expect(new Set(named).size).toBe(named.length)
    expect(named).toHaveLength(importLimits.chunkRecords + 2)
  })

  test('a dry run reports the same results, and changes nothing', async () => {
    const id = await fixture.login('zoe@example.com')
    const many = Array.from({ length: importLimits.chunkRecords }, (_, index) => auth0(`user${index}`))
    const records = [
      auth0('ada'),
      auth0('zoe'),
      ...many,
      auth0('b', { email: 'ada@example.com' }),
      auth0('zoe'),
    ]
    const dry = await run(records, { isDryRun: true })
    const { db } = fixture.context
    expect(await db.selectFrom('users').select('id').execute()).toEqual([{ id }])
    expect((await fixture.getUser(id)).external_id).toBeNull()
    const real = await run(records)
    const withoutIds = (rows: typeof dry.report) => rows.map(({ id: _, ...row }) => row)
    expect(withoutIds(dry.report)).toEqual(withoutIds(real.report))
    expect(dry.report.filter((row) => row.id !== null)).toMatchObject([{ line: 2, result: 'merged', id }])
    expect(dry.summary).toMatchObject({ dry_run: true, created: 501, merged: 1, conflicts: 2 })
    await cleanUpLater()
    expect(await countRows('import_claims')).toBe(0)
    expect(await countRows('import_rows')).toBe(2 * records.length)
  })

  test('an import changes no table of accounts, wallets, sessions, codes and factors', async () => {
    const { context, enrolTotp, makeWallet, browser } = fixture
    const ada = await browser.login('ada@example.com')
    await makeWallet(ada)
    await enrolTotp(ada)
    const { id } = (await fixture.create('auth0')).body
    await fixture.upload(id, toNdjson([auth0('ada'), auth0('bob', { user_metadata: { a: 1 } })]))
    await fixture.start(id)
    const readTables = async () => {
      const tables = new Map<string, string[]>()
      for (const { name, schema } of await context.db.introspection.getTables()) {
        if (schema === 'pg_catalog' || schema === 'information_schema') continue
        const rows = await context.db
          .selectFrom(name as never)
          .selectAll()
          .execute()
        tables.set(
          name,
          rows.map((row) => JSON.stringify(row)),
        )
      }
      return tables
    }
    const before = await readTables()
    await fixture.poll()
    const changed = [...(await readTables())].flatMap(([name, rows]) =>
      rows.every((row) => before.get(name)?.includes(row)) ? [] : name,
    )
    expect(before.get('linked_accounts')).toHaveLength(1)
    expect(changed.sort()).toEqual([
      'audit_log',
      'expected_accounts',
      'external_ids',
      'import_rows',
      'imports',
      'user_metadata',
      'users',
    ])
  })

  test('a full chunk of users with ten accounts each is imported at once', async () => {
    const records = Array.from({ length: importLimits.chunkRecords }, (_, index) =>
      auth0(`user${index}`, {
        identities: Array.from({ length: 9 }, (_, account) => ({
          provider: 'github',
          user_id: `${index}-${account}`,
        })),
      }),
    )
    expect((await run(records, { isDryRun: true })).summary).toMatchObject({
      state: 'finished',
      created: 500,
    })
    expect((await run(records)).summary).toMatchObject({ state: 'finished', created: 500 })
    expect(await countRows('expected_accounts')).toBe(5_000)
  })

  test('an app with a limit of users takes no more', async () => {
    const { context, app } = fixture
    await withTransaction(context.db, (trx) => setFields(trx, context.clock, app.id, [['max_users', 1]]))
    expect(await results([auth0('ada'), auth0('bob')])).toEqual(['created', 'skipped app_full'])
  })

  test('a CSV file is read by its header, with commas and line breaks in cells', async () => {
    const content =
      'user_id,email,email_verified,phone_number,phone_verified,created_at,note\r\n' +
      `auth0|ada,ada@example.com,true,'+14155550100,true,2024-05-06T07:08:09.000Z,"a, ""b""\nc"\r\n` +
      'auth0|bob,bob@example.com,tr"ue,,,,\r\n' +
      'google-oauth2|7,eve@example.com,false,,,,\r\n'
    const { report } = await fixture.run('auth0', content, { type: 'text/csv' })
    expect(report.map(({ line, result, why, left_out }) => [line, result, why, left_out])).toEqual([
      [2, 'created', null, []],
      [4, 'skipped', 'malformed_csv', []],
      [5, 'created', null, ['unverified_email']],
    ])
    expect((await fixture.getUser(report[0]?.id ?? null)).expected_accounts).toEqual([
      { type: 'email', identifier: 'ada@example.com' },
      { type: 'phone', identifier: '+1 4155550100' },
    ])
    expect((await fixture.getUser(report[2]?.id ?? null)).expected_accounts).toEqual([
      { type: 'google_oauth', identifier: '7' },
    ])
  })

  describe('calls', () => {
    const createId = async () => (await fixture.create('auth0')).body.id as string

    test('an import of another app does not exist for the key', async () => {
      const other = await fixture.newApp()
      expect(await fixture.create('auth0', { app: other.id })).toMatchObject({
        status: 404,
        body: { code: 'app_not_found' },
      })
      const id = await createId()
      const key = await fixture.newKey({ appId: other.id })
      const calls = [
        fixture.call('GET', `/imports/${id}`, { key }),
        fixture.call('GET', `/imports/${id}/report`, { key }),
        fixture.call('POST', `/imports/${id}/start`, { key }),
        fixture.call('POST', `/imports/${id}/cancel`, { key }),
        fixture.upload(id, toNdjson([auth0('ada')]), { key }),
      ]
      for (const answer of await Promise.all(calls)) {
        expect(answer).toMatchObject({ status: 404, body: { code: 'import_not_found' } })
      }
    })

    test('need the scope import', async () => {
      const id = await createId()
      const key = await fixture.newKey({ scopes: ['users:write', 'users:delete', 'export'] })
      for (const answer of [
        await fixture.call('POST', '/imports', { key, body: { app: fixture.app.id, source: 'auth0' } }),
        await fixture.upload(id, '', { key }),
        await fixture.call('POST', `/imports/${id}/start`, { key }),
        await fixture.call('GET', `/imports/${id}/report`, { key }),
      ]) {
        expect(answer).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } })
      }
    })

    test('leave audit entries in the log of the app, also with a key for every app', async () => {
      const key = await fixture.newKey({ appId: null })
      const body = { app: fixture.app.id, source: 'auth0' }
      const { id } = (await fixture.call('POST', '/imports', { key, body })).body
      await fixture.upload(id, toNdjson([auth0('ada')]), { key })
      await fixture.call('POST', `/imports/${id}/start`, { key })
      const entries = (await fixture.readAudit()).filter(({ scope }) => scope === 'import')
      expect(entries.map(({ operation, result }) => [operation, result])).toEqual([
        ['createImport', 'ok'],
        ['uploadImportPart', 'ok'],
        ['startImport', 'ok'],
      ])
      await fixture.poll()
      const finished = await fixture.context.db
        .selectFrom('audit_log')
        .selectAll()
        .where('event', '=', 'import.finished')
        .executeTakeFirstOrThrow()
      expect(finished.app_id).toBe(fixture.app.id)
      expect(JSON.parse(finished.details)).toMatchObject({ import: id, created: 1 })
    })

    test('a finished import is an event for webhooks', async () => {
      await fixture.call('POST', `/apps/${fixture.app.id}/webhooks`, {
        body: { url: 'https://hooks.example/imports', events: ['import.finished'] },
      })
      const { id } = await run([auth0('ada')])
      const [webhook] = (await fixture.call('GET', `/apps/${fixture.app.id}/webhooks`)).body.data
      const path = `/apps/${fixture.app.id}/webhooks/${webhook.id}/deliveries`
      const [delivery] = (await fixture.call('GET', path)).body.data
      const { body } = (await fixture.call('GET', `${path}/${delivery.id}`)).body
      expect(JSON.parse(body)).toMatchObject({
        type: 'import.finished',
        data: { app_id: fixture.app.id, import_id: id, created: 1, dry_run: false },
      })
    })

    test('a part is gzip too, and an upload of the same part replaces it', async () => {
      const id = await createId()
      await fixture.upload(id, toNdjson([auth0('bob'), auth0('eve')]))
      const content = toNdjson([auth0('ada')])
      const answer = await fixture.upload(id, content, { isGzip: true })
      expect(answer.body).toEqual({ part: 1, records: 1, bytes: content.length })
      expect(await fixture.read(id)).toMatchObject({ parts: 1, records: 1, state: 'open' })
      await fixture.start(id)
      await fixture.poll()
      expect(await fixture.readReport(id)).toHaveLength(1)
    })

    test.each([
      ['a media type that is no table', 415, 'unsupported_media_type', { type: 'application/json' }],
      [
        'another compression',
        415,
        'unsupported_media_type',
        { headers: { 'content-type': 'text/csv', 'content-encoding': 'br' } },
      ],
      [
        'a declared length above the limit',
        413,
        'payload_too_large',
        { headers: { 'content-type': 'text/csv', 'content-length': String(adminLimits.maxPartBytes + 1) } },
      ],
      [
        'broken gzip',
        400,
        'invalid_data',
        { headers: { 'content-type': 'text/csv', 'content-encoding': 'gzip' } },
      ],
      ['part 0', 400, 'invalid_data', { part: 0 }],
      ['part 201', 400, 'invalid_data', { part: 201 }],
    ])('an upload with %s is refused', async (_, status, code, request) => {
      const id = await createId()
      expect(await fixture.upload(id, 'x', request)).toMatchObject({ status, body: { code } })
      expect(await fixture.read(id)).toMatchObject({ parts: 0, records: 0 })
    })

    test('a part that inflates beyond the limit is refused, and leaves nothing', async () => {
      const id = await createId()
      const bomb = gzipSync(Buffer.alloc(adminLimits.maxPartBytes + 1, '\n'))
      expect(bomb.length).toBeLessThan(100_000)
      const headers = { 'content-type': 'application/x-ndjson', 'content-encoding': 'gzip' }
      const answer = await fixture.call('PUT', `/imports/${id}/parts/1`, { body: new Blob([bomb]), headers })
      expect(answer).toMatchObject({ status: 413, body: { code: 'payload_too_large' } })
      expect(await fixture.read(id)).toMatchObject({ parts: 0, records: 0 })
      expect(await countRows('import_chunks')).toBe(0)
    })

    test('a started import takes no part, and starting it again changes nothing', async () => {
      const id = await createId()
      expect((await fixture.start(id)).body.code).toBe('nothing_to_import')
      await fixture.upload(id, toNdjson([auth0('ada')]))
      expect(await fixture.start(id)).toMatchObject({ status: 202, body: { state: 'running' } })
      const late = await fixture.upload(id, toNdjson([auth0('bob')]), { part: 2 })
      expect(late).toMatchObject({ status: 409, body: { code: 'import_not_open' } })
      await fixture.poll()
      expect((await fixture.start(id)).body).toMatchObject({ state: 'finished', created: 1 })
      await fixture.poll()
      expect(await fixture.readReport(id)).toHaveLength(1)
    })

    test('a cancelled import keeps its report, and imports no more', async () => {
      const id = await createId()
      await fixture.upload(id, toNdjson([auth0('ada')]))
      await fixture.start(id)
      const cancel = () => fixture.call('POST', `/imports/${id}/cancel`)
      expect((await cancel()).body).toMatchObject({ state: 'cancelled', done: 0, records: 1 })
      expect((await cancel()).status).toBe(200)
      expect((await fixture.start(id)).body.code).toBe('import_not_open')
      await fixture.poll()
      expect(await fixture.readReport(id)).toEqual([])
      expect(await countRows('import_chunks')).toBe(1)
      await cleanUpLater()
      expect(await countRows('import_chunks')).toBe(0)
    })

    test('an app has two open imports at most', async () => {
      const ids = await Promise.all([createId(), createId()])
      expect((await fixture.create('auth0')).body.code).toBe('too_many_imports')
      await fixture.call('POST', `/imports/${ids[0]}/cancel`)
      expect((await fixture.create('auth0')).status).toBe(201)
    })

    test('imports of an app are listed in pages, newest first, and only to its keys', async () => {
      const ids: string[] = []
      for (let count = 0; count < 3; count += 1) {
        const id = await createId()
        ids.unshift(id)
        await fixture.call('POST', `/imports/${id}/cancel`)
        fixture.context.clock.advanceSeconds(1)
      }
      const other = await fixture.newApp()
      const key = await fixture.newKey({ appId: null })
      await fixture.call('POST', '/imports', { key, body: { app: other.id, source: 'csv' } })
      const list = (query: string) => fixture.call('GET', `/imports?app=${fixture.app.id}&limit=2${query}`)
      const first = await list('')
      expect(first.body.data).toMatchObject(ids.slice(0, 2).map((id) => ({ id, state: 'cancelled' })))
      const second = await list(`&after=${first.body.next}`)
      expect(second.body).toMatchObject({ data: [{ id: ids[2] }], next: null })
      expect(await fixture.call('GET', `/imports?app=${other.id}`)).toMatchObject({
        status: 404,
        body: { code: 'app_not_found' },
      })
    })

    test('the report has the records with one result', async () => {
      const content = [JSON.stringify(auth0('ada')), '[]', JSON.stringify(auth0('bob'))].join('\n')
      const { id } = await fixture.run('auth0', content)
      const read = async (query: string) =>
        (await fixture.call('GET', `/imports/${id}/report?${query}`)).body.map(
          ({ cursor }: { cursor: string }) => cursor,
        )
      expect(await read('result=created')).toEqual(['1.1', '1.3'])
      expect(await read('result=created&after=1.1')).toEqual(['1.3'])
      expect(await read('result=skipped')).toEqual(['1.2'])
    })

    test('the report continues after a cursor', async () => {
      const { id } = await run([auth0('ada'), auth0('bob'), auth0('eve')])
      const rest = await fixture.call('GET', `/imports/${id}/report?after=1.1`)
      expect(rest.body.map(({ cursor }: { cursor: string }) => cursor)).toEqual(['1.2', '1.3'])
    })
  })
})
