/** Verifications where they do not belong, guesses, and sessions that may not. Each refusal beside what is right. */
import { sql } from 'kysely'
import * as OTPAuth from 'otpauth'
import { beforeEach, describe, expect, test } from 'vitest'
import { forkInto, type TestSession } from '../../identity/sessions/testing/browser.ts'
import { forEachEngine } from '../../kernel/db/test-engines.ts'
import {
  type MfaWorld,
  mfaTestTables,
  mfaWorld,
  missing,
  type StepOf,
  spent,
  wrong,
} from './testing/world.ts'

const locked = { status: 429, answer: { code: 'mfa_verification_max_attempts_reached' } }
const scope = { status: 403, answer: { code: 'insufficient_scope' } }

forEachEngine((database) => {
  let world: MfaWorld
  let session: TestSession
  let address: string
  let code: (steps?: number) => string
  beforeEach(async () => {
    world = await mfaWorld(database())
    session = await world.browser.login()
    address = await world.makeWallet(session)
    code = await enrolled(session)
  })

  async function enrolled(of: TestSession, from = world.browser) {
    const call = world.inMfa(of, from)
    const { totpAuthUrl } = await world.beginTotp(call)
    const app = OTPAuth.URI.parse(totpAuthUrl)
    const codeAt = (steps = 0) => app.generate({ timestamp: world.context.clock.nowMs() + steps * 30_000 })
    expect(await call('enrollTotp', { code: codeAt() })).toMatchObject({ status: 200 })
    world.context.clock.advanceSeconds(30)
    return codeAt
  }
  const never = () => {
    const right = [-1, 0, 1].map((steps) => code(steps))
    return ['000000', '111111', '222222', '333333'].find((guess) => !right.includes(guess)) ?? ''
  }
  const verificationFor = async (of: TestSession, step: StepOf, from = world.browser) => {
    world.context.clock.advanceSeconds(30)
    const { call, operation } = world.inOperation(of, step, from)
    return { mfa_token: world.tokenIn(await call('verifyTotp', { code: code() })), operation }
  }

  describe('a verification opens nothing', () => {
    const signing = (operation: string): StepOf => ({ purpose: 'sign', address, operation, step: 50 })
    const release = async (step: StepOf, mfa_token: string, of = session, from = world.browser) =>
      from.call('releaseShares', { token: await world.walletToken(of, step, from), body: { mfa_token } })

    test('for another operation', async () => {
      const { mfa_token, operation } = await verificationFor(session, { purpose: 'sign', address })
      expect(await release(signing(world.newOperation()), mfa_token)).toMatchObject(spent)
      expect(await release(signing(operation), mfa_token)).toMatchObject({ status: 200 })
    })

    test('for another purpose', async () => {
      const { mfa_token, operation } = await verificationFor(session, { purpose: 'sign', address })
      expect(await release({ ...signing(operation), purpose: 'recover' }, mfa_token)).toMatchObject(spent)
      const removing = { purpose: 'mfa', removes: 'totp', operation, step: 51 } as const
      const token = await world.walletToken(session, removing)
      expect(await world.browser.call('unenrollTotp', { token, body: { mfa_token } })).toMatchObject(spent)
      expect(await release(signing(operation), mfa_token)).toMatchObject({ status: 200 })
    })

    test('in another session of the same user', async () => {
      const other = world.newBrowser()
      const elsewhere = await other.login()
      const { mfa_token, operation } = await verificationFor(session, { purpose: 'sign', address })
      expect(await release(signing(operation), mfa_token, elsewhere, other)).toMatchObject(spent)
      expect(await release(signing(operation), mfa_token)).toMatchObject({ status: 200 })
    })

    test('of another user', async () => {
      const other = world.newBrowser()
      const eve = await other.login('eve@example.com')
      const theirs = await world.makeWallet(eve, other)
      const { mfa_token, operation } = await verificationFor(session, { purpose: 'sign', address })
      await enrolled(eve, other)
      const step = { ...signing(operation), address: theirs }
      expect(await release(step, mfa_token, eve, other)).toMatchObject(spent)
      expect(await release(signing(operation), mfa_token)).toMatchObject({ status: 200 })
    })

    test('in another app', async () => {
      const app = await world.newApp()
      const other = world.newBrowser(app)
      const there = await other.login()
      const { mfa_token, operation } = await verificationFor(session, { purpose: 'mfa' })
      await enrolled(there, other)
      const step = { purpose: 'mfa', removes: 'totp', operation, step: 50 } as const
      const remove = async (of: TestSession, from: typeof other) =>
        from.call('unenrollTotp', { token: await world.walletToken(of, step, from), body: { mfa_token } })
      expect(await remove(there, other)).toMatchObject(spent)
      expect(await remove(session, world.browser)).toMatchObject({ status: 200 })
    })

    test('of another wallet', async () => {
      const { mfa_token, operation } = await verificationFor(session, { purpose: 'sign', address })
      const { db } = world.context
      const wallet = await db.selectFrom('wallets').selectAll().executeTakeFirstOrThrow()
      const rename = (from: string, to: string) =>
        db.updateTable('wallets').set({ id: to }).where('id', '=', from).execute()
      // As if the user had removed that one and made another at the same address.
      await rename(wallet.id, 'wal_another')
      expect(await release(signing(operation), mfa_token)).toMatchObject(spent)
      await rename('wal_another', wallet.id)
      expect(await release(signing(operation), mfa_token)).toMatchObject({ status: 200 })
    })

    test('that was made up, and nothing is taken from the budget of releases', async () => {
      const { operation } = await verificationFor(session, { purpose: 'sign', address })
      const token = await world.walletToken(session, signing(operation))
      for (let turn = 0; turn < 61; turn += 1) {
        const body = { mfa_token: 'made-up' }
        expect(await world.browser.call('releaseShares', { token, body })).toMatchObject(spent)
      }
      const right = await verificationFor(session, { purpose: 'sign', address })
      expect(await release(signing(right.operation), right.mfa_token)).toMatchObject({ status: 200 })
    })
  })

  test('a verification that several bring at once is used by one', async () => {
    const { mfa_token, operation } = await verificationFor(session, { purpose: 'sign', address })
    const releases = await Promise.all(
      [1, 2, 3, 4].map(async (step) => {
        const token = await world.walletToken(session, {
          purpose: 'sign',
          address,
          operation,
          step: 50 + step,
        })
        return world.browser.call('releaseShares', { token, body: { mfa_token } })
      }),
    )
    expect(releases.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401])
  })

  describe('without a verification', () => {
    test('no share is released, counted or written down', async () => {
      const events = async () =>
        (await world.context.db.selectFrom('audit_log').select('id').execute()).length
      const before = await events()
      for (const purpose of ['sign', 'recover'] as const) {
        const { call } = world.inOperation(session, { purpose, address })
        expect(await call('releaseShares'), purpose).toMatchObject(missing(['totp']))
      }
      expect(await events()).toBe(before)
    })

    test('a user who has no method needs none', async () => {
      const other = world.newBrowser()
      const eve = await other.login('eve@example.com')
      const theirs = await world.makeWallet(eve, other)
      const { call } = world.inOperation(eve, { purpose: 'sign', address: theirs }, other)
      expect(await call('releaseShares')).toMatchObject({ status: 200 })
    })

    test('a login of a user who has a method brings no wallet token', async () => {
      const other = world.newBrowser()
      const email = 'ada@example.com'
      const vault = { public_key: world.vault.publicKey, operation: { id: 'op_login', step: 1 } }
      const login = async (browser: typeof other, who: string) => {
        const given = await browser.codeFor(who)
        return browser.call('loginWithEmailCode', { body: { email: who, code: given, vault } })
      }
      expect((await login(other, email)).answer).not.toHaveProperty('wallet_token')
      expect((await login(world.newBrowser(), 'eve@example.com')).answer).toHaveProperty('wallet_token')
    })
  })

  describe('a fork', () => {
    test('of a user who has a method gets no token, releases nothing, verifies nothing and changes nothing', async () => {
      const second = world.newBrowser()
      const fork = await forkInto(second, world.browser, session)
      const asked = {
        public_key: world.vault.publicKey,
        operation: { id: 'o', step: 1 },
        address: null,
        confirmation: null,
      }
      for (const purpose of ['mfa', 'sign', 'recover'])
        expect(
          await second.call('walletToken', {
            token: fork.token,
            body: { ...asked, purpose, address: purpose === 'mfa' ? null : address },
          }),
        ).toMatchObject({ status: 403, answer: { code: 'device_not_bound' } })
      for (const name of ['beginPasskeyVerification', 'sendMfaCode'] as const) {
        const body = name === 'sendMfaCode' ? { action: 'verify' } : {}
        expect(await second.call(name, { token: fork.token, body }), name).toMatchObject(scope)
      }
    })
  })

  describe('guesses', () => {
    // spec L4.47, W8.34
    test('an operation has four', async () => {
      const { call } = world.inOperation(session, { purpose: 'sign', address })
      for (let turn = 0; turn < 4; turn += 1) {
        expect(await call('verifyTotp', { code: never() })).toMatchObject(wrong)
      }
      world.context.clock.advanceSeconds(30)
      expect(await call('verifyTotp', { code: code() })).toMatchObject(locked)
      const { call: another } = world.inOperation(session, { purpose: 'sign', address })
      expect(await another('verifyTotp', { code: code() })).toMatchObject({ status: 200 })
    })

    test('of a user lock the method, each time for longer, until one is right', async () => {
      const guess = async (given: string) => world.inMfa(session)('verifyTotp', { code: given })
      const { clock } = world.context
      for (const [turn, seconds] of [10, 60, 600, 3_600, 86_400, 86_400].entries()) {
        for (let tries = 0; tries < 4; tries += 1) {
          // After the longest lock has begun, each further try is locked by it.
          if (turn === 5 && tries > 0) break
          expect(await guess(never()), `${turn}:${tries}`).toMatchObject(wrong)
        }
        const refused = await guess(code())
        expect(refused).toMatchObject(locked)
        expect(refused.headers.get('retry-after')).toBe(String(seconds))
        clock.advanceSeconds(seconds - 1)
        // Its access token has ended by then.
        if (seconds > 600) session = await world.browser.login()
        expect(await guess(code())).toMatchObject(locked)
        clock.advanceSeconds(1)
      }
      expect(await guess(code())).toMatchObject({ status: 200 })
      clock.advanceSeconds(30)
      for (let tries = 0; tries < 3; tries += 1) expect(await guess(never())).toMatchObject(wrong)
      expect(await guess(code())).toMatchObject({ status: 200 })
    })

    test('of a thousand at once at most four are compared', async () => {
      const guesses = Array.from({ length: 1_000 }, (_, at) => String(at).padStart(6, '0'))
      const token = await world.walletToken(session, { purpose: 'mfa' })
      const tokens = await Promise.all(
        Array.from({ length: 20 }, () => world.walletToken(session, { purpose: 'mfa' })),
      )
      const answers = await Promise.all(
        guesses.map((guess, at) =>
          world.browser.call('verifyTotp', { token: tokens[at % 20] ?? token, body: { code: guess } }),
        ),
      )
      expect(answers.filter(({ status }) => status === 401 || status === 200).length).toBeLessThanOrEqual(4)
      // Also of those whose caller was told that the server is busy.
      const counted = await sql<{ count: number }>`select count from mfa_tries`.execute(world.context.db)
      expect(counted.rows.map(({ count }) => Number(count))).toEqual([4])
    }, 120_000)

    test('by a stranger lock nobody: it takes a session of the user', async () => {
      const other = world.newBrowser()
      const eve = await other.login('eve@example.com')
      for (let turn = 0; turn < 8; turn += 1) {
        await world.inMfa(eve, other)('verifyTotp', { code: never() })
      }
      expect(await world.inMfa(session)('verifyTotp', { code: code() })).toMatchObject({ status: 200 })
    })
  })
}, mfaTestTables)
