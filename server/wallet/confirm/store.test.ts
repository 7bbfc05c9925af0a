/** Tests the conditions of each confirmation statement: a single wrong value must have no effect. */
import { beforeEach, describe, expect, test } from 'vitest'
import { forEachEngine } from '../../kernel/db/test-engines.ts'
import { type TestContext, testContext } from '../../testing/context.ts'
import * as store from './store.ts'
import { type ConfirmationRow, confirmationTables } from './tables.ts'

const now = 1_000_000
const row: ConfirmationRow = {
  id: 'con_1',
  app_id: 'app_1',
  user_id: 'usr_1',
  session_id: 'ses_1',
  wallet_id: 'wal_1',
  address: '0x1',
  request: '{"method":"personal_sign"}',
  bytes: 26,
  digest: 'digest_1',
  kind: 'message',
  method: 'personal_sign',
  chain_id: null,
  target: null,
  value: null,
  place: 'frame',
  reason: 'plain_message',
  cents: null,
  counts_as: null,
  origin: null,
  requester: null,
  state: 'open',
  on_page: 0,
  expires_at: now + 300,
}

forEachEngine((database) => {
  let context: TestContext
  beforeEach(async () => {
    context = await testContext(database())
    await put(row)
  })
  const put = (one: ConfirmationRow, room: Partial<store.OpenLimits> = {}) =>
    store.insertConfirmation(context.db, one, { maxOpen: 50, maxBytes: 1_000_000, nowSeconds: now, ...room })
  const rows = () =>
    confirmationTables(context.db).selectFrom('confirmations').selectAll().orderBy('id').execute()
  const change = (set: Partial<ConfirmationRow>) =>
    confirmationTables(context.db).updateTable('confirmations').set(set).execute()
  const use = (changes: Partial<store.ConsumeTarget> = {}, at = now) =>
    context.transaction((trx) => store.consume(trx, { ...row, ...changes }, at))

  describe('is consumed', () => {
    test.each<Partial<store.ConsumeTarget>>([
      { id: 'con_2' },
      { app_id: 'app_2' },
      { user_id: 'usr_2' },
      { session_id: 'ses_2' },
      { wallet_id: 'wal_2' },
      { digest: 'digest_2' },
    ])('with its own values, but not with another %j', async (changes) => {
      expect(await use(changes)).toBeUndefined()
      expect(await use()).toMatchObject({ id: 'con_1', state: 'used', request: '', bytes: 0 })
    })

    test('once', async () => {
      expect(await use()).toBeDefined()
      expect(await use()).toBeUndefined()
    })

    test('before its expiry, and not in that second', async () => {
      expect(await use({}, now + 300)).toBeUndefined()
      expect(await use({}, now + 299)).toBeDefined()
    })

    test.each<[Partial<ConfirmationRow>, boolean]>([
      [{ place: 'page' }, false],
      [{ place: 'page', state: 'approved' }, true],
      [{ place: 'frame', state: 'approved' }, true],
      [{ place: 'silent' }, true],
      [{ place: 'unseen' }, true],
      [{ state: 'refused' }, false],
    ])('with %j: %s', async (set, isUsed) => {
      await change(set)
      expect((await use()) !== undefined).toBe(isUsed)
    })
  })

  describe('moves to a stricter surface', () => {
    const page = { place: 'page', reason: 'browser', cents: null, counts_as: null } as const
    const places = async () => (await rows()).map(({ place, reason }) => `${place} ${reason}`)

    test('by its own name in its own app, while it is open', async () => {
      await put({ ...row, id: 'con_2' })
      await store.restrict(context.db, { id: 'con_1', app_id: 'app_2' }, page)
      expect(await places()).toEqual(['frame plain_message', 'frame plain_message'])
      await store.restrict(context.db, row, page)
      expect(await places()).toEqual(['page browser', 'frame plain_message'])
      await change({ state: 'used', place: 'frame' })
      await store.restrict(context.db, row, page)
      expect((await rows()).map(({ place }) => place)).toEqual(['frame', 'frame'])
    })

    test('and never to a laxer one, or to the same with other budgets', async () => {
      const unseen = { place: 'unseen', reason: 'within_allowance', cents: 5, counts_as: 'unseen' } as const
      await store.restrict(context.db, row, unseen)
      expect(await rows()).toMatchObject([unseen])
      await store.restrict(context.db, row, { ...unseen, cents: 0, counts_as: null })
      await store.restrict(context.db, row, { ...unseen, place: 'frame', counts_as: null })
      await store.restrict(context.db, row, { ...unseen, place: 'silent', counts_as: null })
      expect(await rows()).toMatchObject([unseen])
      await store.restrict(context.db, row, page)
      expect(await rows()).toMatchObject([page])
    })
  })

  test('counts the waiting confirmations of a session, with their total size', async () => {
    expect(await store.getOpenUsage(context.db, 'ses_2', now)).toEqual({ count: 0, bytes: 0 })
    await put({ ...row, id: 'con_2', bytes: 100 })
    await put({ ...row, id: 'con_3', state: 'approved' })
    await put({ ...row, id: 'con_4', expires_at: now })
    await put({ ...row, id: 'con_5', session_id: 'ses_2' })
    expect(await store.getOpenUsage(context.db, 'ses_1', now)).toEqual({ count: 2, bytes: 126 })
  })

  describe('is inserted by a statement that enforces the limits itself', () => {
    test('if its session has room for one more', async () => {
      await put({ ...row, id: 'of another session', session_id: 'ses_2' })
      await put({ ...row, id: 'decided', state: 'approved' })
      await put({ ...row, id: 'over', expires_at: now })
      expect(await put({ ...row, id: 'con_2' }, { maxOpen: 1 })).toBeUndefined()
      expect(await put({ ...row, id: 'con_2' }, { maxOpen: 2 })).toEqual({ ...row, id: 'con_2' })
      expect(await put({ ...row, id: 'con_3' }, { maxOpen: 2 })).toBeUndefined()
    })

    test('if the total size of the waiting ones has room', async () => {
      const long = { ...row, id: 'con_2', bytes: 74 }
      expect(await put(long, { maxBytes: 99 })).toBeUndefined()
      expect(await put(long, { maxBytes: 100 })).toEqual(long)
    })

    test('and only under an unused handle', async () => {
      expect(await put({ ...row, digest: 'another' })).toBeUndefined()
      expect(await rows()).toEqual([row])
    })
  })

  describe('spending is inserted by a statement that enforces the limits itself', () => {
    const spend = (id: string, cents: number, limit: number | null = 100, at = now) =>
      context.transaction((trx) =>
        store.countSpending(
          trx,
          { id, userId: 'usr_1', walletId: 'wal_1', budget: 'allowance', amount: cents },
          limit,
          at,
        ),
      )
    const spent = () => store.getSpent(context.db, { walletId: 'wal_1', budget: 'allowance' }, now)

    test('counts spending up to the limit, independent of earlier reads', async () => {
      expect(await spend('con_1', 60)).toBe(true)
      expect(await spend('con_2', 41)).toBe(false)
      expect(await spend('con_2', 40)).toBe(true)
      expect(await spend('con_3', 1)).toBe(false)
      expect(await spend('con_3', 0)).toBe(true)
      expect(await spent()).toBe(100)
    })

    test('for its own wallet and budget, over the last day', async () => {
      await spend('con_1', 100)
      const other = (id: string, of: object, at = now) =>
        context.transaction((trx) =>
          store.countSpending(
            trx,
            { id, userId: 'usr_1', walletId: 'wal_1', budget: 'allowance', amount: 100, ...of },
            100,
            at,
          ),
        )
      expect(await other('con_2', {})).toBe(false)
      expect(await other('con_2', { walletId: 'wal_2' })).toBe(true)
      expect(await other('con_3', { budget: 'messages' })).toBe(true)
      expect(await other('con_4', {}, now + 86_399)).toBe(false)
      expect(await other('con_4', {}, now + 86_400)).toBe(true)
    })

    test('without a limit if there is none', async () => {
      expect(await spend('con_1', 1_000_000, null)).toBe(true)
      expect(await spend('con_2', 1_000_000, null)).toBe(true)
    })
  })

  test('keeps its request after an approval, and not after a refusal', async () => {
    const decide = (state: 'approved' | 'refused') =>
      store.decide(context.db, { ...row, state, expiresAt: now + 60 }, now)
    await decide('approved')
    expect(await rows()).toMatchObject([
      { state: 'approved', on_page: 1, request: row.request, bytes: 26, expires_at: now + 60 },
    ])
    await change({ state: 'open' })
    await decide('refused')
    expect(await rows()).toMatchObject([{ state: 'refused', request: '', bytes: 0 }])
  })
})
