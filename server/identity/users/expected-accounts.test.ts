/** Users who are created before their first login, and the attempts to misuse them. */
import { beforeEach, describe, expect, test } from 'vitest'
import { forEachEngine } from '../../kernel/db/test-engines.ts'
import { withTransaction } from '../../kernel/db/transaction.ts'
import { type AdminFixture, type AdminRequest, adminFixture } from '../../platform/admin/testing/fixture.ts'
import { setFields } from '../apps/manage.ts'
import { testBrowser } from '../sessions/testing/browser.ts'
import { findOrCreateUser, linkAccount } from './users.ts'

const email = (name: string) => ({ type: 'email', identifier: `${name}@example.com` })
const phone = { type: 'phone', identifier: '+1 415 555 0100' }

forEachEngine((database) => {
  let fixture: AdminFixture
  beforeEach(async () => {
    fixture = await adminFixture(database())
  })
  const users = () => `/apps/${fixture.app.id}/users`
  const create = (body: object, request: AdminRequest = {}) =>
    fixture.call('POST', users(), { body, ...request })
  const createId = async (body: object): Promise<string> => (await create(body)).body.id
  const read = async (id: string) => (await fixture.call('GET', `${users()}/${id}`)).body
  /** Logs in with another browser. */
  const login = (address: string) =>
    testBrowser(fixture.publicServer, fixture.context, fixture.app).login(address)

  test('the first login with an expected account takes over the user with its data', async () => {
    const input = {
      accounts: [email('Ada'), phone],
      external_id: 'customer-42',
      metadata: { public: { plan: 'pro' } },
    }
    const { status, body } = await create(input)
    expect(status).toBe(201)
    expect(await read(body.id)).toMatchObject({
      accounts: [],
      expected_accounts: [email('ada'), { type: 'phone', identifier: '+1 4155550100' }],
      external_id: 'customer-42',
      metadata: { public: { plan: 'pro' } },
    })
    const session = await login('ada@example.com')
    expect(session.user.id).toBe(body.id)
    expect(await read(body.id)).toMatchObject({
      accounts: [email('ada')],
      expected_accounts: [],
      external_id: 'customer-42',
    })
    expect((await login('ada@example.com')).user.id).toBe(body.id)
  })

  test('the user is found by an expected account, masked for keys that may not read addresses', async () => {
    const id = await createId({ accounts: [email('ada'), phone] })
    const find = (query: string, key = fixture.key) => fixture.call('GET', `${users()}?${query}`, { key })
    expect((await find('email=ADA@example.com')).body.data).toMatchObject([{ id }])
    const masked = await fixture.newKey({ scopes: ['users:read.masked'] })
    expect((await find('phone=%2B14155550100', masked)).body.data).toMatchObject([
      {
        id,
        expected_accounts: [
          { type: 'email', identifier: 'a•••@example.com' },
          { type: 'phone', identifier: '•••00' },
        ],
      },
    ])
  })

  test.each([
    [{}],
    [{ accounts: [] }],
    [{ accounts: [{ type: 'email', identifier: 'no address' }] }],
    [{ accounts: [{ type: 'passkey', identifier: 'x' }] }],
    [{ accounts: Array.from({ length: 11 }, (_, index) => email(`user${index}`)) }],
    [{ accounts: [email('ada')], verified: true }],
  ])('%j creates no user', async (body) => {
    expect(await create(body)).toMatchObject({ status: 400, body: { code: 'invalid_data' } })
  })

  test('a repeated call creates one user', async () => {
    const headers = { 'idempotency-key': 'create-ada' }
    const first = await create({ accounts: [email('ada')] }, { headers })
    expect((await create({ accounts: [email('ada')] }, { headers })).body).toEqual(first.body)
  })

  test('a blocked user cannot log in for the first time either', async () => {
    const id = await createId({ accounts: [email('ada')] })
    await fixture.call('PATCH', `${users()}/${id}`, { body: { blocked: {} } })
    await expect(login('ada@example.com')).rejects.toThrow()
    expect((await fixture.call('GET', `${users()}/${id}/sessions`)).body.data).toEqual([])
  })

  test('a deleted user expects no account any more', async () => {
    const id = await createId({ accounts: [email('ada')] })
    await fixture.call('DELETE', `${users()}/${id}`)
    expect((await login('ada@example.com')).user.id).not.toBe(id)
  })

  describe('with a limit of users', () => {
    beforeEach(async () => {
      const { context, app } = fixture
      await withTransaction(context.db, (trx) => setFields(trx, context.clock, app.id, [['max_users', 1]]))
      context.clock.advanceSeconds(60)
    })

    test('the created user has a place, which their login keeps', async () => {
      const id = await createId({ accounts: [email('ada')] })
      expect(await create({ accounts: [email('bob')] })).toMatchObject({
        status: 409,
        body: { code: 'app_full' },
      })
      await expect(login('bob@example.com')).rejects.toThrow()
      expect((await login('ada@example.com')).user.id).toBe(id)
      await fixture.call('DELETE', `${users()}/${id}`)
      expect((await login('bob@example.com')).user.id).not.toBe(id)
    })
  })

  describe('a stolen key', () => {
    test('cannot add an account to an existing user', async () => {
      const victim = await login('ada@example.com')
      expect(await create({ accounts: [email('ada'), email('eve')] })).toMatchObject({
        status: 409,
        body: { code: 'account_taken' },
      })
      expect((await login('eve@example.com')).user.id).not.toBe(victim.user.id)
    })

    test('cannot share a user with its victim: one login drops the other expected accounts', async () => {
      const id = await createId({ accounts: [email('ada'), email('eve')] })
      const attacker = await login('eve@example.com')
      expect(attacker.user.id).toBe(id)
      const victim = await login('ada@example.com')
      expect(victim.user.id).not.toBe(id)
    })

    test('cannot have two victims become one user, even if they log in at once', async () => {
      const id = await createId({ accounts: [email('ada'), email('bob')] })
      const { context, app } = fixture
      const found = await context.apps.find(app.id)
      if (found === undefined) throw new Error('The app does not exist')
      const logins = await Promise.all(
        ['ada', 'bob'].map((name) =>
          context.transaction((trx) =>
            findOrCreateUser(trx, context, found, {
              type: 'email',
              identifier: `${name}@example.com`,
              profile: {},
            }),
          ),
        ),
      )
      const ids = logins.map((login) => (login.type === 'found' ? login.userId : login.code))
      expect(new Set(ids).size).toBe(2)
      expect(ids).toContain(id)
    })

    test('cannot take an account that another created user expects', async () => {
      await create({ accounts: [email('ada')] })
      expect(await create({ accounts: [email('eve'), email('ada')] })).toMatchObject({ status: 409 })
      expect((await fixture.call('GET', `${users()}?email=eve@example.com`)).body.data).toEqual([])
    })

    test('does not keep an owner from linking the account', async () => {
      const session = await login('ada@example.com')
      await create({ accounts: [phone] })
      const { context, app } = fixture
      const owner = { appId: app.id, userId: session.user.id, sessionId: null }
      const account = { type: 'phone', identifier: '+1 4155550100', profile: {} } as const
      const linked = await context.transaction((trx) => linkAccount(trx, context, owner, account))
      expect(linked.type).toBe('linked')
    })

    test('cannot create a user in another app', async () => {
      const other = await fixture.newApp()
      const answer = await fixture.call('POST', `/apps/${other.id}/users`, {
        body: { accounts: [email('ada')] },
      })
      expect(answer).toMatchObject({ status: 404, body: { code: 'app_not_found' } })
    })
  })
})
