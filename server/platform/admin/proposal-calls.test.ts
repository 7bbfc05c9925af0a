/** Changes that need two operators, and the attacks of one. */
import { beforeEach, describe, expect, test } from 'vitest'
import { setFields } from '../../identity/apps/manage.ts'
import { withOutboxTables } from '../../identity/outbox/outbox.ts'
import { forEachEngine } from '../../kernel/db/test-engines.ts'
import { listRequesters } from '../provider/requesters.ts'
import { createAdminKey, revokeAdminKey } from './keys.ts'
import { revokeOperator } from './operators/operators.ts'
import { type AdminFixture, type AdminRequest, adminFixture } from './testing/fixture.ts'
import { signInOperator } from './testing/operators.ts'

const day = 86_400

forEachEngine((database) => {
  let fixture: AdminFixture
  let ada: string
  let bob: string
  beforeEach(async () => {
    fixture = await adminFixture(database())
    ada = await fixture.newKey({ operator: 'Ada' })
    bob = await fixture.newKey({ operator: 'Bob' })
  })
  const path = (rest = '') => `/apps/${fixture.app.id}/proposals${rest}`
  const call = (method: string, rest: string, request: AdminRequest) =>
    fixture.call(method, path(rest), request)
  const widening = { settings: { frame_messages_per_day: null } }
  const propose = (request: AdminRequest = {}) => call('POST', '', { key: ada, body: widening, ...request })
  const proposeId = async (request?: AdminRequest): Promise<string> => (await propose(request)).body.id
  const approve = (id: string, key = bob) => call('POST', `/${id}/approve`, { key })
  const cancel = (id: string, key = bob) => call('POST', `/${id}/cancel`, { key })
  const apply = (id: string, key = ada) => call('POST', `/${id}/apply`, { key })
  const read = async (id: string) => (await call('GET', `/${id}`, { key: ada })).body
  const readSettings = async () => (await fixture.call('GET', `/apps/${fixture.app.id}`)).body.settings
  const set = (fields: object) =>
    setFields(fixture.context.db, fixture.context.clock, fixture.app.id, Object.entries(fields))
  const wait = (seconds: number) => fixture.context.clock.advanceSeconds(seconds)
  const iso = (seconds = 0) => new Date(fixture.context.clock.nowMs() + seconds * 1_000).toISOString()
  const keyId = (key: string) => key.split('_')[1] ?? ''

  test('a proposal lists the replaced and widened settings, and changes nothing yet', async () => {
    const before = await readSettings()
    const { status, body } = await propose({ body: { ...widening, note: 'For the new game' } })
    expect(status).toBe(201)
    expect(body).toMatchObject({
      app_id: fixture.app.id,
      state: 'proposed',
      settings: { frame_messages_per_day: null },
      replaces: { settings: { frame_messages_per_day: before.frame_messages_per_day }, requester: null },
      widens: ['frame_messages_per_day'],
      note: 'For the new game',
      proposed: { operator: 'ada', at: iso() },
      approved: null,
      applies_from: null,
      expires_at: iso(7 * day),
      ended: null,
    })
    expect(await read(body.id)).toEqual(body)
    expect(await readSettings()).toEqual(before)
  })

  test('an approved proposal is applied 24 hours later', async () => {
    const id = await proposeId()
    expect((await approve(id)).body).toMatchObject({
      state: 'approved',
      approved: { operator: 'bob', at: iso() },
      applies_from: iso(day),
      expires_at: iso(8 * day),
    })
    wait(day - 1)
    expect(await apply(id)).toMatchObject({ status: 409, body: { code: 'proposal_waiting' } })
    expect((await readSettings()).frame_messages_per_day).not.toBeNull()
    wait(1)
    expect((await apply(id)).body).toMatchObject({ state: 'applied', ended: { operator: 'ada', at: iso() } })
    expect((await readSettings()).frame_messages_per_day).toBeNull()
    const entries = (await fixture.readAudit()).filter(({ target }) => target === id)
    expect(entries.map(({ operation, actor, result }) => [operation, actor, result])).toEqual([
      ['approveProposal', keyId(bob), 'ok'],
      ['applyProposal', keyId(ada), 'proposal_waiting'],
      ['applyProposal', keyId(ada), 'ok'],
    ])
  })

  test('a requester is registered by a proposal, with the values that it replaces', async () => {
    const requester = {
      client_id: 'notes',
      name: 'Notes',
      origin: 'https://notes.example',
      redirect_addresses: ['https://notes.example/callback'],
    }
    const id = await proposeId({ body: { requester } })
    expect(await listRequesters(fixture.context.db, fixture.app.id)).toEqual([])
    await approve(id)
    wait(day)
    expect((await apply(id)).body).toMatchObject({ state: 'applied', widens: ['requesters'] })
    const [stored] = await listRequesters(fixture.context.db, fixture.app.id)
    expect(stored).toMatchObject({ clientId: 'notes', name: 'Notes', jwk: null })
    const moved = { ...requester, origin: 'https://other.example' }
    expect((await propose({ body: { requester: moved } })).body.replaces.requester).toMatchObject(requester)
    expect(
      await propose({ body: { requester: { ...requester, origin: 'http://notes.example' } } }),
    ).toMatchObject({ status: 400, body: { code: 'invalid_data', path: 'requester' } })
  })

  test.each([
    [{ settings: { theme: 'dark' } }, 409, 'nothing_to_approve'],
    [{ settings: { frame_messages_per_day: 0 } }, 409, 'nothing_to_approve'],
    [{ settings: { frame_messages_per_day: 'many' } }, 400, 'invalid_data'],
    [{ settings: { no_such_setting: 1 } }, 400, 'invalid_data'],
    [{ settings: { ...widening.settings, max_users: 5 } }, 409, 'not_supported'],
    [{ note: 'Nothing' }, 400, 'invalid_data'],
  ])('%j is no proposal', async (body, status, code) => {
    expect(await propose({ body })).toMatchObject({ status, body: { code } })
    expect((await call('GET', '', { key: ada })).body.data).toEqual([])
  })

  test('the refusal of a single operator names the call for a proposal', async () => {
    const answer = await fixture.call('PATCH', `/apps/${fixture.app.id}`, { key: ada, body: widening })
    expect(answer).toMatchObject({ status: 403, body: { code: 'needs_proposal' } })
    expect(answer.body.detail).toContain(path())
  })

  test('proposals are listed in pages, newest first, and 20 may be open', async () => {
    const ids: string[] = []
    for (let index = 0; index < 20; index += 1) {
      ids.unshift(await proposeId())
      wait(1)
    }
    expect(await propose()).toMatchObject({ status: 409, body: { code: 'too_many_proposals' } })
    const first = await call('GET', '?limit=15', { key: ada })
    const second = await call('GET', `?limit=15&after=${first.body.next}`, { key: ada })
    const listed = [...first.body.data, ...second.body.data].map(({ id }: { id: string }) => id)
    expect(listed).toEqual(ids)
    expect(second.body.next).toBeNull()
    await cancel(ids[0] ?? '')
    expect((await propose()).status).toBe(201)
  })

  test.each(['ada', 'bob'])('%s may cancel it while it waits, and it cannot be applied', async (operator) => {
    const id = await proposeId()
    await approve(id)
    expect((await cancel(id, operator === 'ada' ? ada : bob)).body).toMatchObject({
      state: 'cancelled',
      ended: { operator },
    })
    wait(day)
    expect(await apply(id)).toMatchObject({ status: 409, body: { code: 'proposal_not_open' } })
    expect(await approve(id)).toMatchObject({ status: 409 })
    expect(await cancel(id)).toMatchObject({ status: 409 })
  })

  test('a proposal expires 7 days later, and an approved one 7 days after its waiting time', async () => {
    const [waiting, approved] = [await proposeId(), await proposeId()]
    wait(7 * day - 1)
    await approve(approved)
    wait(1)
    expect((await read(waiting)).state).toBe('expired')
    expect(await approve(waiting)).toMatchObject({ status: 409, body: { code: 'proposal_not_open' } })
    wait(8 * day - 2)
    expect((await read(approved)).state).toBe('approved')
    wait(1)
    expect(await apply(approved)).toMatchObject({ status: 409, body: { code: 'proposal_not_open' } })
  })

  test('webhooks of the app receive each step', async () => {
    await fixture.call('POST', `/apps/${fixture.app.id}/webhooks`, {
      body: { url: 'https://hooks.example/a' },
    })
    const id = await proposeId()
    await approve(id)
    wait(day)
    await apply(id)
    await cancel(await proposeId({ body: { settings: { card_calls: [cardCall] } } }))
    const rows = await withOutboxTables(fixture.context.db)
      .selectFrom('webhook_events')
      .select(['type', 'body'])
      .orderBy('created_at')
      .execute()
    const bodies = rows.map(({ type, body }) => {
      const { data } = JSON.parse(body)
      return [type, data.state ?? null, data.operator, data.settings]
    })
    expect(bodies.sort()).toEqual(
      [
        ['approvals.proposed', null, 'ada', ['frame_messages_per_day']],
        ['approvals.changed', 'approved', 'bob', ['frame_messages_per_day']],
        ['approvals.changed', 'applied', 'ada', ['frame_messages_per_day']],
        ['approvals.proposed', null, 'ada', ['card_calls']],
        ['approvals.changed', 'cancelled', 'bob', ['card_calls']],
      ].sort(),
    )
  })

  const cardCall = { chain: 1, contract: `0x${'a'.repeat(40)}`, selector: '0x12345678', calls_per_day: 5 }

  describe('an attacker', () => {
    test.each([
      ['the same key', async () => ada],
      ['another key of the proposer', () => fixture.newKey({ operator: 'Ada' })],
      ['another spelling of their name', () => fixture.newKey({ operator: ' ADA ' })],
    ])('cannot approve their proposal with %s', async (_, newKey) => {
      const id = await proposeId()
      expect(await approve(id, await newKey())).toMatchObject({
        status: 403,
        body: { code: 'same_operator' },
      })
      expect((await read(id)).state).toBe('proposed')
    })

    test('cannot approve with the key that replaces a rotated one', async () => {
      const id = await proposeId()
      await fixture.context.transaction((trx) => revokeAdminKey(trx, fixture.context.clock, keyId(ada)))
      const rotated = await fixture.newKey({ operator: 'ada' })
      expect(await approve(id, rotated)).toMatchObject({ status: 403, body: { code: 'same_operator' } })
      // The proposal of a revoked key is void: the key may have been stolen.
      expect(await approve(id)).toMatchObject({ status: 409, body: { code: 'proposal_outdated' } })
    })

    test('cannot approve in the dashboard a proposal by their key, or the reverse', async () => {
      const email = 'ada@operator.example'
      const own = await fixture.newKey({ operator: email })
      const dashboard = await signInOperator(fixture, { email, appId: fixture.app.id })
      const id = await proposeId({ key: own })
      const approved = await dashboard.confirm('POST', path(`/${id}/approve`))
      expect(approved).toMatchObject({ status: 403, body: { code: 'same_operator' } })
      const proposed = await dashboard.call('POST', path(), { body: widening })
      expect(proposed).toMatchObject({ status: 201, body: { proposed: { operator: email } } })
      expect(await approve(proposed.body.id, own)).toMatchObject({
        status: 403,
        body: { code: 'same_operator' },
      })
      expect((await approve(proposed.body.id)).body.state).toBe('approved')
    })

    test('cannot use the approval of an operator revoked since', async () => {
      const dashboard = await signInOperator(fixture, { appId: fixture.app.id })
      const id = await proposeId()
      expect((await dashboard.confirm('POST', path(`/${id}/approve`))).status).toBe(200)
      await fixture.context.transaction((trx) => revokeOperator(trx, 1, dashboard.id))
      wait(day)
      expect(await apply(id)).toMatchObject({ status: 409, body: { code: 'proposal_outdated' } })
    })

    test('cannot use the approval of a key that was revoked since', async () => {
      const id = await proposeId()
      await approve(id)
      await fixture.context.transaction((trx) => revokeAdminKey(trx, fixture.context.clock, keyId(bob)))
      wait(day)
      expect(await apply(id)).toMatchObject({ status: 409, body: { code: 'proposal_outdated' } })
    })

    test.each([
      ['no operator', undefined],
      ['the name of the command', ' Command'],
    ])('gets no key for approvals with %s', async (_, operator) => {
      const { context } = fixture
      const key = { name: 'x', operator, scopes: ['approvals:agree'], appId: null, networks: [], days: 1 }
      await expect(context.transaction((trx) => createAdminKey(trx, context.clock, key))).rejects.toThrow(
        /operator/,
      )
    })

    test('cannot decide with the scopes of another task', async () => {
      const id = await proposeId()
      const writer = await fixture.newKey({ operator: 'eve', scopes: ['apps:write', 'approvals:propose'] })
      expect(await approve(id, writer)).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } })
      const reader = await fixture.newKey({ operator: 'eve', scopes: ['apps:read', 'apps:write'] })
      for (const decide of [approve, cancel, apply])
        expect(await decide(id, reader)).toMatchObject({ status: 403 })
    })

    test('cannot reach a proposal from another app', async () => {
      const id = await proposeId()
      const other = await fixture.newApp()
      const foreign = await fixture.newKey({ operator: 'eve', appId: other.id })
      expect(await approve(id, foreign)).toMatchObject({ status: 404, body: { code: 'app_not_found' } })
      for (const [method, rest] of [
        ['GET', ''],
        ['POST', '/approve'],
        ['POST', '/cancel'],
        ['POST', '/apply'],
      ] as const) {
        const answer = await fixture.call(method, `/apps/${other.id}/proposals/${id}${rest}`, {
          key: foreign,
        })
        expect(answer).toMatchObject({ status: 404, body: { code: 'proposal_not_found' } })
      }
    })

    test('cannot bring back rights that were narrowed after the approval', async () => {
      await set({ card_calls: [cardCall] })
      const more = { ...cardCall, selector: '0x87654321' }
      const id = await proposeId({ body: { settings: { card_calls: [cardCall, more] } } })
      await approve(id)
      wait(day)
      await set({ card_calls: [] })
      expect(await apply(id)).toMatchObject({ status: 409, body: { code: 'proposal_outdated' } })
      expect((await readSettings()).card_calls).toEqual([])
    })

    test('cannot approve a proposal after a change of its app', async () => {
      const id = await proposeId()
      await set({ frame_messages_per_day: 3 })
      expect(await approve(id)).toMatchObject({ status: 409, body: { code: 'proposal_outdated' } })
    })

    test('cannot widen a setting that is a side effect of another change in between', async () => {
      await set({ custom_api_url: 'https://api.example' })
      const settings = { frame_messages_per_day: null, session_mode: 'storage' }
      // The API on another site keeps the mode at cookie, so the proposal widens one setting only.
      const { body } = await propose({ body: { settings } })
      expect(body.widens).toEqual(['frame_messages_per_day'])
      await approve(body.id)
      wait(day)
      await set({ custom_api_url: null })
      expect(await apply(body.id)).toMatchObject({ status: 409, body: { code: 'proposal_outdated' } })
      expect(await readSettings()).toMatchObject({ session_mode: 'cookie' })
    })

    test('cannot apply a change twice, also not by the same request', async () => {
      const id = await proposeId()
      await approve(id)
      wait(day)
      const headers = { 'idempotency-key': 'apply-once' }
      await call('POST', `/${id}/apply`, { key: ada, headers })
      await set({ frame_messages_per_day: 1 })
      const replayed = await call('POST', `/${id}/apply`, { key: ada, headers })
      expect(replayed.headers.get('idempotent-replayed')).toBe('true')
      expect(await apply(id)).toMatchObject({ status: 409, body: { code: 'proposal_not_open' } })
      expect((await readSettings()).frame_messages_per_day).toBe(1)
    })

    test('of two approvals at once, one decides', async () => {
      const id = await proposeId()
      const carol = await fixture.newKey({ operator: 'carol' })
      const answers = await Promise.all([approve(id, bob), approve(id, carol)])
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    })

    test('of an application and a cancellation at once, one decides', async () => {
      const id = await proposeId()
      await approve(id)
      wait(day)
      const [applied, cancelled] = await Promise.all([apply(id), cancel(id)])
      expect([applied.status, cancelled.status].sort()).toEqual([200, 409])
      const isApplied = (await readSettings()).frame_messages_per_day === null
      expect(isApplied).toBe(applied.status === 200)
    })
  })
})
