/** Codes that somebody else makes: whose guess is passed on, what it costs, and what is used up by the right one. */
import { beforeEach, describe, expect, test } from 'vitest'
import { forEachEngine } from '../../kernel/db/test-engines.ts'
import { type TestContext, testContext } from '../../testing/context.ts'
import {
  bindingHash,
  type CodeKey,
  type CodePurpose,
  giveBackOrder,
  holdVerification,
  keepVerification,
  orderElsewhere,
  useUpVerification,
  wrongCode,
} from './codes.ts'

const login: CodePurpose = { name: 'test-login', channel: 'email', digits: 6, seconds: 600 }
const mfa: CodePurpose = { name: 'test-mfa', channel: 'email', digits: 6, seconds: 600 }
const tooMany = { code: 'too_many_requests' }
const own: CodeKey = {
  appId: 'app',
  purpose: login,
  identifier: '+15550100',
  binding: bindingHash('own'),
}
/** Each differs from it in one thing. */
const others: readonly (readonly [string, CodeKey])[] = [
  ['app', { ...own, appId: 'other' }],
  ['purpose', { ...own, purpose: mfa }],
  ['number', { ...own, identifier: '+15550101' }],
  ['browser', { ...own, binding: bindingHash('another') }],
]

forEachEngine((database) => {
  let context: TestContext
  beforeEach(async () => {
    context = await testContext(database())
  })
  const keep = (key: CodeKey, verification: string) =>
    context.transaction((trx) => keepVerification(trx, context, key, verification))
  const hold = (key: CodeKey, address?: string) =>
    context.transaction((trx) => holdVerification(trx, context, key, { address }))
  const order = (key: CodeKey) =>
    context.transaction((trx) => orderElsewhere(trx, context, key, { address: undefined }))
  const held = async (key: CodeKey) => (await hold(key)).verification

  describe('a verification', () => {
    test.each(others)('is not that of another %s', async (_name, key) => {
      await keep(own, 'its id')
      expect(await held(key)).toBeUndefined()
      await keep(key, 'another id')
      expect([await held(own), await held(key)]).toEqual(['its id', 'another id'])
    })

    test('is held for ten minutes, however often it is looked for', async () => {
      await keep(own, 'its id')
      context.clock.advanceSeconds(300)
      expect(await held(own)).toBe('its id')
      context.clock.advanceSeconds(299)
      expect(await held(own)).toBe('its id')
      context.clock.advanceSeconds(1)
      expect(await held(own)).toBeUndefined()
    })

    test('takes the place of the one before', async () => {
      await keep(own, 'first')
      await keep(own, 'second')
      expect(await held(own)).toBe('second')
    })

    test('is used up by the right guess, alone', async () => {
      for (const [, key] of others) await keep(key, 'its id')
      await keep(own, 'its id')
      const guess = await hold(own)
      await context.transaction((trx) => useUpVerification(trx, own, guess))
      expect(await held(own)).toBeUndefined()
      for (const [name, key] of others) expect(await held(key), name).toBe('its id')
    })

    test('that took its place meanwhile is not used up', async () => {
      await keep(own, 'first')
      const guess = await hold(own)
      await keep(own, 'second')
      await context.transaction((trx) => useUpVerification(trx, own, guess))
      expect(await held(own)).toBe('second')
    })
  })

  describe('a guess', () => {
    test('costs the number, five in ten minutes, and the sixth is passed on to nobody', async () => {
      await keep(own, 'its id')
      for (let turn = 0; turn < 5; turn += 1) expect(await held(own)).toBe('its id')
      await expect(hold(own)).rejects.toMatchObject(tooMany)
      context.clock.advanceSeconds(600)
      await keep(own, 'its id')
      expect(await held(own)).toBe('its id')
    })

    test('that was right costs nothing', async () => {
      for (let turn = 0; turn < 7; turn += 1) {
        await keep(own, 'its id')
        const guess = await hold(own)
        await context.transaction((trx) => useUpVerification(trx, own, guess))
      }
      expect(await context.db.selectFrom('codes').selectAll().execute()).toEqual([])
    })

    test('without a code costs the number nothing, and its network something', async () => {
      const guessAt = (address: string) => hold({ ...own, binding: bindingHash('stranger') }, address)
      const counted = async () =>
        (await context.db.selectFrom('attempts').select('key').execute()).map(({ key }) => key)
      await guessAt('203.0.113.7')
      expect(await counted()).toEqual([expect.stringContaining('203.0.113.7')])
      await keep(own, 'its id')
      for (let turn = 0; turn < 5; turn += 1) expect(await held(own)).toBe('its id')
    })
  })

  test('five are sent to a number in ten minutes, not counting those that were given back', async () => {
    for (let turn = 0; turn < 7; turn += 1) await giveBackOrder(context, await order(own))
    for (let turn = 0; turn < 5; turn += 1) await order(own)
    await expect(order(own)).rejects.toMatchObject(tooMany)
    await order({ ...own, identifier: '+15550101' })
  })
})

test('a wrong code is told as what it is, and no more', () => {
  expect(wrongCode()).toMatchObject({ code: 'invalid_credentials', details: undefined })
})
