/** Calls about users, as the programs of operators make them. */
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { setFields } from '../../identity/apps/manage.ts'
import type { TestSession } from '../../identity/sessions/testing/browser.ts'
import { linkAccount } from '../../identity/users/users.ts'
import { forEachEngine, runsAllTests } from '../../kernel/db/test-engines.ts'
import { verifyAuditChains } from './audit-chain.ts'
import { type AdminFixture, type AdminRequest, adminFixture } from './testing/fixture.ts'

forEachEngine((database, engine) => {
  let fixture: AdminFixture
  let ada: TestSession
  beforeEach(async () => {
    fixture = await adminFixture(database())
    ada = await fixture.browser.login('ada@example.com')
  })
  const call = (method: string, path: string, request?: AdminRequest) =>
    fixture.call(method, `/apps/${fixture.app.id}/users${path}`, request)
  const link = (type: 'phone' | 'google_oauth' | 'custom_auth', identifier: string, profile: object) => {
    const owner = { appId: fixture.app.id, userId: ada.user.id, sessionId: null }
    const account = { type, identifier, profile } as Parameters<typeof linkAccount>[3]
    return fixture.context.transaction((trx) => linkAccount(trx, fixture.context, owner, account))
  }
  const emails = (answer: { body: { data: { accounts: { identifier: string }[] }[] } }) =>
    answer.body.data.map(({ accounts }) => accounts[0]?.identifier)

  describe('the list', () => {
    beforeEach(async () => {
      for (const name of ['bob', 'cem', 'dan', 'eve']) {
        fixture.context.clock.advanceSeconds(60)
        await fixture.newBrowser().login(`${name}@example.com`)
      }
    })

    test('has pages, newest first, that new users do not move', async () => {
      const first = await call('GET', '?limit=2')
      expect(emails(first)).toEqual(['eve@example.com', 'dan@example.com'])
      await fixture.newBrowser().login('fay@example.com')
      const second = await call('GET', `?limit=2&after=${first.body.next}`)
      expect(emails(second)).toEqual(['cem@example.com', 'bob@example.com'])
      const third = await call('GET', `?limit=2&after=${second.body.next}`)
      expect([emails(third), third.body.next]).toEqual([['ada@example.com'], null])
    })

    test('separates users of the same second', async () => {
      for (const name of ['x', 'y', 'z']) await fixture.newBrowser().login(`${name}@example.com`)
      const listed: (string | undefined)[] = []
      for (let after = ''; ; ) {
        const page = await call('GET', `?limit=1${after}`)
        listed.push(...emails(page))
        if (page.body.next === null) break
        after = `&after=${page.body.next}`
      }
      expect(listed).toHaveLength(8)
      expect(new Set(listed).size).toBe(8)
    })

    test('filters by time and by block', async () => {
      const at = (minutes: number) => new Date(Date.UTC(2026, 0, 1, 0, minutes)).toISOString()
      const days = new Date(fixture.context.clock.nowMs()).toISOString().slice(0, 10)
      expect(days).toBe('2026-01-01')
      const all = (await call('GET', '')).body.data
      const bob = all.find(
        (user: { accounts: { identifier: string }[] }) => user.accounts[0]?.identifier === 'bob@example.com',
      )
      const created = encodeURIComponent(bob.created_at)
      expect(emails(await call('GET', `?created_before=${created}`))).toEqual(['ada@example.com'])
      expect(emails(await call('GET', `?created_after=${created}&limit=200`))).toHaveLength(4)
      expect(emails(await call('GET', `?created_after=${at(600)}`))).toEqual([])
      await call('PATCH', `/${bob.id}`, { body: { blocked: { reason: 'spam' } } })
      expect(emails(await call('GET', '?blocked=true'))).toEqual(['bob@example.com'])
      expect(emails(await call('GET', '?blocked=false'))).toHaveLength(4)
    })

    test('contains users of the app of the key only', async () => {
      const other = await fixture.newApp()
      await fixture.newBrowser(other).login('mallory@example.com')
      expect(emails(await call('GET', ''))).not.toContain('mallory@example.com')
      const answer = await fixture.call('GET', `/apps/${other.id}/users`)
      expect(answer).toMatchObject({ status: 404, body: { code: 'app_not_found' } })
    })
  })

  describe('a look-up', () => {
    test.each([
      ['email', ' Ada@EXAMPLE.com '],
      ['email', 'ada@work.example'],
      ['phone', '+1 (202) 555-0123'],
      ['account', 'google_oauth:110169484474386276334'],
      ['external_id', 'customer 42'],
    ])('finds a user by %s=%s', async (name, value) => {
      await link('phone', '+1 2025550123', { phoneNumber: '+1 2025550123' })
      const google = { subject: '110169484474386276334', email: 'ada@work.example', name: 'Ada' }
      await link('google_oauth', google.subject, google)
      await link('custom_auth', 'customer 42', { customUserId: 'customer 42' })
      const answer = await call('GET', `?${new URLSearchParams({ [name]: value })}`)
      expect(answer.body).toMatchObject({ data: [{ id: ada.user.id }], next: null })
    })

    test('finds a user by the address of their wallet', async () => {
      const wallet = await fixture.makeWallet(ada)
      const answer = await call('GET', `?wallet=${wallet.toLowerCase()}`)
      expect(answer.body).toMatchObject({ data: [{ id: ada.user.id }] })
      expect((await call('GET', `/${ada.user.id}`)).body.wallets).toMatchObject([
        { address: wallet, chain_type: 'ethereum', recovery_method: 'latchkey', imported: false },
      ])
    })

    test('finds a user by the Solana address that their wallet derives, and lists both', async () => {
      const wallet = await fixture.makeWallet(ada)
      const solana = '5FHwkrdxntdK24hgQU8qgBjn35Y1zwhz1GZwCkP2UJnM'
      const added = { solana_address: solana, solana_committed_at: 86_400 }
      await fixture.context.db.updateTable('wallets').set(added).execute()
      const answer = await call('GET', `?wallet=${solana}`)
      expect(answer.body).toMatchObject({ data: [{ id: ada.user.id }] })
      expect((await call('GET', `/${ada.user.id}`)).body.wallets).toMatchObject([
        { address: wallet, chain_type: 'ethereum' },
        { address: solana, chain_type: 'solana', created_at: '1970-01-02T00:00:00.000Z' },
      ])
    })

    test.each([
      ['email=ada', 'email'],
      ['wallet=0x1', 'wallet'],
      ['account=ada', 'account'],
      ['email=ada@example.com&phone=%2B12025550123', 'phone'],
      ['email=ada@example.com&limit=1', 'limit'],
      ['limit=0', 'limit'],
      ['limit=201', 'limit'],
      ['after=eA', 'after'],
      ['created_after=yesterday', 'created_after'],
      ['emails=ada@example.com', 'emails'],
      ['limit=1&limit=2', 'limit'],
    ])('?%s is rejected with the path %s', async (query, path) => {
      expect(await call('GET', `?${query}`)).toMatchObject({
        status: 400,
        body: { code: 'invalid_data', path },
      })
    })
  })

  describe('the search', () => {
    const search = (body: object, key?: string) => call('POST', '/search', { body, ...(key && { key }) })

    test('finds e-mail addresses by their start, in order', async () => {
      for (const name of ['adam', 'adb', 'ad_', 'ad%'])
        await fixture.newBrowser().login(`${name}@example.com`)
      const found = async (prefix: string) => emails(await search({ prefix }))
      expect(await found('AdA')).toEqual(['ada@example.com', 'adam@example.com'])
      expect(await found('ad_')).toEqual(['ad_@example.com'])
      expect(await found('ad%')).toEqual(['ad%@example.com'])
      expect(await found('da@')).toEqual([])
    })

    test('finds external ids if asked', async () => {
      await link('custom_auth', 'Customer 42', { customUserId: 'Customer 42' })
      const kinds = ['external_id']
      expect((await search({ prefix: 'Cust', kinds })).body).toMatchObject({ data: [{ id: ada.user.id }] })
      expect((await search({ prefix: 'cust', kinds })).body).toEqual({ data: [] })
    })

    test.each([
      [{ prefix: 'ad' }, 'prefix'],
      [{ prefix: 'ada', limit: 51 }, 'limit'],
      [{ prefix: 'ada', kinds: ['wallet'] }, 'kinds.0'],
      [{ prefix: 'ada', order: 'asc' }, 'order'],
      [{}, 'prefix'],
    ])('rejects %j', async (body, path) => {
      expect(await search(body)).toMatchObject({ status: 400, body: { code: 'invalid_data', path } })
    })

    test('is refused to a key that reads masked addresses only', async () => {
      const key = await fixture.newKey({ scopes: ['users:read.masked'] })
      expect(await search({ prefix: 'ada' }, key)).toMatchObject({ status: 403 })
    })
  })

  describe('metadata and the external id', () => {
    const patch = (body: unknown, user = ada) => call('PATCH', `/${user.user.id}`, { body })
    const read = async (user = ada) => (await call('GET', `/${user.user.id}`)).body
    const readClaims = async () => {
      const { host_token: token } = await fixture.newBrowser().login('ada@example.com')
      return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
    }
    const listKeys = (keys: string[]) =>
      setFields(fixture.context.db, fixture.context.clock, fixture.app.id, [['token_metadata_keys', keys]])

    test('are stored, and each part replaces the stored one', async () => {
      expect(await read()).toMatchObject({ external_id: null, metadata: { public: {}, private: {} } })
      const answer = await patch({
        metadata: { public: { plan: 'pro', camelCase: [1] }, private: { note: 'ä' } },
        external_id: 'Customer 42',
      })
      expect(answer.body).toEqual({ id: ada.user.id, blocked: false, sessions_ended: 0 })
      await patch({ metadata: { private: {} } })
      expect(await read()).toMatchObject({
        external_id: 'Customer 42',
        metadata: { public: { plan: 'pro', camelCase: [1] }, private: {} },
      })
      await patch({ external_id: null })
      expect((await read()).external_id).toBeNull()
    })

    test('find the user by the external id, in the app only', async () => {
      await patch({ external_id: 'Customer 42' })
      const find = async (id: string) => (await call('GET', `?external_id=${id}`)).body.data
      expect(await find('Customer+42')).toMatchObject([{ id: ada.user.id }])
      expect(await find('customer+42')).toEqual([])
      const other = await fixture.newApp()
      const key = await fixture.newKey({ appId: other.id })
      const answer = await fixture.call('GET', `/apps/${other.id}/users?external_id=Customer+42`, { key })
      expect(answer.body.data).toEqual([])
    })

    test('belong to one user, and the id is free after their deletion', async () => {
      const bob = await fixture.newBrowser().login('bob@example.com')
      await patch({ external_id: 'c42' })
      const refused = await patch({ external_id: 'c42', metadata: { public: { plan: 'x' } } }, bob)
      expect(refused).toMatchObject({ status: 409, body: { code: 'external_id_taken', path: 'external_id' } })
      expect((await read(bob)).metadata.public).toEqual({})
      await call('DELETE', `/${ada.user.id}`)
      expect((await patch({ external_id: 'c42' }, bob)).status).toBe(200)
      for (const table of ['user_metadata', 'external_ids']) {
        const { rows } = await sql`select user_id from ${sql.table(table)}`.execute(fixture.context.db)
        expect(rows).not.toContainEqual({ user_id: ada.user.id })
      }
    })

    test('do not log the user in by the external id', async () => {
      await patch({ external_id: 'c42' })
      expect((await read()).accounts.map(({ type }: { type: string }) => type)).toEqual(['email'])
    })

    test.each([
      [{ metadata: { public: { x: 'a'.repeat(4_096) } } }, 'metadata.public'],
      [{ metadata: { private: ['x'] } }, 'metadata.private.0'],
      [{ metadata: { public: { 'a.b': 1 } } }, 'metadata.public.a.b'],
      [{ metadata: { secret: {} } }, 'metadata.secret'],
      [{ external_id: '' }, 'external_id'],
      [{ external_id: 'a'.repeat(201) }, 'external_id'],
      [{ external_id: 'a\u202Eb' }, 'external_id'],
      [{ accounts: [] }, 'accounts'],
    ])('%j is rejected', async (body, path) => {
      expect(await patch(body)).toMatchObject({ status: 400, body: { code: 'invalid_data', path } })
    })

    test('reach the host token by the keys that the app lists', async () => {
      await patch({ metadata: { public: { plan: 'pro', seats: 3, sub: 'x' }, private: { note: 'secret' } } })
      expect(await readClaims()).not.toHaveProperty('metadata')
      await listKeys(['plan', 'sub', 'missing', 'note', 'toString'])
      fixture.context.clock.advanceSeconds(2)
      const claims = await readClaims()
      expect(claims.metadata).toEqual({ plan: 'pro', sub: 'x' })
      expect(claims.sub).toBe(ada.user.id)
    })

    test('leave out keys that would make the host token larger than 1,024 bytes', async () => {
      await patch({ metadata: { public: { large: 'a'.repeat(1_100), plan: 'pro' } } })
      await listKeys(['large', 'plan'])
      fixture.context.clock.advanceSeconds(2)
      expect((await readClaims()).metadata).toEqual({ plan: 'pro' })
    })
  })

  describe('an idempotency key', () => {
    const headers = { 'idempotency-key': 'request-1' }

    test('returns the first answer again, without another change', async () => {
      const first = await call('PATCH', `/${ada.user.id}`, { body: { blocked: {} }, headers })
      const again = await call('PATCH', `/${ada.user.id}`, { body: { blocked: {} }, headers })
      expect(again).toMatchObject({ status: first.status, text: first.text })
      expect(again.headers.get('idempotent-replayed')).toBe('true')
      expect(again.headers.get('etag')).toBe(first.headers.get('etag'))
      expect(await fixture.audited('user.blocked_by_operator')).toHaveLength(1)
      const results = (await fixture.readAudit()).map(({ result }) => result)
      expect(results.slice(-2)).toEqual(['ok', 'replayed'])
    })

    test('changes once for parallel calls', async () => {
      const answers = await Promise.all(
        Array.from({ length: 5 }, () => call('DELETE', `/${ada.user.id}`, { headers })),
      )
      expect(answers.map(({ status }) => status)).toEqual([202, 202, 202, 202, 202])
      expect(await fixture.audited('user.deleted')).toHaveLength(1)
      expect(await verifyAuditChains(fixture.context.db, fixture.context.clock)).toMatchObject([
        { fault: undefined },
      ])
    })

    test.each([
      ['another body', 'PATCH', '', { blocked: null }],
      ['another call', 'DELETE', '', undefined],
      ['another path', 'DELETE', '/sessions', undefined],
    ])('is rejected with %s', async (_, method, path, body) => {
      await call('PATCH', `/${ada.user.id}`, { body: { blocked: {} }, headers })
      const request = { headers, ...(body !== undefined && { body }) }
      expect(await call(method, `/${ada.user.id}${path}`, request)).toMatchObject({
        status: 422,
        body: { code: 'idempotency_key_reused' },
      })
      expect((await call('GET', `/${ada.user.id}`)).body.blocked).not.toBeNull()
    })

    test('belongs to one admin key, and expires after a day', async () => {
      const block = (key: string) => call('PATCH', `/${ada.user.id}`, { body: { blocked: {} }, headers, key })
      expect((await block(fixture.key)).status).toBe(200)
      expect((await block(await fixture.newKey())).status).toBe(409)
      fixture.context.clock.advanceSeconds(86_400)
      expect((await block(fixture.key)).status).toBe(409)
    })

    test('is free again after a refused call', async () => {
      expect((await call('PATCH', `/${ada.user.id}`, { body: { blocked: null }, headers })).status).toBe(409)
      expect((await call('PATCH', `/${ada.user.id}`, { body: { blocked: {} }, headers })).status).toBe(200)
    })

    test('is rejected if it is malformed', async () => {
      const short = { 'idempotency-key': 'x y' }
      expect(await call('DELETE', `/${ada.user.id}`, { headers: short })).toMatchObject({
        status: 400,
        body: { path: 'idempotency-key' },
      })
    })
  })

  if (!runsAllTests(engine)) return

  test('a key without the scope for addresses gets them masked', async () => {
    await link('phone', '+1 2025550123', { phoneNumber: '+1 2025550123' })
    await link('google_oauth', '1', { subject: '1', email: 'ada@work.example', name: 'Ada Lovelace' })
    const key = await fixture.newKey({ scopes: ['users:read.masked'] })
    for (const path of ['', '?email=ada@example.com', `/${ada.user.id}`]) {
      const { status, text } = await call('GET', path, { key })
      expect(status).toBe(200)
      for (const secret of ['ada@example.com', '2025550123', 'ada@work', 'Lovelace'])
        expect(text).not.toContain(secret)
      expect(text).toContain('a•••@example.com')
    }
  })

  describe('a block', () => {
    const block = (body: unknown, request: AdminRequest = {}) =>
      call('PATCH', `/${ada.user.id}`, { body, ...request })

    test('ends the sessions, is shown, and is removed', async () => {
      expect(await block({ blocked: { reason: 'spam' } })).toMatchObject({
        status: 200,
        body: { id: ada.user.id, blocked: true, sessions_ended: 1 },
      })
      expect((await call('GET', `/${ada.user.id}`)).body.blocked).toMatchObject({ reason: 'spam' })
      expect(await block({ blocked: {} })).toMatchObject({ status: 409, body: { code: 'already_blocked' } })
      expect(await block({ blocked: null })).toMatchObject({ body: { blocked: false, sessions_ended: 0 } })
      expect(await block({ blocked: null })).toMatchObject({ status: 409, body: { code: 'not_blocked' } })
    })

    test('is audited with the digests before and after', async () => {
      const { headers } = await call('GET', `/${ada.user.id}`)
      await block({ blocked: {} })
      const after = (await call('GET', `/${ada.user.id}`)).headers.get('etag')
      const entry = (await fixture.readAudit()).find(({ operation }) => operation === 'updateUser')
      const scope = 'users:write users:support'
      expect(entry).toMatchObject({ user_id: ada.user.id, scope, status: 200, result: 'ok' })
      expect([`"${entry?.before_digest}"`, `"${entry?.after_digest}"`]).toEqual([headers.get('etag'), after])
    })

    test('is refused if the user has changed since it was read', async () => {
      const etag = (await call('GET', `/${ada.user.id}`)).headers.get('etag') ?? ''
      const headers = { 'if-match': etag }
      expect((await block({ blocked: {} }, { headers })).status).toBe(200)
      expect(await block({ blocked: null }, { headers })).toMatchObject({
        status: 412,
        body: { code: 'precondition_failed' },
      })
      expect((await call('GET', `/${ada.user.id}`)).body.blocked).not.toBeNull()
    })

    test.each([
      [{ blocked: true }, 'blocked'],
      [{ blocked: { reason: '' } }, 'blocked.reason'],
      [{ blocked: { reason: 'x'.repeat(201) } }, 'blocked.reason'],
      [{ blocked: {}, email: 'eve@example.com' }, 'email'],
      [{ blocked: { until: '2027-01-01' } }, 'blocked.until'],
      [{}, ''],
      [[], ''],
    ])('rejects %j and changes nothing', async (body, path) => {
      expect(await block(body)).toMatchObject({ status: 400, body: { code: 'invalid_data', path } })
      expect((await call('GET', `/${ada.user.id}`)).body.blocked).toBeNull()
    })

    test('rejects a large body, a form and broken JSON', async () => {
      const large = JSON.stringify({ blocked: { reason: 'x'.repeat(20_000) } })
      expect(await block(large)).toMatchObject({ status: 413, body: { code: 'payload_too_large' } })
      const form = { 'content-type': 'application/x-www-form-urlencoded' }
      expect(await block('blocked=1', { headers: form })).toMatchObject({ status: 415 })
      expect(await block('{"blocked":')).toMatchObject({ status: 400 })
      expect((await call('DELETE', `/${ada.user.id}`, { headers: { 'content-length': '2' } })).status).toBe(
        400,
      )
    })
  })

  describe('an unlinked account', () => {
    const unlink = (type: string, identifier: string, request: AdminRequest = {}) =>
      call('POST', `/${ada.user.id}/accounts/unlink`, { body: { type, identifier }, ...request })

    test('is removed in any spelling that a login accepts', async () => {
      await link('phone', '+1 2025550123', { phoneNumber: '+1 2025550123' })
      expect((await unlink('phone', '+1 (202) 555-0123')).body).toEqual({ id: ada.user.id })
      expect((await call('GET', `/${ada.user.id}`)).body.accounts).toHaveLength(1)
      expect(await fixture.audited('user.account_unlinked')).toHaveLength(1)
    })

    test('is never the last one', async () => {
      expect(await unlink('email', 'ada@example.com')).toMatchObject({
        status: 409,
        body: { code: 'sole_account' },
      })
    })

    test('belongs to the user', async () => {
      await fixture.newBrowser().login('bob@example.com')
      await link('google_oauth', '1', { subject: '1' })
      expect(await unlink('email', 'bob@example.com')).toMatchObject({
        status: 404,
        body: { code: 'account_not_found' },
      })
    })

    test('is kept if the user has changed since it was read', async () => {
      const etag = (await call('GET', `/${ada.user.id}`)).headers.get('etag') ?? ''
      await link('google_oauth', '1', { subject: '1' })
      const stale = await unlink('google_oauth', '1', { headers: { 'if-match': etag } })
      expect(stale).toMatchObject({ status: 412, body: { code: 'precondition_failed' } })
    })

    test.each([
      ['passkey', 'x', 'type'],
      ['wallets', 'x', 'type'],
      ['email', 'ada', 'identifier'],
    ])('%s %s is rejected with the path %s', async (type, identifier, path) => {
      expect(await unlink(type, identifier)).toMatchObject({ status: 400, body: { path } })
    })
  })

  test('lists the sessions of a user, ends one, and then all', async () => {
    const second = await fixture.newBrowser().login('ada@example.com')
    expect(second.user.id).toBe(ada.user.id)
    const { data } = (await call('GET', `/${ada.user.id}/sessions`)).body
    expect(data).toMatchObject([
      { kind: 'login', parent_id: null },
      { kind: 'login', parent_id: null },
    ])
    const end = () => call('DELETE', `/${ada.user.id}/sessions/${data[0].id}`)
    expect(await end()).toMatchObject({ status: 200, body: { sessions_ended: 1 } })
    expect(await end()).toMatchObject({ status: 404, body: { code: 'session_not_found' } })
    expect((await call('DELETE', `/${ada.user.id}/sessions`)).body).toEqual({ sessions_ended: 1 })
    expect((await call('GET', `/${ada.user.id}/sessions`)).body).toEqual({ data: [] })
  })

  test('removes the second factors of a user and ends their sessions', async () => {
    await fixture.enrolTotp(ada)
    expect((await call('GET', `/${ada.user.id}`)).body.factors).toMatchObject([{ type: 'totp' }])
    expect(await call('POST', `/${ada.user.id}/factors/reset`)).toMatchObject({
      status: 200,
      body: { removed: ['totp'], sessions_ended: 1, request: null },
    })
    expect((await call('GET', `/${ada.user.id}`)).body.factors).toEqual([])
  })

  test('deletes a user with their wallets', async () => {
    await fixture.makeWallet(ada)
    expect(await call('DELETE', `/${ada.user.id}`)).toMatchObject({ status: 202, body: { id: ada.user.id } })
    expect(await fixture.context.db.selectFrom('wallets').selectAll().execute()).toEqual([])
    expect((await fixture.readAudit()).at(-1)).toMatchObject({ operation: 'deleteUser', after_digest: null })
    expect(await call('GET', `/${ada.user.id}`)).toMatchObject({
      status: 404,
      body: { code: 'user_not_found' },
    })
    expect((await call('GET', '')).body.data).toEqual([])
  })

  test.each([
    ['GET', '', undefined],
    ['PATCH', '', { blocked: {} }],
    ['DELETE', '', undefined],
    ['GET', '/sessions', undefined],
    ['DELETE', '/sessions', undefined],
    ['DELETE', '/sessions/ses', undefined],
    ['POST', '/factors/reset', undefined],
    ['POST', '/accounts/unlink', { type: 'email', identifier: 'mallory@example.com' }],
  ])('%s …%s of a user of another app is not found', async (method, path, body) => {
    const other = await fixture.newApp()
    const mallory = await fixture.newBrowser(other).login('mallory@example.com')
    const request = body === undefined ? {} : { body }
    expect(await call(method, `/${mallory.user.id}${path}`, request)).toMatchObject({
      status: 404,
      body: { code: 'user_not_found' },
    })
    const direct = await fixture.call(method, `/apps/${other.id}/users/${mallory.user.id}${path}`, request)
    expect(direct).toMatchObject({ status: 404, body: { code: 'app_not_found' } })
  })

  test.each(['..', '%2e%2e%2fusers', "'--", 'a'.repeat(65), '%00'])('the id %s is rejected', async (id) => {
    const answer = await call('DELETE', `/x/sessions/${id}`)
    expect([400, 404]).toContain(answer.status)
    expect((await call('GET', `/${ada.user.id}/sessions`)).body.data).toHaveLength(1)
  })
})
