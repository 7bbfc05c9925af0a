/** The removal of verification methods by support, which needs two operators. */
import { beforeEach, expect, test } from 'vitest'
import type { TestSession } from '../../identity/sessions/testing/browser.ts'
import { forEachEngine } from '../../kernel/db/test-engines.ts'
import { createAdminKey } from './keys.ts'
import { revokeOperatorByCommand } from './operators/operators.ts'
import { type AdminFixture, adminFixture } from './testing/fixture.ts'
import { type OperatorBrowser, signInOperator } from './testing/operators.ts'

forEachEngine((database) => {
  let fixture: AdminFixture
  let user: TestSession['user']
  let ada: OperatorBrowser
  let bob: OperatorBrowser
  beforeEach(async () => {
    fixture = await adminFixture(database())
    const session = await fixture.browser.login('grace@example.com')
    await fixture.enrolTotp(session)
    user = session.user
    ada = await support('ada@operator.example')
    bob = await support('bob@operator.example')
  })
  const support = (email: string) =>
    signInOperator(fixture, { email, role: 'support', appId: fixture.app.id })
  const path = () => `/apps/${fixture.app.id}/users/${user.id}`
  const reset = (browser: OperatorBrowser) => browser.confirm('POST', `${path()}/factors/reset`)
  const readRequest = async () => (await ada.call('GET', `${path()}/factors/reset`)).body.request
  const readFactors = async () => (await ada.call('GET', path())).body.factors

  test('one operator asks, and another one removes the methods', async () => {
    const asked = await reset(ada)
    expect(asked).toMatchObject({
      status: 200,
      body: { removed: [], sessions_ended: 0, request: { operator: 'ada@operator.example' } },
    })
    expect(await readRequest()).toEqual(asked.body.request)
    expect(await readFactors()).toHaveLength(1)
    expect((await reset(bob)).body).toEqual({ removed: ['totp'], sessions_ended: 1, request: null })
    expect([await readFactors(), await readRequest()]).toEqual([[], null])
    const entries = (await fixture.readAudit()).filter(
      ({ operation, result }) => operation === 'resetFactors' && result === 'ok',
    )
    expect(entries.map(({ actor }) => actor)).toEqual([
      'operator:ada@operator.example',
      'operator:bob@operator.example',
    ])
  })

  test('the same operator cannot do both, also with an admin key', async () => {
    await reset(ada)
    expect((await reset(ada)).body.removed).toEqual([])
    const key = await fixture.newKey({ scopes: ['users:support'], operator: 'Ada@operator.example' })
    const answer = await fixture.call('POST', `${path()}/factors/reset`, { key })
    expect(answer.body).toMatchObject({ removed: [], request: { operator: 'ada@operator.example' } })
    expect(await readFactors()).toHaveLength(1)
  })

  test('a request ends after 24 hours, so that the next call asks again', async () => {
    await reset(ada)
    fixture.context.clock.advanceSeconds(86_400)
    for (const browser of [ada, bob]) await browser.signIn()
    expect(await readRequest()).toBeNull()
    expect((await reset(bob)).body).toMatchObject({
      removed: [],
      request: { operator: 'bob@operator.example' },
    })
  })

  test('the request of a revoked operator does not count', async () => {
    await reset(ada)
    const { context } = fixture
    await context.transaction((trx) => revokeOperatorByCommand(trx, context.clock, ada.id))
    expect((await reset(bob)).body).toMatchObject({
      removed: [],
      request: { operator: 'bob@operator.example' },
    })
  })

  test('a cancelled request counts no more', async () => {
    await reset(ada)
    expect((await bob.call('DELETE', `${path()}/factors/reset`)).body).toEqual({ request: null })
    expect((await reset(bob)).body.removed).toEqual([])
    expect(await readFactors()).toHaveLength(1)
  })

  test.each(['owner', 'admin'] as const)('an operator with the role %s does it alone', async (role) => {
    const browser = await signInOperator(fixture, { email: 'eve@operator.example', role })
    await reset(ada)
    expect((await reset(browser)).body).toMatchObject({ removed: ['totp'], request: null })
    expect(await readRequest()).toBeNull()
  })

  test('a key without an operator cannot ask', async () => {
    const { context, app } = fixture
    const { secret: key } = await context.transaction((trx) =>
      createAdminKey(trx, context.clock, {
        name: 'desk',
        scopes: ['users:support'],
        appId: app.id,
        networks: [],
        days: 1,
      }),
    )
    const answer = await fixture.call('POST', `${path()}/factors/reset`, { key })
    expect(answer).toMatchObject({ status: 403, body: { code: 'operator_required' } })
  })

  test('a request is deleted with its user', async () => {
    await reset(ada)
    await fixture.call('DELETE', path())
    const rows = await fixture.context.db
      .selectFrom('factor_resets' as never)
      .selectAll()
      .execute()
    expect(rows).toEqual([])
  })
})
