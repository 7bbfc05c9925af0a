/** Stored passkeys: each is found, updated and removed separately. */
import { beforeEach, describe, expect, test } from 'vitest'
import { forEachEngine } from '../../kernel/db/test-engines.ts'
import { type TestContext, testContext } from '../../testing/context.ts'
import * as store from './store.ts'
import { passkeyTables } from './tables.ts'

const passkey = (app_id: string, user_id: string, credential_id: string, counter = 5): store.Passkey => ({
  app_id,
  credential_id,
  user_id,
  public_key: 'key',
  counter,
  transports: '[]',
  created_at: 1,
})
const own = passkey('app', 'ada', 'one')
/** Passkeys that differ from `own` in one property each. */
const others = [passkey('app', 'ada', 'two'), passkey('app', 'ben', 'three'), passkey('other', 'ada', 'one')]

forEachEngine((database) => {
  let context: TestContext
  beforeEach(async () => {
    context = await testContext(database())
  })
  const rows = () =>
    passkeyTables(context.db)
      .selectFrom('passkeys')
      .selectAll()
      .orderBy('app_id')
      .orderBy('credential_id')
      .execute()

  describe('a passkey', () => {
    beforeEach(async () => {
      await context.transaction(async (trx) => {
        for (const each of [own, ...others]) await store.putPasskey(trx, each)
      })
    })

    test('is found by app and id, and in the list of its user', async () => {
      expect(await store.findPasskey(context.db, 'app', 'one')).toEqual(own)
      expect(await store.findPasskey(context.db, 'other', 'two')).toBeUndefined()
      const ids = async (appId: string, userId: string) =>
        (await store.findPasskeys(context.db, appId, userId)).map(({ credential_id }) => credential_id).sort()
      expect(await ids('app', 'ada')).toEqual(['one', 'two'])
      expect(await ids('app', 'ben')).toEqual(['three'])
      expect(await ids('other', 'ada')).toEqual(['one'])
      expect(await ids('other', 'ben')).toEqual([])
    })

    test('is not overwritten', async () => {
      await context.transaction((trx) =>
        store.putPasskey(trx, { ...own, user_id: 'eve', public_key: 'hers' }),
      )
      expect(await store.findPasskey(context.db, 'app', 'one')).toEqual(own)
    })

    test('increases its own counter only', async () => {
      const countOn = (counter: number) => context.transaction((trx) => store.countOn(trx, own, counter))
      expect([await countOn(4), await countOn(5), await countOn(0)]).toEqual([false, false, false])
      expect(await rows()).toEqual([passkey('app', 'ada', 'one'), others[1], others[0], others[2]])
      expect([await countOn(6), await countOn(6)]).toEqual([true, false])
      expect(await rows()).toEqual([{ ...own, counter: 6 }, others[1], others[0], others[2]])
    })

    test('without a counter always sends 0', async () => {
      const still = passkey('app', 'ada', 'still', 0)
      await context.transaction((trx) => store.putPasskey(trx, still))
      const countOn = (counter: number) => context.transaction((trx) => store.countOn(trx, still, counter))
      expect([await countOn(0), await countOn(0)]).toEqual([true, true])
      expect(await rows()).toContainEqual(still)
    })

    test('is removed separately', async () => {
      await context.transaction((trx) => store.removePasskey(trx, 'app', 'one'))
      expect(await rows()).toEqual([others[1], others[0], others[2]])
    })
  })
})
