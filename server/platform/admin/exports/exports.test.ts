/** Exports of users by the Admin API. `imports/round-trip.test.ts` imports them into another server. */
import { beforeEach, expect, test } from 'vitest'
import { forEachEngine } from '../../../kernel/db/test-engines.ts'
import { type AdminFixture, adminFixture } from '../testing/fixture.ts'

forEachEngine((database) => {
  let fixture: AdminFixture
  beforeEach(async () => {
    fixture = await adminFixture(database())
  })
  const path = () => `/apps/${fixture.app.id}/export`
  const users = () => `/apps/${fixture.app.id}/users`

  test('streams each user as getUser returns it, oldest first, with a cursor to continue', async () => {
    const ada = await fixture.browser.login('ada@example.com')
    await fixture.makeWallet(ada)
    await fixture.enrolTotp(ada)
    fixture.context.clock.advanceSeconds(60)
    const created = await fixture.call('POST', users(), {
      body: {
        accounts: [{ type: 'phone', identifier: '+14155550100' }],
        external_id: 'customer-42',
        metadata: { public: { plan: 'pro' }, private: { note: 'x' } },
      },
    })
    await fixture.call('PATCH', `${users()}/${created.body.id}`, { body: { blocked: { reason: 'spam' } } })
    const { status, body } = await fixture.call('GET', path())
    expect(status).toBe(200)
    const read = async (id: string) => (await fixture.call('GET', `${users()}/${id}`)).body
    const expected = [await read(ada.user.id), await read(created.body.id)]
    expect(body.map(({ cursor: _, ...user }: { cursor: string }) => user)).toEqual(expected)
    expect(expected[0].wallets).toHaveLength(1)
    expect(expected[0].factors).toMatchObject([{ type: 'totp' }])
    const rest = await fixture.call('GET', `${path()}?after=${body[0].cursor}`)
    expect(rest.body).toEqual([body[1]])
  })

  test('reads more users than one batch, each once', async () => {
    const rows = Array.from({ length: 1_001 }, (_, index) => ({
      id: `usr_${String(index).padStart(4, '0')}`,
      app_id: fixture.app.id,
      // Many users have the same second.
      created_at: 1_700_000_000 + Math.floor(index / 300),
    }))
    await fixture.context.db.insertInto('users').values(rows).execute()
    const { body } = await fixture.call('GET', path())
    expect(body.map(({ id }: { id: string }) => id)).toEqual(rows.map(({ id }) => id))
  })

  test('leaves out deleted users and users of other apps', async () => {
    const ada = await fixture.browser.login('ada@example.com')
    await fixture.call('DELETE', `${users()}/${ada.user.id}`)
    const other = await fixture.newApp()
    await fixture.context.db
      .insertInto('users')
      .values({ id: 'usr_other', app_id: other.id, created_at: 1 })
      .execute()
    expect((await fixture.call('GET', path())).text).toBe('')
  })

  test('needs the scope export and the app of the key, and leaves an audit entry', async () => {
    const reader = await fixture.newKey({ scopes: ['users:read'] })
    expect((await fixture.call('GET', path(), { key: reader })).body.code).toBe('insufficient_scope')
    const other = await fixture.newApp()
    const answer = await fixture.call('GET', `/apps/${other.id}/export`)
    expect(answer).toMatchObject({ status: 404, body: { code: 'app_not_found' } })
    await fixture.call('GET', path())
    expect((await fixture.readAudit()).at(-1)).toMatchObject({
      operation: 'exportUsers',
      scope: 'export',
      result: 'ok',
    })
  })

  test.each(['x', 'e30'])('rejects the cursor %s', async (cursor) => {
    expect(await fixture.call('GET', `${path()}?after=${cursor}`)).toMatchObject({
      status: 400,
      body: { code: 'invalid_data', path: 'after' },
    })
  })
})
