/** Challenges are found, reserved and consumed with their exact key, and only once. */

import { beforeEach, describe, expect, test } from 'vitest'
import { type TestContext, testContext } from '../../testing/context.ts'
import { collectExpiryRules, createForget } from '../capability.ts'
import { cleanUp } from '../db/cleanup.ts'
import { forEachEngine } from '../db/test-engines.ts'
import { challenges } from './capability.ts'
import {
  type ChallengeKey,
  consumeChallenge,
  findChallenge,
  putChallenge,
  releaseChallenge,
  reserveChallenge,
  updateChallengeData,
} from './challenges.ts'

const key: ChallengeKey = {
  appId: 'app',
  purpose: 'passkey/login',
  id: 'one',
  userId: 'ada',
  binding: 'browser',
}
const others = [
  { appId: 'other' },
  { id: 'two' },
  { purpose: 'passkey/link' },
  { purpose: 'siwe' },
  { userId: 'ben' },
  { userId: '' },
  { binding: 'another' },
] as const

forEachEngine((database) => {
  let context: TestContext
  beforeEach(async () => {
    context = await testContext(database())
    await context.transaction((trx) =>
      putChallenge(trx, key, { nowSeconds: 40, seconds: 60 }, { origin: 'https://app.example' }),
    )
  })
  const found = { data: '{"origin":"https://app.example"}', createdAt: 40 }
  const find = (change: Partial<ChallengeKey> = {}, atSeconds = 99) =>
    findChallenge(context.db, { ...key, ...change }, atSeconds)
  const useUp = (change: Partial<ChallengeKey> = {}, how: Parameters<typeof consumeChallenge>[2] = {}) =>
    context.transaction((trx) => consumeChallenge(trx, { ...key, ...change }, how))
  const hold = (heldBy: string, change: Partial<ChallengeKey> = {}, atSeconds = 99) =>
    context.transaction((trx) => reserveChallenge(trx, { ...key, ...change }, heldBy, atSeconds))

  test.each(others)('a key with %j does not find, reserve or consume the challenge', async (change) => {
    expect(await find(change)).toBeUndefined()
    expect(await hold('call', change)).toBeUndefined()
    expect(await useUp(change)).toBe(false)
    expect(await find()).toEqual(found)
    expect(await useUp()).toBe(true)
    expect(await useUp()).toBe(false)
    expect(await find()).toBeUndefined()
  })

  test('a challenge is valid until it expires', async () => {
    expect(await find({}, 100)).toBeUndefined()
    expect(await hold('call', {}, 100)).toBeUndefined()
    expect(await useUp({}, { livingAt: 100 })).toBe(false)
    expect(await hold('call', {}, 99)).toEqual(found)
    expect(await useUp({}, { livingAt: 99 })).toBe(true)
  })

  test('changes the data of one challenge only', async () => {
    await context.transaction((trx) =>
      putChallenge(trx, { ...key, id: 'two' }, { nowSeconds: 40, seconds: 60 }),
    )
    await updateChallengeData(context.db, key, { approved: true })
    expect(await find()).toEqual({ ...found, data: '{"approved":true}' })
    expect(await find({ id: 'two' })).toEqual({ ...found, data: 'null' })
  })

  describe('a reserved challenge', () => {
    test('a challenge can be reserved again by the same call only', async () => {
      expect(await hold('call')).toEqual(found)
      expect(await hold('other')).toBeUndefined()
      expect(await hold('call')).toEqual(found)
    })

    test('a reserved challenge can be consumed by its call only', async () => {
      await hold('call')
      expect(await useUp({}, { heldBy: 'other' })).toBe(false)
      expect(await useUp({}, { heldBy: 'call' })).toBe(true)
      expect(await useUp({}, { heldBy: 'call' })).toBe(false)
    })

    test('a reserved challenge can be released by its call only, and then reserved by another', async () => {
      await hold('call')
      await releaseChallenge(context.db, key, 'other')
      expect(await hold('other')).toBeUndefined()
      await releaseChallenge(context.db, key, 'call')
      expect(await useUp({}, { heldBy: 'call' })).toBe(false)
      expect(await hold('other')).toEqual(found)
    })
  })

  test('deletes the challenges of a deleted user and no others', async () => {
    const ofBen = { ...key, id: 'two', userId: 'ben' }
    await context.transaction((trx) => putChallenge(trx, ofBen, { nowSeconds: 40, seconds: 60 }))
    const ada = { appId: 'app', userId: 'ada', identifiers: [], nowSeconds: 50 }
    await context.transaction((trx) => createForget([challenges])(trx, ada))
    expect(await find()).toBeUndefined()
    expect(await find(ofBen)).toBeDefined()
  })

  test('cleans up expired challenges', async () => {
    const soon = { ...key, id: 'soon' }
    const now = context.clock.nowMs() / 1_000
    await context.transaction((trx) => putChallenge(trx, soon, { nowSeconds: now, seconds: 60 }))
    context.clock.advanceSeconds(59)
    await cleanUp(database(), context.clock, collectExpiryRules([challenges]))
    expect(await find(soon, 0)).toBeDefined()
    context.clock.advanceSeconds(1)
    await cleanUp(database(), context.clock, collectExpiryRules([challenges]))
    expect(await find(soon, 0)).toBeUndefined()
  })
})
