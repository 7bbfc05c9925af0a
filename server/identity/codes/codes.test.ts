/** What login by e-mail does not show of the codes: that each purpose is by itself, and whom a guess costs. */
import { beforeEach, describe, expect, test } from 'vitest'
import { forEachEngine } from '../../kernel/db/test-engines.ts'
import { rotatePepper } from '../../kernel/keys/rotation.ts'
import { type TestContext, testContext } from '../../testing/context.ts'
import {
  bindingHash,
  type CodeKey,
  type CodePurpose,
  codeOf,
  orderCode,
  rememberBrowser,
  takeCode,
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
    binding: bindingHash(browser),
  })
  const sent = async (key: CodeKey) =>
    codeOf(
      context,
      key,
      await context.transaction((trx) => orderCode(trx, context, key, { address: undefined }, undefined)),
    )
  const guess = (key: CodeKey, code: string, address?: string) =>
    context.transaction((trx) => takeCode(trx, context, key, { code, address }))
  const wrongFor = (code: string) => (code === '000000' ? '111111' : '000000')

  test('codes are spread evenly', () => {
    const firsts = new Map<string, number>()
    for (let drawn = 0; drawn < 2_000; drawn += 1) {
      const order = { seed: String(drawn), orderedAt: 0, taken: [] }
      const [first = ''] = codeOf(context, keyFor(login), order)
      firsts.set(first, (firsts.get(first) ?? 0) + 1)
    }
    expect(firsts.size).toBe(10)
    for (const count of firsts.values()) expect(count).toBeGreaterThan(130)
  })

  describe('a purpose', () => {
    test('draws codes of its own, which are nothing to another', async () => {
      const order = await context.transaction((trx) =>
        orderCode(trx, context, keyFor(login), { address: undefined }, undefined),
      )
      const code = codeOf(context, keyFor(login), order)
      expect(codeOf(context, keyFor(mfa), order)).not.toBe(code)
      await sent(keyFor(mfa))
      expect(await guess(keyFor(mfa), code)).toBe(false)
      expect(await guess(keyFor(login), code)).toBe(true)
    })

    test('says how long its codes hold', async () => {
      const [forLogin, forMfa] = [await sent(keyFor(login)), await sent(keyFor(mfa))]
      context.clock.advanceSeconds(300)
      expect(await guess(keyFor(mfa), forMfa)).toBe(false)
      expect(await guess(keyFor(login), forLogin)).toBe(true)
    })

    test('has budgets of its own, for guesses and for sending', async () => {
      for (let turn = 0; turn < 5; turn += 1) await sent(keyFor(login))
      const code = await sent(keyFor(mfa))
      await expect(sent(keyFor(login))).rejects.toMatchObject(tooMany)
      for (let turn = 0; turn < 5; turn += 1) await guess(keyFor(login), '000000')
      await expect(guess(keyFor(login), '000000')).rejects.toMatchObject(tooMany)
      expect(await guess(keyFor(mfa), code)).toBe(true)
    })
  })

  test('a code outlives a change of the pepper, and is used once as ever', async () => {
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

  test('a code that is used leaves those of other apps, purposes, addresses and browsers', async () => {
    const own = keyFor(login)
    const others: readonly CodeKey[] = [
      { ...own, appId: 'another' },
      { ...own, purpose: mfa },
      { ...own, identifier: '+15550199' },
      { ...own, binding: bindingHash('another') },
    ]
    const codes = new Map<CodeKey, string>()
    for (const key of [own, ...others]) codes.set(key, await sent(key))
    // The first row that a statement finds must not be the right one by chance.
    for (const [key, code] of [...codes].reverse()) {
      const ofAnother = [...codes.values()].find((other) => other !== code) ?? ''
      expect(await guess(key, ofAnother)).toBe(false)
      expect(await guess(key, code)).toBe(true)
      expect(await guess(key, code)).toBe(false)
    }
  })

  describe('a budget of its own', () => {
    const useUp = async (key: CodeKey) => {
      await sent(key)
      for (let turn = 0; turn < 5; turn += 1) await guess(key, '000000')
    }
    const remember = (key: CodeKey) => context.transaction((trx) => rememberBrowser(trx, context, key))

    test('is given for the app and the address where the browser was logged in, and for no other', async () => {
      const own = keyFor(login)
      await remember({ ...own, appId: 'another' })
      await remember({ ...own, identifier: '+15550199' })
      await remember({ ...own, binding: bindingHash('another') })
      await sent(own)
      await useUp(keyFor(login, 'stranger'))
      await expect(guess(own, '000000')).rejects.toMatchObject(tooMany)
      await remember(own)
      expect(await guess(own, '000000')).toBe(false)
    })

    test('is given to nobody who sends no binding, whatever is kept', async () => {
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

    test('costs its network, whichever browser and whichever code it says it is', async () => {
      const code = await sent(keyFor(login))
      for (let turn = 0; turn < 50; turn += 1) expect(await stray(turn, '203.0.113.7')).toBe(false)
      await expect(stray(50, '203.0.113.7')).rejects.toMatchObject(tooMany)
      const atAnother = { ...keyFor(mfa, 'stray'), identifier: '+15550101' }
      await expect(guess(atAnother, '000000', '203.0.113.7')).rejects.toMatchObject(tooMany)
      expect(await stray(51, '203.0.113.8')).toBe(false)
      // Who has a code is not asked for the network's budget.
      expect(await guess(keyFor(login), wrongFor(code), '203.0.113.7')).toBe(false)
      expect(await guess(keyFor(login), code, '203.0.113.7')).toBe(true)
    })

    test('costs nobody where no address is known', async () => {
      for (let turn = 0; turn < 60; turn += 1) expect(await stray(turn)).toBe(false)
    })

    test('is one after the code has expired, and after it was used', async () => {
      const code = await sent(keyFor(login))
      await guess(keyFor(login), code)
      for (let turn = 0; turn < 6; turn += 1) expect(await guess(keyFor(login), code)).toBe(false)
      const late = await sent(keyFor(login))
      context.clock.advanceSeconds(600)
      for (let turn = 0; turn < 6; turn += 1) expect(await guess(keyFor(login), late)).toBe(false)
    })
  })
})
