import { apiRoutes } from '@latchkey/protocol/api'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { sessionAnswer, testBrowser, testServer } from '../../identity/sessions/testing/browser.ts'
import { createTokenVerifier } from '../../identity/sessions/tokens/verifier.ts'
import { testApp, testContext } from '../../testing/context.ts'
import { testVault } from '../../wallet/wallets/testing/vault.ts'
import { forEachEngine } from '../db/test-engines.ts'
import { createRateLimit, type RateLimitKind } from './rate-limit.ts'

const office = '203.0.113.1'

forEachEngine((database) => {
  const open = () =>
    testContext(database(), { verifyToken: (own) => (token) => createTokenVerifier(own())(token) })
  /** Returns how many of the calls succeed. */
  const countAllowed = async (calls: number, call: () => Promise<void>) => {
    for (let done = 0; done < calls; done += 1) {
      try {
        await call()
      } catch {
        return done
      }
    }
    return calls
  }

  test('accepts three hundred complete logins from one address within ten minutes', async () => {
    const context = await open()
    const app = await testApp(context)
    const server = testServer(context)
    const { publicKey } = await testVault()
    const events = ['sdk_initialize', 'modal_open', 'sdk_authenticate', 'modal_closed']
      .concat(['embedded_wallet_creation_started', 'embedded_wallet_creation_completed'])
      .concat(['embedded_wallet_sign_message_started', 'embedded_wallet_sign_message_completed'])

    /** The calls of a browser from the first visit to the first reload, with one wrong code. */
    const login = async (email: string) => {
      const kinds: RateLimitKind[] = []
      const browser = testBrowser(server, context, app, office)
      const call = (...[name, options]: Parameters<typeof browser.call>) => {
        const { effect } = apiRoutes[name]
        kinds.push(effect === 'changes, replayed' ? 'changes' : effect)
        return browser.call(name, options)
      }
      const ok = async (...args: Parameters<typeof browser.call>) => {
        const answered = await call(...args)
        expect([args[0], answered.status]).toEqual([args[0], 200])
        return answered.answer
      }
      await ok('appStatus', { query: '?origin=http://demo.localhost:4010' })
      await ok('appConfig')
      await ok('sendEmailCode', { body: { email } })
      const code = context.mails.at(-1)?.subject.slice(0, 6) ?? ''
      const wrong = code === '000000' ? '000001' : '000000'
      expect((await call('loginWithEmailCode', { body: { email, code: wrong } })).status).toBe(422)
      const session = v.parse(sessionAnswer, await ok('loginWithEmailCode', { body: { email, code } }))
      const { token, refresh_token } = session
      const operation = { id: 'op_1', step: 1 }
      await ok('walletToken', {
        token,
        body: { public_key: publicKey, operation, purpose: 'create', address: null, confirmation: null },
      })
      // These two are rejected, but they count.
      expect((await call('beginWallet', { token, body: {} })).status).toBe(403)
      expect((await call('commitWallet', { token, body: {} })).status).toBe(403)
      await ok('refreshSession', { body: { refresh_token } })
      await ok('me', { token: session.token })
      for (const event_name of events)
        await ok('analyticsEvent', { body: { event_name, client_id: null, payload: {} } })
      return kinds
    }

    const kinds = await login('first@example.com')
    expect(kinds).toHaveLength(18)
    const pace = createRateLimit(context)
    for (let turn = 2; turn < 300; turn += 1) for (const kind of kinds) await pace(kind, office)
    await login('last@example.com')
  }, 30_000)

  test('limits an address to three thousand changes in ten minutes, without affecting others', async () => {
    const context = await open()
    const pace = createRateLimit(context)
    expect(await countAllowed(3_001, () => pace('changes', office))).toBe(3_000)
    await expect(pace('changes', office)).rejects.toMatchObject({
      code: 'too_many_requests',
      retryAfterSeconds: 600,
    })
    await pace('changes', '203.0.113.2')
    context.clock.advanceSeconds(599)
    await expect(pace('changes', office)).rejects.toMatchObject({ retryAfterSeconds: 1 })
    context.clock.advanceSeconds(1)
    await pace('changes', office)
  })

  test('counts and reads have their own quotas', async () => {
    const pace = createRateLimit(await open())
    expect(await countAllowed(6_001, () => pace('counts', office))).toBe(6_000)
    expect(await countAllowed(6_001, () => pace('reads', office))).toBe(6_000)
    await pace('changes', office)
  }, 20_000)

  test('limits loopback like any other address, but not calls without an address', async () => {
    const pace = createRateLimit(await open())
    expect(await countAllowed(3_001, () => pace('changes', '127.0.0.1'))).toBe(3_000)
    expect(await countAllowed(3_001, () => pace('changes', undefined))).toBe(3_001)
  })

  test('three processes share the limit of an address, even for parallel calls', async () => {
    const context = await open()
    const paces = [createRateLimit(context), createRateLimit(context), createRateLimit(context)]
    const calls = paces.flatMap((pace) => Array.from({ length: 1_400 }, () => pace('changes', office)))
    const settled = await Promise.allSettled(calls)
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(3_000)
  })

  test('an exhausted address causes no further database queries', async () => {
    const context = await open()
    const pace = createRateLimit(context)
    await countAllowed(3_001, () => pace('changes', office))
    await database().db.deleteFrom('attempts').execute()
    await expect(pace('changes', office)).rejects.toMatchObject({ code: 'too_many_requests' })
    context.clock.advanceSeconds(600)
    await pace('changes', office)
  })

  test('remembers ten thousand addresses', async () => {
    const { db, clock } = await open()
    const pace = createRateLimit({ db, clock })
    const readPortions = async (address: string) =>
      (await db.selectFrom('attempts').select('count').where('key', 'like', `%|${address}|%`).execute())[0]
    const visitor = (index: number) => `10.0.${index >> 8}.${index & 255}`
    /** Calls in groups of a few hundred, so that none waits for a database connection for long. */
    const visit = async (from: number, to: number) => {
      for (let at = from; at < to; at += 200) {
        const some = Array.from({ length: Math.min(200, to - at) }, (_, next) => visitor(at + next))
        await Promise.all(some.map((address) => pace('reads', address)))
      }
    }
    await pace('reads', office)
    // The first three run one after the other: parallel calls end in any order.
    for (const first of [0, 1, 2]) await visit(first, first + 1)
    await visit(3, 9_999)
    await pace('reads', office)
    expect(await readPortions(office)).toEqual({ count: 20 })
    await visit(9_999, 10_000)
    await pace('reads', office)
    expect(await readPortions(office)).toEqual({ count: 40 })
    // The least recently used address is forgotten first: now that is the second visitor.
    for (let call = 0; call < 20; call += 1) await pace('reads', visitor(1))
    expect(await readPortions(visitor(1))).toEqual({ count: 40 })
    await visit(10_000, 10_001)
    await pace('reads', visitor(1))
    expect(await readPortions(visitor(1))).toEqual({ count: 40 })
    await pace('reads', visitor(2))
    expect(await readPortions(visitor(2))).toEqual({ count: 40 })
  }, 60_000)

  test('each API call consumes the quota of its kind', async () => {
    const context = await open()
    const app = await testApp(context)
    const browser = testBrowser(testServer(context), context, app, office)
    await browser.call('appConfig')
    await browser.call('analyticsEvent', {
      body: { event_name: 'modal_open', client_id: null, payload: {} },
    })
    await browser.call('logout')
    const rows = await context.db.selectFrom('attempts').select('key').orderBy('key').execute()
    expect(rows.map(({ key }) => key).filter((key) => key.startsWith('address'))).toEqual([
      'address-changes|203.0.113.1|600',
      'address-counts|203.0.113.1|600',
      'address-reads|203.0.113.1|600',
    ])
  })
})
