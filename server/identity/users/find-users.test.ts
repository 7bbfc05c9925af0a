/** Look-ups of users for operators. `start/commands/users.test.ts` tests which references resolve to whom. */
import { CompiledQuery, type KyselyPlugin, sql } from 'kysely'
import { expect, test } from 'vitest'
import { forEachEngine } from '../../kernel/db/test-engines.ts'
import { testApp, testContext } from '../../testing/context.ts'
import { findUsers, linkAccount, type ProvenAccount, parseUserReference } from './users.ts'

const address = `0x${'c0'.repeat(20)}`

forEachEngine((database, engine) => {
  /** Returns the query plans of a look-up, without sequential scans where the engine has a choice. */
  async function planLookUp(reference: string, appId: string | undefined): Promise<string[]> {
    const { db, transaction } = database()
    const queries: CompiledQuery[] = []
    const recording: KyselyPlugin = {
      transformQuery({ node, queryId }) {
        queries.push(db.getExecutor().compileQuery(node, queryId))
        return node
      },
      transformResult: async ({ result }) => result,
    }
    await findUsers(db.withPlugin(recording), parseUserReference(reference), appId)
    const explain = engine === 'postgres' ? 'explain' : 'explain query plan'
    return transaction(async (trx) => {
      if (engine === 'postgres') await sql`set local enable_seqscan = off`.execute(trx)
      const plans: string[] = []
      for (const { sql: text, parameters } of queries) {
        const query = CompiledQuery.raw(`${explain} ${text}`, [...parameters])
        const { rows } = await trx.executeQuery<object>(query)
        plans.push(rows.map((row) => Object.values(row).join(' ')).join('\n'))
      }
      return plans
    })
  }

  // The order of the join depends on statistics, so PostgreSQL only shows here that each table has a usable index.
  const indexed = engine === 'postgres' ? /Index Cond: / : /SEARCH "?(?:linked_accounts|wallets)/

  test.each([
    'ada@example.com',
    '+12025550123',
    address,
    '5FHwkrdxntdK24hgQU8qgBjn35Y1zwhz1GZwCkP2UJnM',
    'google_oauth:110169484474386276334',
    'usr_1',
    'customer 42',
  ])('looks up %s by indexes only, in one app and in all', async (reference) => {
    for (const appId of ['a'.repeat(25), undefined]) {
      const plans = await planLookUp(reference, appId)
      expect(plans).not.toEqual([])
      for (const plan of plans) {
        expect(plan).not.toMatch(/(?:Seq Scan on|SCAN) "?(?:linked_accounts|wallets|users)\b/)
        if (/(?:linked_accounts|wallets) /.test(plan)) expect(plan).toMatch(indexed)
      }
    }
  })

  test('finds users by provider addresses in any case, and ignores addresses that no provider verified', async () => {
    const context = await testContext(database())
    const { id: appId } = await testApp(context)
    const add = async (userId: string, account: ProvenAccount) => {
      const user = { id: userId, app_id: appId, created_at: 1, accepted_terms_at: null }
      const rest = { deleted_at: null, kept_until: null, first_account_id: null }
      await context.db
        .insertInto('users')
        .values({ ...user, ...rest })
        .execute()
      const owner = { appId, userId, sessionId: null }
      await context.transaction((trx) => linkAccount(trx, context, owner, account))
    }
    const google = (subject: string, profile: object): ProvenAccount => ({
      type: 'google_oauth',
      identifier: subject,
      profile: { subject, ...profile },
    })
    // PostgreSQL's JSON functions reject both names. A text that looks like a field is no field.
    await add('usr_1', google('1', { name: 'A\u0000', email: 'Ada@Example.com' }))
    await add('usr_2', google('2', { name: '\ud83d "email":"ada@example.com"', email: 'bob@example.com' }))
    await add('usr_3', google('3', { email: 'ada@example.com', emailVerified: false }))
    const found = await findUsers(context.db, parseUserReference('ada@example.com'))
    expect(found.map(({ userId }) => userId)).toEqual(['usr_1'])
  })
})
