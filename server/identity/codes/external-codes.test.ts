/** Codes of third parties: which guesses are forwarded, their charges, and consumption by a right guess. */
import { beforeEach, describe, expect, test } from 'vitest'
import { forEachEngine } from '../../kernel/db/test-engines.ts'
import { type TestContext, testContext } from '../../testing/context.ts'
import {
  type CodeKey,
  type CodePurpose,
  consumeVerification,
  hashBinding,
  lockVerification,
  orderExternalCode,
  refundOrder,
  storeVerification,
  wrongCode,
} from './codes.ts'

const login: CodePurpose = { name: 'test-login', channel: 'email', digits: 6, seconds: 600 }
const mfa: CodePurpose = { name: 'test-mfa', channel: 'email', digits: 6, seconds: 600 }
const tooMany = { code: 'too_many_requests' }
const own: CodeKey = {
  appId: 'app',
  purpose: login,
  identifier: '+15550100',
  binding: hashBinding('own'),
}
/** Keys that differ from `own` in one property each. */
const others: readonly (readonly [string, CodeKey])[] = [
  ['app', { ...own, appId: 'other' }],
  ['purpose', { ...own, purpose: mfa }],
  ['number', { ...own, identifier: '+15550101' }],
  ['browser', { ...own, binding: hashBinding('another') }],
]

forEachEngine((database) => {
  let context: TestContext
  beforeEach(async () => {
    context = await testContext(database())
  })
  const keep = (key: CodeKey, verification: string) =>
    context.transaction((trx) => storeVerification(trx, context, key, verification))
  const hold = (key: CodeKey, address?: string) =>
    context.transaction((trx) => lockVerification(trx, context, key, { address }))
  const order = (key: CodeKey) =>
    context.transaction((trx) => orderExternalCode(trx, context, key, { address: undefined }))
  const held = async (key: CodeKey) => (await hold(key)).verification

  describe('a verification', () => {
    test.each(others)('a verification is not found for another %s', async (_name, key) => {
      await keep(own, 'its id')
      expect(await held(key)).toBeUndefined()
      await keep(key, 'another id')
      expect([await held(own), await held(key)]).toEqual(['its id', 'another id'])
    })

    test('a verification stays valid for ten minutes, regardless of reads', async () => {
      await keep(own, 'its id')
      context.clock.advanceSeconds(300)
      expect(await held(own)).toBe('its id')
      context.clock.advanceSeconds(299)
      expect(await held(own)).toBe('its id')
      context.clock.advanceSeconds(1)
      expect(await held(own)).toBeUndefined()
    })

    test('a verification replaces the previous one', async () => {
      await keep(own, 'first')
      await keep(own, 'second')
      expect(await held(own)).toBe('second')
    })

    test('a right guess removes only its own verification', async () => {
      for (const [, key] of others) await keep(key, 'its id')
      await keep(own, 'its id')
      const guess = await hold(own)
      await context.transaction((trx) => consumeVerification(trx, own, guess))
      expect(await held(own)).toBeUndefined()
      for (const [name, key] of others) expect(await held(key), name).toBe('its id')
    })

    test('a right guess does not remove a newer verification', async () => {
      await keep(own, 'first')
      const guess = await hold(own)
      await keep(own, 'second')
      await context.transaction((trx) => consumeVerification(trx, own, guess))
      expect(await held(own)).toBe('second')
    })
  })

  describe('a guess', () => {
    test('guesses are charged to the number, and the sixth in ten minutes is not forwarded', async () => {
      await keep(own, 'its id')
      for (let turn = 0; turn < 5; turn += 1) expect(await held(own)).toBe('its id')
      await expect(hold(own)).rejects.toMatchObject(tooMany)
      context.clock.advanceSeconds(600)
      await keep(own, 'its id')
      expect(await held(own)).toBe('its id')
    })

    test('a right guess is not charged', async () => {
      for (let turn = 0; turn < 7; turn += 1) {
        await keep(own, 'its id')
        const guess = await hold(own)
        await context.transaction((trx) => consumeVerification(trx, own, guess))
      }
      expect(await context.db.selectFrom('codes').selectAll().execute()).toEqual([])
    })

    test('a guess without a code is charged to its network, not to the number', async () => {
      const guessAt = (address: string) => hold({ ...own, binding: hashBinding('stranger') }, address)
      const counted = async () =>
        (await context.db.selectFrom('attempts').select('key').execute()).map(({ key }) => key)
      await guessAt('203.0.113.7')
      expect(await counted()).toEqual([expect.stringContaining('203.0.113.7')])
      await keep(own, 'its id')
      for (let turn = 0; turn < 5; turn += 1) expect(await held(own)).toBe('its id')
    })
  })

  test('sends to a number are limited to five in ten minutes, not counting refunds', async () => {
    for (let turn = 0; turn < 7; turn += 1) await refundOrder(context, await order(own))
    for (let turn = 0; turn < 5; turn += 1) await order(own)
    await expect(order(own)).rejects.toMatchObject(tooMany)
    await order({ ...own, identifier: '+15550101' })
  })
})

test('a wrong code has the same error as any other failure', () => {
  expect(wrongCode()).toMatchObject({ code: 'invalid_credentials', details: undefined })
})
