/** Logins at a provider that are under way: that each is opened, answered and used alone, and once. */
import { beforeEach, expect, test } from 'vitest'
import { forEachEngine } from '../../kernel/db/test-engines.ts'
import { type TestContext, testContext } from '../../testing/context.ts'
import * as store from './store.ts'
import { oauthTables } from './testing/world.ts'

const flow = (handle: string): store.Flow => ({
  handle,
  app_id: 'app',
  provider: 'google',
  binding: 'browser',
  code_challenge: 'challenge',
  state_code: 'state',
  relay_challenge: null,
  redirect_to: 'https://app.example/',
  proof_key: null,
  answer: null,
  failure: null,
  used_at: null,
  expires_at: 100,
})

forEachEngine((database) => {
  let context: TestContext
  beforeEach(async () => {
    context = await testContext(database())
    for (const handle of ['one', 'other']) await store.insertFlow(context.db, flow(handle))
  })
  const answer = (handle: string) => store.answerFlow(context.db, handle, { answer: handle, failure: null })
  const use = (handle: string, atSeconds = 99) => store.useFlow(context.db, handle, atSeconds)

  test('each is found alone, and in time', async () => {
    expect(await store.findFlow(context.db, 'one', 99)).toMatchObject(flow('one'))
    expect(await store.findFlow(context.db, 'one', 100)).toBeUndefined()
    expect(await store.findFlow(context.db, 'neither', 99)).toBeUndefined()
  })

  test('each is used alone, once, in time, and after it was answered', async () => {
    expect(await use('one')).toBeUndefined()
    for (const handle of ['one', 'other']) expect(await answer(handle)).toMatchObject({ answer: handle })
    expect(await use('one', 100)).toBeUndefined()
    expect(await use('one')).toMatchObject({ handle: 'one', answer: 'one', used_at: 99 })
    expect(await use('one')).toBeUndefined()
    expect(await use('other')).toMatchObject({ handle: 'other', answer: 'other', used_at: 99 })
  })
}, oauthTables)
