/** Pages and searches of users. `platform/admin/user-calls.test.ts` tests their results. */
import { CompiledQuery, type KyselyPlugin, sql } from 'kysely'
import { expect, test } from 'vitest'
import { forEachEngine } from '../../kernel/db/test-engines.ts'
import type { Reader } from '../../kernel/ports.ts'
import { findUsersByPrefix, readUsersPage } from './users.ts'

const appId = 'a'.repeat(25)
const position = { at: 1, id: 'usr_1' }

forEachEngine((database, engine) => {
  /** Returns the plan of the first query, without sequential scans where the engine has a choice. */
  async function plan(read: (reader: Reader) => Promise<unknown>): Promise<string> {
    const { db, transaction } = database()
    const queries: CompiledQuery[] = []
    const recording: KyselyPlugin = {
      transformQuery({ node, queryId }) {
        queries.push(db.getExecutor().compileQuery(node, queryId))
        return node
      },
      transformResult: async ({ result }) => result,
    }
    await read(db.withPlugin(recording))
    const { sql: text, parameters } = queries[0] ?? { sql: '', parameters: [] }
    return transaction(async (trx) => {
      if (engine === 'postgres') {
        await sql`set local enable_seqscan = off`.execute(trx)
        await sql`set local enable_bitmapscan = off`.execute(trx)
      }
      const explain = engine === 'postgres' ? 'explain' : 'explain query plan'
      const { rows } = await trx.executeQuery<object>(
        CompiledQuery.raw(`${explain} ${text}`, [...parameters]),
      )
      return rows.map((row) => Object.values(row).join(' ')).join('\n')
    })
  }

  test.each([
    ['the first page', {}, undefined, 'users_by_age'],
    ['a later page', {}, position, 'users_by_age'],
    ['users of a month', { createdFrom: 1, createdBefore: 2 }, position, 'users_by_age'],
    ['blocked users', { isBlocked: true }, position, 'users_by_block'],
  ])('reads %s in the order of an index, without a sort', async (_, filter, after, index) => {
    const text = await plan((reader) => readUsersPage(reader, { appId, ...filter }, after, 100))
    expect(text).toContain(index)
    expect(text).not.toMatch(/Sort|TEMP B-TREE|SCAN users|Seq Scan/)
  })

  test('finds a prefix in the order of an index, without a sort', async () => {
    const search = { appId, type: 'email', prefix: 'ada', limit: 20 }
    const text = await plan((reader) => findUsersByPrefix(reader, search))
    expect(text).toMatch(
      engine === 'postgres' ? /linked_accounts_by_prefix/ : /SEARCH.*identifier>\? AND identifier</,
    )
    expect(text).not.toMatch(/Sort|TEMP B-TREE|Seq Scan/)
  })
})
