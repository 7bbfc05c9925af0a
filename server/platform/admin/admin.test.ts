/** The generic parts of the Admin API: keys, scopes, errors, limits and the audit log. */
import { adminPrefix, adminRoutes } from '@latchkey/protocol/admin'
import { beforeEach, describe, expect, test } from 'vitest'
import { amendRestored, collectEnvironment } from '../../kernel/capability.ts'
import { parseConfig } from '../../kernel/config.ts'
import { forEachEngine } from '../../kernel/db/test-engines.ts'
import { capabilities } from '../../start/capabilities.ts'
import { verifyAuditChains } from './audit-chain.ts'
import { revokeAdminKey } from './keys.ts'
import { withAdminTables } from './tables.ts'
import { type AdminFixture, adminFixture } from './testing/fixture.ts'

const keyId = (key: string) => key.split('_')[1] ?? ''
const forged = (key: string) => `${key.slice(0, -1)}${key.endsWith('A') ? 'B' : 'A'}`

forEachEngine((database) => {
  let fixture: AdminFixture
  beforeEach(async () => {
    fixture = await adminFixture(database())
  })
  const readHead = (request = {}) => fixture.call('GET', '/audit/head', request)

  describe('a key', () => {
    test('is stored as a hash only', async () => {
      const rows = await withAdminTables(fixture.context.db).selectFrom('admin_keys').selectAll().execute()
      const [, , secret = 'no secret'] = /^lk_([a-z0-9]{16})_([A-Za-z0-9_-]{43})$/.exec(fixture.key) ?? []
      expect(rows).toMatchObject([{ id: keyId(fixture.key), app_id: fixture.app.id, last_used_day: null }])
      expect(JSON.stringify(rows)).not.toContain(secret)
    })

    test.each([
      ['no header', () => undefined],
      ['another secret', () => forged(fixture.key)],
      ['another id', () => fixture.key.replace(/_[a-z0-9]{16}_/, `_${'0'.repeat(16)}_`)],
      ['a longer secret', () => `${fixture.key}A`],
      ['a second value', () => `${fixture.key} ${fixture.key}`],
    ])('is rejected with %s, without an audit entry', async (_, sent) => {
      const { length } = await fixture.readAudit()
      const answer = await readHead({ key: sent() })
      expect(answer).toMatchObject({ status: 401, body: { code: 'missing_or_invalid_key', status: 401 } })
      expect(answer.headers.get('www-authenticate')).toBe('Bearer')
      expect(await fixture.readAudit()).toHaveLength(length)
    })

    test('is rejected after it was revoked', async () => {
      const { context, key } = fixture
      expect((await readHead()).status).toBe(200)
      expect(await context.transaction((trx) => revokeAdminKey(trx, context.clock, keyId(key)))).toBe(true)
      expect(await readHead()).toMatchObject({ status: 401, body: { code: 'key_revoked' } })
    })

    test('is revoked by a restore from a backup', async () => {
      const { db, clock } = fixture.context
      const restore = { nowSeconds: Math.floor(clock.nowMs() / 1_000), keepsSessions: true }
      await amendRestored(capabilities, db, restore)
      expect(await readHead()).toMatchObject({ status: 401, body: { code: 'key_revoked' } })
    })

    test('is rejected from its expiry on', async () => {
      const key = await fixture.newKey({ days: 1 })
      fixture.context.clock.advanceSeconds(86_399)
      expect((await readHead({ key })).status).toBe(200)
      fixture.context.clock.advanceSeconds(1)
      expect(await readHead({ key })).toMatchObject({ status: 401, body: { code: 'key_expired' } })
    })

    test.each([
      ['10.1.2.3', 200],
      ['::ffff:10.1.2.3', 200],
      ['2001:db8::7', 200],
      ['10.2.0.1', 403],
      ['2001:db8::8', 403],
      [undefined, 403],
    ])('with a list of networks answers %s with %i', async (address, status) => {
      const key = await fixture.newKey({ networks: ['10.1.0.0/16', '2001:db8::7'] })
      expect((await readHead({ key, ...(address !== undefined && { address }) })).status).toBe(status)
    })

    test('ignores a forwarded address that no trusted proxy sent', async () => {
      const key = await fixture.newKey({ networks: ['10.1.0.0/16'] })
      const request = { key, address: '10.9.9.9', headers: { 'x-forwarded-for': '10.1.2.3' } }
      expect(await readHead(request)).toMatchObject({ status: 403, body: { code: 'address_not_allowed' } })
    })

    test('needs the scope of the call', async () => {
      const key = await fixture.newKey({ scopes: ['users:write'] })
      const answer = await readHead({ key })
      expect(answer).toMatchObject({
        status: 403,
        body: { code: 'insufficient_scope', detail: 'The key needs the scope audit:read' },
      })
      expect((await fixture.readAudit()).at(-1)).toMatchObject({
        actor: keyId(key),
        operation: 'readAuditHead',
        status: 403,
        result: 'insufficient_scope',
      })
    })

    test('stores the day of its last use', async () => {
      await readHead()
      const rows = await withAdminTables(fixture.context.db).selectFrom('admin_keys').selectAll().execute()
      expect(rows[0]?.last_used_day).toBe(Date.UTC(2026, 0, 1) / 1_000)
    })
  })

  test('an error is a problem document with a code and the request id', async () => {
    const answer = await readHead({ key: undefined, headers: { 'latchkey-request-id': 'request-1' } })
    expect(answer.headers.get('content-type')).toBe('application/problem+json')
    expect(answer.headers.get('latchkey-request-id')).toBe('request-1')
    expect(answer.body).toEqual({
      type: 'urn:latchkey:admin:missing_or_invalid_key',
      title: 'The admin key is missing or invalid',
      status: 401,
      detail: 'Send Authorization: Bearer <admin key>',
      code: 'missing_or_invalid_key',
      request_id: 'request-1',
    })
  })

  test.each([
    ['GET', '/nowhere', 404, 'not_found'],
    ['GET', '/audit/head/', 404, 'not_found'],
    ['GET', '/audit%2Fhead', 404, 'not_found'],
    ['GET', '//audit/head', 404, 'not_found'],
    ['DELETE', '/audit/head', 405, 'method_not_allowed'],
    ['OPTIONS', '/audit/head', 405, 'method_not_allowed'],
    ['GET', '/audit/head?limit=1', 400, 'invalid_data'],
  ])('%s %s is answered with %i', async (method, path, status, code) => {
    expect(await fixture.call(method, path)).toMatchObject({ status, body: { code } })
  })

  test('is on no public listener', async () => {
    for (const { method, path } of Object.values(adminRoutes)) {
      const url = `http://dialog.localhost:4000${adminPrefix}${path.replaceAll(/\{\w+\}/g, fixture.app.id)}`
      const headers = { host: 'dialog.localhost:4000', authorization: `Bearer ${fixture.key}` }
      const answer = await fixture.publicServer.request(url, { method, headers })
      expect([method, path, answer.status]).toEqual([method, path, 404])
    }
  })

  test.each([
    ['an origin', { origin: 'https://operator.example' }],
    ['fetch metadata', { 'sec-fetch-site': 'same-origin' }],
  ])('a browser is refused by %s, even with a key', async (_, headers) => {
    const answer = await readHead({ headers })
    expect(answer).toMatchObject({ status: 403, body: { code: 'browser_not_allowed' } })
    expect(answer.headers.get('access-control-allow-origin')).toBeNull()
  })

  test('limits rejected keys per address, and other addresses go on', async () => {
    const attempt = () => readHead({ key: forged(fixture.key), address: '192.0.2.1' })
    for (let count = 0; count < 60; count += 1) expect((await attempt()).status).toBe(401)
    const limited = await attempt()
    expect(limited).toMatchObject({ status: 429, body: { code: 'too_many_requests' } })
    expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await readHead({ key: forged(fixture.key), address: '192.0.2.2' })).status).toBe(401)
    expect((await readHead({ address: '192.0.2.1' })).status).toBe(200)
  })

  test('limits calls with an expired key per address, so that they do not fill the audit log', async () => {
    const key = await fixture.newKey({ days: 1 })
    fixture.context.clock.advanceSeconds(86_400)
    const { length } = await fixture.readAudit()
    const attempt = () => readHead({ key, address: '192.0.2.1' })
    for (let count = 0; count < 60; count += 1) expect((await attempt()).status).toBe(401)
    expect((await attempt()).status).toBe(429)
    expect(await fixture.readAudit()).toHaveLength(length + 60)
  })

  describe('the audit log', () => {
    test('has an entry for each call, and its chain verifies', async () => {
      await readHead()
      await readHead()
      const entries = await fixture.readAudit()
      expect(
        entries.map(({ sequence, actor, operation, result }) => [sequence, actor, operation, result]),
      ).toEqual([
        [1, 'command', 'admin_key.created', 'ok'],
        [2, keyId(fixture.key), 'readAuditHead', 'ok'],
        [3, keyId(fixture.key), 'readAuditHead', 'ok'],
      ])
      expect(entries.map(({ address }) => address)).toEqual([null, null, null])
      const head = entries.at(-1)?.hash
      expect(await verifyAuditChains(fixture.context.db, fixture.context.clock)).toEqual([
        { chain: fixture.app.id, sequence: 3, hash: head, first: 1, fault: undefined },
      ])
    })

    test('orders parallel calls without a gap', async () => {
      await Promise.all(Array.from({ length: 8 }, () => readHead()))
      expect((await fixture.readAudit()).map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9])
      expect(await verifyAuditChains(fixture.context.db, fixture.context.clock)).toMatchObject([
        { sequence: 9, fault: undefined },
      ])
    })

    const faultAfter = async (change: () => Promise<unknown>) => {
      for (let count = 0; count < 3; count += 1) await readHead()
      const expected = (await verifyAuditChains(fixture.context.db, fixture.context.clock)).map(
        ({ chain, sequence, hash }) => ({
          chain,
          sequence,
          hash,
        }),
      )
      await change()
      const [check] = await verifyAuditChains(fixture.context.db, fixture.context.clock, expected)
      return check?.fault
    }
    const entries = () => withAdminTables(fixture.context.db)

    test('shows a changed entry', async () => {
      const change = () =>
        entries().updateTable('admin_audit').set({ actor: 'another' }).where('sequence', '=', 2).execute()
      expect(await faultAfter(change)).toEqual({ sequence: 2, reason: 'changed' })
    })

    test('shows a removed entry', async () => {
      const change = () => entries().deleteFrom('admin_audit').where('sequence', '=', 2).execute()
      expect(await faultAfter(change)).toEqual({ sequence: 2, reason: 'missing' })
    })

    test('shows that the last entries were removed together with the head, against a stored head', async () => {
      const change = async () => {
        await entries().deleteFrom('admin_audit').where('sequence', '>', 2).execute()
        const last = (await fixture.readAudit()).at(-1)
        await entries()
          .updateTable('admin_audit_heads')
          .set({ sequence: 2, hash: last?.hash ?? '' })
          .execute()
      }
      expect(await faultAfter(change)).toEqual({ sequence: 3, reason: 'missing' })
    })

    test('shows removed entries at the start of a chain, and in a whole chain', async () => {
      const removeFirst = () => entries().deleteFrom('admin_audit').where('sequence', '<', 3).execute()
      expect(await faultAfter(removeFirst)).toEqual({ sequence: 2, reason: 'missing' })
      await entries().deleteFrom('admin_audit').execute()
      const [check] = await verifyAuditChains(fixture.context.db, fixture.context.clock)
      expect(check?.fault).toEqual({ sequence: 4, reason: 'missing' })
    })

    test('verifies from the oldest stored entry after the earlier ones expired', async () => {
      const expireFirst = async () => {
        await entries().deleteFrom('admin_audit').where('sequence', '<', 3).execute()
        fixture.context.clock.advanceSeconds(400 * 86_400)
      }
      expect(await faultAfter(expireFirst)).toBeUndefined()
      await entries().deleteFrom('admin_audit').execute()
      const [check] = await verifyAuditChains(fixture.context.db, fixture.context.clock)
      expect(check?.fault).toBeUndefined()
    })

    test('a key of one app sees the head of its app only', async () => {
      const other = await fixture.newApp()
      const [keyOfOther, keyOfAll] = [
        await fixture.newKey({ appId: other.id }),
        await fixture.newKey({ appId: null }),
      ]
      const apps = async (key: string) =>
        (await readHead({ key })).body.data.map(({ app_id }: { app_id: string | null }) => app_id)
      expect(await apps(keyOfOther)).toEqual([other.id])
      expect((await apps(keyOfAll)).toSorted()).toEqual([fixture.app.id, other.id, null].toSorted())
    })

    test('contains client addresses if the operator enabled it', async () => {
      const config = parseConfig({ ADMIN_AUDIT_ADDRESSES: 'true' }, collectEnvironment(capabilities))
      await readHead({ address: '192.0.2.1', config })
      expect((await fixture.readAudit()).at(-1)).toMatchObject({ address: '192.0.2.1' })
    })
  })
})
