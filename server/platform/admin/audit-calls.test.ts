/** Calls that read the audit log of the Admin API. */
import { createPublicKey } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { forEachEngine } from '../../kernel/db/test-engines.ts'
import { verifyEs256 } from '../../kernel/keys/keys.ts'
import { adminServerLimits } from './limits.ts'
import { withAdminTables } from './tables.ts'
import { type AdminFixture, adminFixture } from './testing/fixture.ts'

type Entry = { sequence: number; event: string; user_id: string | null; prev: string; hash: string }

forEachEngine((database) => {
  let fixture: AdminFixture
  beforeEach(async () => {
    fixture = await adminFixture(database())
  })
  const list = (query = '', request = {}) => fixture.call('GET', `/audit${query}`, request)
  const stream = (query = '', request = {}) => fixture.call('GET', `/audit/stream${query}`, request)
  const sequences = ({ body }: { body: { data: Entry[] } }) => body.data.map(({ sequence }) => sequence)

  test('the list has pages, newest first, that new entries do not move', async () => {
    for (let count = 0; count < 4; count += 1) await fixture.call('GET', '/audit/head')
    const first = await list('?limit=2')
    expect(sequences(first)).toEqual([5, 4])
    expect(first.body.data[0]).toMatchObject({
      app_id: fixture.app.id,
      at: expect.stringMatching(/^2026-01-01T00:00:\d\d\.000Z$/),
      actor: fixture.key.split('_')[1],
      event: 'readAuditHead',
      scope: 'audit:read',
      status: 200,
      result: 'ok',
      address: null,
    })
    const second = await list(`?limit=2&after=${first.body.next}`)
    expect(sequences(second)).toEqual([3, 2])
    const third = await list(`?limit=2&after=${second.body.next}`)
    expect([sequences(third), third.body.next]).toEqual([[1], null])
  })

  test('the list filters by call and by user', async () => {
    const ada = await fixture.browser.login('ada@example.com')
    const bob = await fixture.newBrowser().login('bob@example.com')
    for (const { user } of [ada, bob]) await fixture.call('GET', `/apps/${fixture.app.id}/users/${user.id}`)
    await fixture.call('DELETE', `/apps/${fixture.app.id}/users/${ada.user.id}/sessions`)
    const events = async (query: string) =>
      (await list(query)).body.data.map(({ event, user_id }: Entry) => [event, user_id])
    expect(await events('?event=getUser')).toEqual([
      ['getUser', bob.user.id],
      ['getUser', ada.user.id],
    ])
    expect(await events(`?user=${ada.user.id}`)).toEqual([
      ['endSessions', ada.user.id],
      ['getUser', ada.user.id],
    ])
    expect(await events(`?user=${ada.user.id}&event=endSessions`)).toEqual([['endSessions', ada.user.id]])
    expect(await events('?event=admin_key.created')).toEqual([['admin_key.created', null]])
  })

  test('a key of every app reads each app, and the calls without an app', async () => {
    const other = await fixture.newApp()
    const key = await fixture.newKey({ appId: null })
    await fixture.call('GET', `/apps/${other.id}/users`, { key })
    const apps = async (query: string) =>
      (await list(query, { key })).body.data.map((each: Entry) => each.event)
    expect(await apps(`?app=${other.id}`)).toEqual(['listUsers'])
    expect(await apps('')).toEqual(['listAudit', 'admin_key.created'])
  })

  test('a key of one app reads no other app', async () => {
    const other = await fixture.newApp()
    await fixture.newKey({ appId: other.id })
    for (const read of [list, stream]) {
      expect(await read(`?app=${other.id}`)).toMatchObject({ status: 404, body: { code: 'app_not_found' } })
      const own = await read()
      expect(own.status).toBe(200)
      expect(own.text).not.toContain(other.id)
    }
  })

  test('the stream returns the linked entries, and continues after a sequence', async () => {
    for (let count = 0; count < 3; count += 1) await fixture.call('GET', '/audit/head')
    const answer = await stream()
    expect(answer.headers.get('content-type')).toBe('application/x-ndjson')
    const entries: Entry[] = answer.body
    expect(entries.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5])
    expect(entries.slice(1).map(({ prev }) => prev)).toEqual(entries.slice(0, -1).map(({ hash }) => hash))
    expect((await stream('?after=5')).body.map(({ event }: Entry) => event)).toEqual(['streamAudit'])
    expect(await stream('?after=999')).toMatchObject({ status: 200, text: '' })
  })

  test('the stream reads more entries than one batch', async () => {
    const [first] = await fixture.readAudit()
    if (first === undefined) throw new Error('There is no entry')
    const last = adminServerLimits.auditBatchRows + 5
    const rows = Array.from({ length: last - 1 }, (_, index) => ({ ...first, sequence: index + 2 }))
    const db = withAdminTables(fixture.context.db)
    for (let at = 0; at < rows.length; at += 100) {
      await db
        .insertInto('admin_audit')
        .values(rows.slice(at, at + 100))
        .execute()
    }
    await db.updateTable('admin_audit_heads').set({ sequence: last }).execute()
    expect((await stream()).body.map(({ sequence }: Entry) => sequence)).toEqual(
      // The last one is the entry of this call.
      Array.from({ length: last + 1 }, (_, index) => index + 1),
    )
  })

  test('a head has a signature of the key set', async () => {
    const { data } = (await fixture.call('GET', '/audit/head')).body
    const [{ app_id, sequence, hash, signed_at, key_id, signature }] = data
    const { keys } = await fixture.context.keyring.publicJwks()
    const jwk = keys.find(({ kid }) => kid === key_id)
    if (jwk === undefined) throw new Error('The key set lacks the key')
    const key = createPublicKey({ key: { ...jwk }, format: 'jwk' })
    const verify = (parts: unknown[]) =>
      verifyEs256(key, ['latchkey-audit-head', ...parts].join('\n'), Buffer.from(signature, 'base64url'))
    expect(verify([app_id, sequence, hash, signed_at])).toBe(true)
    expect(verify([app_id, sequence + 1, hash, signed_at])).toBe(false)
  })

  test.each([
    ['', 'after=-1', 'after'],
    ['', 'after=1%20or%201=1', 'after'],
    ['', 'limit=201', 'limit'],
    ['', "event='%20or%201=1--", 'event'],
    ['', 'event=%25', 'event'],
    ['', "user='--", 'user'],
    ['', 'app=x', 'app'],
    ['', 'actor=command', 'actor'],
    ['/stream', 'after=1.5', 'after'],
    ['/stream', 'user=x', 'user'],
  ])('GET /audit%s?%s is rejected with the path %s', async (path, query, field) => {
    expect(await fixture.call('GET', `/audit${path}?${query}`)).toMatchObject({
      status: 400,
      body: { code: 'invalid_data', path: field },
    })
  })
})
