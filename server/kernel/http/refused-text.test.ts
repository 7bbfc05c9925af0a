/** A text that got past every schema, and that the database does not take. */
import { LatchkeyError } from '@latchkey/protocol'
import { sql } from 'kysely'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { createApp } from '../../start/app.ts'
import { testContext } from '../../testing/context.ts'
import { listeningLog } from '../../testing/log.ts'
import type { Database } from '../db/database.ts'
import { forEachEngine, forPostgres } from '../db/test-engines.ts'
import { endpoint } from './endpoint.ts'

const row = {
  method: 'GET',
  path: '/texts/{text}',
  auth: 'none',
  forks: true,
  effect: 'reads',
  appHeader: false,
  output: v.object({}),
} as const

async function openWith(database: Database, answer: (text: string) => Promise<object>) {
  const { log, logged } = listeningLog()
  const context = await testContext(database, { log })
  const texts = { name: 'texts', endpoints: [endpoint(row, ({ params }) => answer(params.text ?? ''))] }
  const server = createApp(context, { isMigrated: async () => true }, [texts])
  const { dialogOrigin } = context.config
  const ask = async (text: string) => {
    const path = `${dialogOrigin}/api/v1/texts/${encodeURIComponent(text)}`
    const answered = await server.request(path, { headers: { host: new URL(dialogOrigin).host } })
    return { status: answered.status, answer: await answered.json() }
  }
  return { ask, logged }
}
const wrongData = { status: 422, answer: { code: 'invalid_data' } }
const warning = { level: 40, pattern: '/api/v1/texts/:text' }

forEachEngine((database) => {
  test('is wrong data of whoever called, and a warning that names the call and nothing of what it brought', async () => {
    const { ask, logged } = await openWith(database(), (text) =>
      Promise.reject(Object.assign(new Error(`invalid byte sequence in ${text}`), { code: '22021' })),
    )
    expect(await ask('a secret\0')).toMatchObject(wrongData)
    expect(logged()).toEqual([expect.objectContaining(warning)])
    expect(JSON.stringify(logged())).not.toContain('secret')
  })

  test('is told apart from what a schema refused, which is no mistake of ours', async () => {
    const { ask, logged } = await openWith(database(), () =>
      Promise.reject(new LatchkeyError('invalid_data', 'Too long')),
    )
    expect(await ask('a secret')).toMatchObject(wrongData)
    expect(logged()).toEqual([])
  })
})

forPostgres((database) => {
  test('is what PostgreSQL refuses, and another text is not', async () => {
    const { ask, logged } = await openWith(database(), async (text) => {
      await sql`select cast(${text} as text)`.execute(database().db)
      return {}
    })
    expect(await ask('a secret')).toMatchObject({ status: 200 })
    expect(logged()).toEqual([])
    expect(await ask('a secret\0')).toMatchObject(wrongData)
    expect(logged()).toEqual([expect.objectContaining(warning)])
  })
})
