/** What each statement asks of a confirmation: who has something that is right but for one thing gets nothing. */
import { beforeEach, describe, expect, test } from 'vitest'
import { forEachEngine } from '../db/test-engines.ts'
import { type TestContext, testContext } from '../testing/context.ts'
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
  state: 'open',
  on_page: 0,
  expires_at: now + 300,
}

forEachEngine(
  (database) => {
    let context: TestContext
    beforeEach(async () => {
      context = await testContext(database())
      await store.put(context.db, row)
    })
    const rows = () =>
      confirmationTables(context.db).selectFrom('confirmations').selectAll().orderBy('id').execute()
    const change = (set: Partial<ConfirmationRow>) =>
      confirmationTables(context.db).updateTable('confirmations').set(set).execute()
    const use = (changes: Partial<store.Usable> = {}, at = now) =>
      context.transaction((trx) => store.use(trx, { ...row, ...changes }, at))

    describe('is used', () => {
      test.each<Partial<store.Usable>>([
        { id: 'con_2' },
        { app_id: 'app_2' },
        { user_id: 'usr_2' },
        { session_id: 'ses_2' },
        { wallet_id: 'wal_2' },
        { digest: 'digest_2' },
      ])('by nobody with %j, and by its own', async (changes) => {
        expect(await use(changes)).toBeUndefined()
        expect(await use()).toMatchObject({ id: 'con_1', state: 'used', request: '', bytes: 0 })
      })

      test('once', async () => {
        expect(await use()).toBeDefined()
        expect(await use()).toBeUndefined()
      })

      test('until it expires, and not in that second', async () => {
        expect(await use({}, now + 300)).toBeUndefined()
        expect(await use({}, now + 299)).toBeDefined()
      })

      test.each<[Partial<ConfirmationRow>, boolean]>([
        [{ place: 'page' }, false],
        [{ place: 'page', state: 'approved' }, true],
        [{ place: 'frame', state: 'approved' }, true],
        [{ place: 'silent' }, true],
        [{ state: 'refused' }, false],
      ])('where it is %j: %s', async (set, isUsed) => {
        await change(set)
        expect((await use()) !== undefined).toBe(isUsed)
      })
    })

    test('goes to the page by its own name in its own app, while it is open', async () => {
      await store.put(context.db, { ...row, id: 'con_2' })
      const places = async () => (await rows()).map(({ place, reason }) => `${place} ${reason}`)
      await store.toPage(context.db, { ...row, app_id: 'app_2' })
      expect(await places()).toEqual(['frame plain_message', 'frame plain_message'])
      await store.toPage(context.db, row)
      expect(await places()).toEqual(['page browser', 'frame plain_message'])
      await change({ state: 'used', place: 'frame' })
      await store.toPage(context.db, row)
      expect((await rows()).map(({ place }) => place)).toEqual(['frame', 'frame'])
    })

    test('of those of a session the ones that wait are counted, with their length', async () => {
      expect(await store.openOf(context.db, 'ses_2', now)).toEqual({ count: 0, bytes: 0 })
      await store.put(context.db, { ...row, id: 'con_2', bytes: 100 })
      await store.put(context.db, { ...row, id: 'con_3', state: 'approved' })
      await store.put(context.db, { ...row, id: 'con_4', expires_at: now })
      await store.put(context.db, { ...row, id: 'con_5', session_id: 'ses_2' })
      expect(await store.openOf(context.db, 'ses_1', now)).toEqual({ count: 2, bytes: 126 })
    })

    test('keeps its request when it was approved, and no longer when it was refused', async () => {
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
  },
  { tables: ['confirmations', 'wallet_spending'] },
)
