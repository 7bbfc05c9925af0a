/** Tests the counting of spending against its limits. */
import { expect, test } from 'vitest'
import { defaultApprovalSettings } from '../../../kernel/app-settings/approval-settings.ts'
import { openDatabase } from '../../../kernel/db/database.ts'
import { forEachEngine } from '../../../kernel/db/test-engines.ts'
import { testApp, testContext } from '../../../testing/context.ts'
import { confirmationTables } from '../tables.ts'
import { spend } from './spending.ts'

forEachEngine((database, _engine, url) => {
  const open = async () => {
    const context = await testContext(database())
    const app = await testApp(context)
    const user = { id: 'usr_1', app_id: app.id, created_at: 1 }
    await context.db
      .insertInto('users')
      .values({
        ...user,
        accepted_terms_at: null,
        deleted_at: null,
        kept_until: null,
        first_account_id: null,
      })
      .execute()
    const rows = () =>
      confirmationTables(context.db)
        .selectFrom('wallet_spending')
        .selectAll()
        .orderBy('confirmation_id')
        .execute()
    return { context, rows }
  }
  const spending = { userId: 'usr_1', walletId: 'wal_1', budgets: ['allowance'] as readonly string[] }

  test('of twelve concurrent spends, over the connections of two processes, those that fit are counted', async () => {
    const { rows } = await open()
    const second = openDatabase(url())
    try {
      const spendOne = (id: string, from: Pick<typeof second, 'transaction'>) =>
        from.transaction((trx) =>
          spend(trx, defaultApprovalSettings, { ...spending, id, cents: 3_000 }, 1_000),
        )
      const spent = await Promise.all(
        Array.from({ length: 12 }, (_, at) => spendOne(`con_${at}`, at % 2 === 0 ? database() : second)),
      )
      expect(spent.filter(Boolean)).toHaveLength(3)
      expect((await rows()).map(({ cents, user_id }) => [Number(cents), user_id])).toEqual([
        [3_000, 'usr_1'],
        [3_000, 'usr_1'],
        [3_000, 'usr_1'],
      ])
    } finally {
      await second.close()
    }
  })

  test('of twelve concurrent messages, over the connections of two processes, those that fit are counted', async () => {
    const { rows } = await open()
    const second = openDatabase(url())
    const approvals = { ...defaultApprovalSettings, frameMessagesPerDay: 5 }
    try {
      const spendOne = (id: string, from: Pick<typeof second, 'transaction'>) =>
        from.transaction((trx) =>
          spend(trx, approvals, { ...spending, id, budgets: ['messages'], cents: 0 }, 1_000),
        )
      const spent = await Promise.all(
        Array.from({ length: 12 }, (_, at) => spendOne(`con_${at}`, at % 2 === 0 ? database() : second)),
      )
      expect(spent.filter(Boolean)).toHaveLength(5)
      expect(await rows()).toHaveLength(5)
    } finally {
      await second.close()
    }
  })

  test('inserts a row for each budget of one use: the cost in cents, or 1 for a count', async () => {
    const { context, rows } = await open()
    const budgets = ['allowance', 'messages']
    expect(
      await context.transaction((trx) =>
        spend(trx, defaultApprovalSettings, { ...spending, id: 'con_1', budgets, cents: 250 }, 1_000),
      ),
    ).toBe(true)
    expect((await rows()).map(({ counted_as, cents }) => [counted_as, Number(cents)])).toEqual([
      ['allowance', 250],
      ['messages', 1],
    ])
  })

  test('an unpriced value exceeds a dollar limit, and fits an unlimited budget', async () => {
    const { context } = await open()
    const spendUnknown = (frameApprovalsUsdPerDay: number | null, id: string) =>
      context.transaction((trx) =>
        spend(
          trx,
          { ...defaultApprovalSettings, frameApprovalsUsdPerDay },
          { ...spending, id, cents: null },
          1_000,
        ),
      )
    expect(await spendUnknown(1_000_000, 'con_1')).toBe(false)
    expect(await spendUnknown(null, 'con_2')).toBe(true)
  })

  test('rejects a budget that the operator does not list', async () => {
    const { context } = await open()
    const spendOf = (budget: string) =>
      context.transaction((trx) =>
        spend(trx, defaultApprovalSettings, { ...spending, id: 'con_1', budgets: [budget], cents: 0 }, 1_000),
      )
    expect(await spendOf('limits')).toBe(false)
    expect(await spendOf('silent-messages')).toBe(false)
    expect(await spendOf('constructor')).toBe(false)
    expect(await spendOf('allowance')).toBe(true)
  })
})
