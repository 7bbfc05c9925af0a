/** Tests of codes that the e-mail login does not cover: independent purposes, and the charges of a guess. */
import { beforeEach, describe, expect, test } from 'vitest'
import { forEachEngine } from '../../kernel/db/test-engines.ts'
import { rotatePepper } from '../../kernel/keys/rotation.ts'
import { type TestContext, testContext } from '../../testing/context.ts'
import {
  type CodeKey,
  type CodePurpose,
  consumeCode,
  deriveCode,
  hashBinding,
  orderCode,
  rememberBrowser,
} from './codes.ts'
import { putKnownBrowser } from './store.ts'

const login: CodePurpose = { name: 'test-login', channel: 'email', digits: 6, seconds: 600 }
const mfa: CodePurpose = { name: 'test-mfa', channel: 'email', digits: 6, seconds: 300 }
const tooMany = { code: 'too_many_requests' }

forEachEngine((database) => {
  let context: TestContext
  beforeEach(async () => {
    context = await testContext(database())
  })

  const keyFor = (purpose: CodePurpose, browser = 'own'): CodeKey => ({
    appId: 'app',
    purpose,
    identifier: '+15550100',
    binding: hashBinding(browser),
  })
  const sent = async (key: CodeKey) =>
    deriveCode(
      context,
      key,
      await context.transaction((trx) => orderCode(trx, context, key, { address: undefined }, undefined)),
    )
  const guess = (key: CodeKey, code: string, address?: string) =>
    context.transaction((trx) => consumeCode(trx, context, key, { code, address }))
  const wrongFor = (code: string) => (code === '000000' ? '111111' : '000000')

  test('codes are distributed evenly', () => {
    const firsts = new Map<string, number>()
    for (let drawn = 0; drawn < 2_000; drawn += 1) {
      const order = { seed: String(drawn), orderedAt: 0, taken: [] }
      const [first = ''] = deriveCode(context, keyFor(login), order)
      firsts.set(first, (firsts.get(first) ?? 0) + 1)
    }
    expect(firsts.size).toBe(10)
    for (const count of firsts.values()) expect(count).toBeGreaterThan(130)
  })

  describe('a code purpose', () => {
    test('a purpose has its own codes, which are invalid for another purpose', async () => {
      const order = await context.transaction((trx) =>
        orderCode(trx, context, keyFor(login), { address: undefined }, undefined),
      )
      const code = deriveCode(context, keyFor(login), order)
      expect(deriveCode(context, keyFor(mfa), order)).not.toBe(code)
      await sent(keyFor(mfa))
      expect(await guess(keyFor(mfa), code)).toBe(false)
      expect(await guess(keyFor(login), code)).toBe(true)
    })

    test('a purpose defines the lifetime of its codes', async () => {
      const [forLogin, forMfa] = [await sent(keyFor(login)), await sent(keyFor(mfa))]
      context.clock.advanceSeconds(300)
      expect(await guess(keyFor(mfa), forMfa)).toBe(false)
      expect(await guess(keyFor(login), forLogin)).toBe(true)
    })

    test('a purpose has its own quotas for guesses and sends', async () => {
      for (let turn = 0; turn < 5; turn += 1) await sent(keyFor(login))
      const code = await sent(keyFor(mfa))
      await expect(sent(keyFor(login))).rejects.toMatchObject(tooMany)
      for (let turn = 0; turn < 5; turn += 1) await guess(keyFor(login), '000000')
      await expect(guess(keyFor(login), '000000')).rejects.toMatchObject(tooMany)
      expect(await guess(keyFor(mfa), code)).toBe(true)
    })
  })

  test('a code survives a pepper rotation and can still be used once', async () => {
    const key = keyFor(login)
    await rotatePepper({ ...context, database: database() })
    await context.keyring.refresh()
    context.clock.advanceSeconds(1_100)
    const code = await sent(key)
    context.clock.advanceSeconds(100)
    const other = await sent(keyFor(login, 'other'))
    const kept = await context.db.selectFrom('codes').select('code_hash').execute()
    const named = new RegExp(`^${context.keyring.pepperInUse()}\\.`)
    expect(kept.filter(({ code_hash }) => named.test(code_hash))).toHaveLength(1)
    expect(await guess(key, wrongFor(code))).toBe(false)
    expect(await guess(key, code)).toBe(true)
    expect(await guess(key, code)).toBe(false)
    expect(await guess(keyFor(login, 'other'), other)).toBe(true)
  })

  test('using a code leaves codes of other apps, purposes, addresses and browsers intact', async () => {
    const own = keyFor(login)
    const others: readonly CodeKey[] = [
      { ...own, appId: 'another' },
      { ...own, purpose: mfa },
      { ...own, identifier: '+15550199' },
      { ...own, binding: hashBinding('another') },
    ]
    const codes = new Map<CodeKey, string>()
    for (const key of [own, ...others]) codes.set(key, await sent(key))
    // The right row must not be the first by chance.
    for (const [key, code] of [...codes].reverse()) {
      const ofAnother = [...codes.values()].find((other) => other !== code) ?? ''
      expect(await guess(key, ofAnother)).toBe(false)
      expect(await guess(key, code)).toBe(true)
      expect(await guess(key, code)).toBe(false)
    }
  })

  describe('the quota of a known browser', () => {
    const useUp = async (key: CodeKey) => {
      await sent(key)
      for (let turn = 0; turn < 5; turn += 1) await guess(key, '000000')
    }
    const remember = (key: CodeKey) => context.transaction((trx) => rememberBrowser(trx, context, key))

    test('a browser has its own quota for the app and address of its login only', async () => {
      const own = keyFor(login)
      await remember({ ...own, appId: 'another' })
      await remember({ ...own, identifier: '+15550199' })
      await remember({ ...own, binding: hashBinding('another') })
      await sent(own)
      await useUp(keyFor(login, 'stranger'))
      await expect(guess(own, '000000')).rejects.toMatchObject(tooMany)
      await remember(own)
      expect(await guess(own, '000000')).toBe(false)
    })

    test('a client without a binding never has its own quota', async () => {
      const nobody = { ...keyFor(login), binding: '' }
      await remember(nobody)
      expect(await context.db.selectFrom('known_browsers').selectAll().execute()).toEqual([])
      await context.transaction((trx) => putKnownBrowser(trx, nobody, 0))
      await sent(nobody)
      await useUp(keyFor(login, 'stranger'))
      await expect(guess(nobody, '000000')).rejects.toMatchObject(tooMany)
    })
  })

  describe('a guess without a code', () => {
    const stray = (turn: number, address?: string) => guess(keyFor(login, `stray ${turn}`), '000000', address)

    test('a guess without a code is charged to its network, for any browser and code', async () => {
      const code = await sent(keyFor(login))
      for (let turn = 0; turn < 50; turn += 1) expect(await stray(turn, '203.0.113.7')).toBe(false)
      await expect(stray(50, '203.0.113.7')).rejects.toMatchObject(tooMany)
      const atAnother = { ...keyFor(mfa, 'stray'), identifier: '+15550101' }
      await expect(guess(atAnother, '000000', '203.0.113.7')).rejects.toMatchObject(tooMany)
      expect(await stray(51, '203.0.113.8')).toBe(false)
      // A guess with an outstanding code does not use the network's quota.
      expect(await guess(keyFor(login), wrongFor(code), '203.0.113.7')).toBe(false)
      expect(await guess(keyFor(login), code, '203.0.113.7')).toBe(true)
    })

    test('a guess without a code is not charged if the address is unknown', async () => {
      for (let turn = 0; turn < 60; turn += 1) expect(await stray(turn)).toBe(false)
    })

    test('a guess after the code expired or was used counts as one without a code', async () => {
      const code = await sent(keyFor(login))
      await guess(keyFor(login), code)
      for (let turn = 0; turn < 6; turn += 1) expect(await guess(keyFor(login), code)).toBe(false)
      const late = await sent(keyFor(login))
      context.clock.advanceSeconds(600)
      for (let turn = 0; turn < 6; turn += 1) expect(await guess(keyFor(login), late)).toBe(false)
    })
  })
})
