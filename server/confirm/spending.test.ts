/** The limits of a day in cents, as an operator wrote them in dollars. */
import { expect, test } from 'vitest'
import { defaultApprovalSettings } from '../apps/approval-settings.ts'
import { openDatabase } from '../db/database.ts'
import { forEachEngine } from '../db/test-engines.ts'
import { testApp, testContext } from '../testing/context.ts'
import { limitInCents, spend } from './spending.ts'
import { confirmationTables } from './tables.ts'

const noPrompt = { methods: [], contracts: [], usdPerDay: 0.019 }

test('a part of a cent is no cent', () => {
  const approvals = { ...defaultApprovalSettings, frameApprovalsUsdPerDay: 20.059, noPrompt }
  expect(limitInCents(approvals, 'allowance')).toBe(2_005)
  expect(limitInCents(approvals, 'limits')).toBe(1)
})

test('none is none for the limits that say so, and nothing fits where there are no limits', () => {
  const approvals = { ...defaultApprovalSettings, frameApprovalsUsdPerDay: null }
  expect(limitInCents(approvals, 'allowance')).toBeNull()
  expect(limitInCents({ ...approvals, noPrompt: { ...noPrompt, usdPerDay: null } }, 'limits')).toBeNull()
  expect(limitInCents({ ...approvals, noPrompt: null }, 'limits')).toBeLessThan(0)
})

forEachEngine(
  (database, _engine, url) => {
    test('of twelve spends at once, over two processes’ connections, those are counted that fit', async () => {
      const context = await testContext(database())
      const app = await testApp(context)
      const user = { id: 'usr_1', app_id: app.id, created_at: 1 }
      await context.db
        .insertInto('users')
        .values({ ...user, accepted_terms_at: null, deleted_at: null, kept_until: null })
        .execute()
      const second = openDatabase(url())
      try {
        const spendOne = (id: string, from: Pick<typeof second, 'transaction'>) =>
          from.transaction((trx) =>
            spend(
              trx,
              { id, userId: 'usr_1', walletId: 'wal_1', countedAs: 'allowance' },
              10_000,
              3_000,
              1_000,
            ),
          )
        const spent = await Promise.all(
          Array.from({ length: 12 }, (_, at) => spendOne(`con_${at}`, at % 2 === 0 ? database() : second)),
        )
        expect(spent.filter(Boolean)).toHaveLength(3)
        const rows = await confirmationTables(context.db).selectFrom('wallet_spending').selectAll().execute()
        expect(rows.map(({ cents, user_id }) => [Number(cents), user_id])).toEqual([
          [3_000, 'usr_1'],
          [3_000, 'usr_1'],
          [3_000, 'usr_1'],
        ])
      } finally {
        await second.close()
      }
    })
  },
  { tables: ['confirmations', 'wallet_spending'] },
)
