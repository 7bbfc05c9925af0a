/** Pending OAuth logins: each is opened, answered and used separately, and once. */
import { beforeEach, expect, test } from 'vitest'
import { forEachEngine } from '../../kernel/db/test-engines.ts'
import { type TestContext, testContext } from '../../testing/context.ts'
import { insertWindow, windowId } from '../window/store.ts'
import * as store from './store.ts'
import { oauthTables } from './testing/fixture.ts'

const data: store.FlowData = {
  provider: 'google',
  codeChallenge: 'challenge',
  stateCode: 'state',
  redirectTo: 'https://app.example/',
  proofKey: null,
}
const window = (handle: string) => ({
  id: windowId(handle),
  app_id: 'app',
  purpose: 'oauth' as const,
  binding: 'browser',
  relay_challenge: null,
  start_key: null,
  digits: null,
  origin: null,
  browser_hash: null,
  data: JSON.stringify(data),
  answer: null,
  failure: null,
  used_at: null,
  created_at: 1,
  expires_at: 100,
})
const flow = (handle: string): Partial<store.Flow> => ({
  ...data,
  handle,
  appId: 'app',
  binding: 'browser',
  relayChallenge: null,
  answer: null,
  failure: null,
})

forEachEngine((database) => {
  let context: TestContext
  beforeEach(async () => {
    context = await testContext(database())
    for (const handle of ['one', 'other']) await insertWindow(context.db, window(handle))
  })
  const answer = (handle: string) =>
    store.answerFlow(context.db, handle, { answer: handle, failure: null }, 99)
  const use = (handle: string, atSeconds = 99) => store.useFlow(context.db, handle, atSeconds)

  test('a flow is found by its own handle, until it expires', async () => {
    expect(await store.findFlow(context.db, 'one', 99)).toMatchObject(flow('one'))
    expect(await store.findFlow(context.db, 'one', 100)).toBeUndefined()
    expect(await store.findFlow(context.db, 'neither', 99)).toBeUndefined()
  })

  test('a flow is not found by a handle of another purpose', async () => {
    const other = { ...window('telegram'), purpose: 'telegram' as const }
    await insertWindow(context.db, other)
    expect(await answer('telegram')).toBeUndefined()
    expect(await store.findFlow(context.db, 'telegram', 99)).toBeUndefined()
    expect(await store.findFlows(context.db, ['one', 'telegram'], 99)).toMatchObject([flow('one')])
  })

  test('the provider’s first answer is kept', async () => {
    expect(await answer('one')).toMatchObject({ answer: 'one' })
    const failure = { answer: null, failure: 'oauth_unexpected' } as const
    expect(await store.answerFlow(context.db, 'one', failure, 99)).toBeUndefined()
    expect(await store.answerFlow(context.db, 'other', failure, 99)).toMatchObject(failure)
    expect(await answer('other')).toBeUndefined()
    expect(await use('other')).toBeUndefined()
  })

  test('a flow is used separately, once, before it expires, and only after its answer', async () => {
    expect(await use('one')).toBeUndefined()
    for (const handle of ['one', 'other']) expect(await answer(handle)).toMatchObject({ answer: handle })
    expect(await use('one', 100)).toBeUndefined()
    expect(await use('one')).toMatchObject({ handle: 'one', answer: 'one' })
    expect(await use('one')).toBeUndefined()
    expect(await use('other')).toMatchObject({ handle: 'other', answer: 'other' })
  })
}, oauthTables)
