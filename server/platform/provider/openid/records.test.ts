import { beforeEach, expect, test } from 'vitest'
import { collectExpiryRules } from '../../../kernel/capability.ts'
import { cleanUp } from '../../../kernel/db/cleanup.ts'
import { forEachEngine } from '../../../kernel/db/test-engines.ts'
import { rotatePepper } from '../../../kernel/keys/rotation.ts'
import { isPepperUsed } from '../../../kernel/keys/store.ts'
import { type TestContext, testContext } from '../../../testing/context.ts'
import { provider } from '../capability.ts'
import { providerTables } from '../tables.ts'
import {
  addRecord,
  consumeRecord,
  findRecord,
  prolongGrant,
  putRecord,
  removeOfClient,
  removeOfGrant,
} from './records.ts'

const appId = 'a'.repeat(25)
const name = { appId, kind: 'RefreshToken', id: 'a token' }
const payload = { accountId: 'usr_1', clientId: 'notes', grantId: 'grant', scope: 'openid' }

forEachEngine((database, engine) => {
  let context: TestContext
  beforeEach(async () => {
    context = await testContext(database())
  })
  const put = (id: string, change: object = {}, kind = 'RefreshToken') =>
    putRecord(database().db, context, { appId, kind, id }, { ...payload, ...change }, 60)
  const find = (id = name.id, kind = name.kind, of = appId) =>
    findRecord(database().db, context, { appId: of, kind, id })
  const count = async () =>
    (await providerTables(database().db).selectFrom('openid_records').select('id').execute()).length

  test('finds a record by name, app and kind until it expires', async () => {
    await put(name.id)
    expect(await find()).toEqual(payload)
    expect(await find('another')).toBeUndefined()
    expect(await find(name.id, 'AccessToken')).toBeUndefined()
    expect(await find(name.id, name.kind, 'b'.repeat(25))).toBeUndefined()
    await put(name.id, { scope: 'openid profile' })
    expect(await find()).toMatchObject({ scope: 'openid profile' })
    context.clock.advanceSeconds(59)
    expect(await find()).toBeDefined()
    context.clock.advanceSeconds(1)
    expect(await find()).toBeUndefined()
    await cleanUp({ db: database().db, engine }, context.clock, collectExpiryRules([provider]))
    expect(await count()).toBe(0)
  })

  test('one of several concurrent uses is the first, and the use is recorded', async () => {
    await put(name.id)
    const used = await Promise.all(
      Array.from({ length: 8 }, () => consumeRecord(database().db, context, name)),
    )
    expect(used.filter((isFirst) => isFirst)).toHaveLength(1)
    expect(await find()).toMatchObject({ consumed: Math.floor(context.clock.nowMs() / 1_000) })
    expect(await consumeRecord(database().db, context, { ...name, id: 'another' })).toBe(false)
  })

  test('one of several concurrent inserts of one name succeeds', async () => {
    const said = { ...name, kind: 'ReplayDetection' }
    const added = await Promise.all(
      Array.from({ length: 8 }, () => addRecord(database().db, context, said, {}, 60)),
    )
    expect(added.filter((isFirst) => isFirst)).toHaveLength(1)
  })

  test('deletes the records of a grant, and of a client of a user, together', async () => {
    await put('one')
    await put('two', { grantId: 'another' })
    await put('three', {}, 'AccessToken')
    await removeOfGrant(database().db, { appId, kind: 'RefreshToken', grantId: 'grant' })
    expect(await Promise.all([find('one'), find('two'), find('three', 'AccessToken')])).toEqual([
      undefined,
      expect.anything(),
      expect.anything(),
    ])
    await put('four', { accountId: 'usr_2' })
    await context.transaction((trx) => removeOfClient(trx, { appId, clientId: 'notes', userId: 'usr_1' }))
    expect(await count()).toBe(1)
    await context.transaction((trx) => removeOfClient(trx, { appId, clientId: 'notes' }))
    expect(await count()).toBe(0)
  })

  test('extends a grant to the lifetime of its tokens', async () => {
    await put('grant', {}, 'Grant')
    context.clock.advanceSeconds(50)
    await prolongGrant(database().db, context, { appId, id: 'grant' }, 60)
    context.clock.advanceSeconds(50)
    expect(await find('grant', 'Grant')).toBeDefined()
  })

  test('a pepper is kept as long as a record uses it', async () => {
    const isNamed = (pepper: string) => isPepperUsed(database().db, pepper, provider.peppered ?? [])
    const first = context.keyring.pepperInUse()
    expect(await isNamed(first)).toBe(false)
    await put(name.id)
    expect(await isNamed(first)).toBe(true)
    const second = await rotatePepper({ database: database(), kms: context.kms, clock: context.clock })
    expect(await isNamed(second)).toBe(false)
    context.clock.advanceSeconds(1_300)
    await context.keyring.refresh()
    expect(context.keyring.pepperInUse()).toBe(second)
    await put('later')
    expect(await isNamed(second)).toBe(true)
    expect(await find('later')).toEqual(payload)
  })
})
