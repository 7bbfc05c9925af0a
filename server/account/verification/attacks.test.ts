/** Tests misused verifications, guesses, and unauthorised sessions. Each rejection is compared with a valid call. */
import { sql } from 'kysely'
import * as OTPAuth from 'otpauth'
import { beforeEach, describe, expect, test } from 'vitest'
import { forkInto, type TestSession } from '../../identity/sessions/testing/browser.ts'
import { forEachEngine } from '../../kernel/db/test-engines.ts'
import { type MfaFixture, mfaFixture, missing, type StepOf, spent, wrong } from './testing/fixture.ts'

const locked = { status: 429, answer: { code: 'mfa_verification_max_attempts_reached' } }
const scope = { status: 403, answer: { code: 'insufficient_scope' } }

forEachEngine((database) => {
  let fixture: MfaFixture
  let session: TestSession
  let address: string
  let code: (steps?: number) => string
  beforeEach(async () => {
    fixture = await mfaFixture(database())
    session = await fixture.browser.login()
    address = await fixture.makeWallet(session)
    code = await enrolled(session)
  })

  async function enrolled(of: TestSession, from = fixture.browser) {
    const call = fixture.inMfa(of, from)
    const { totpAuthUrl } = await fixture.beginTotp(call)
    const app = OTPAuth.URI.parse(totpAuthUrl)
    const codeAt = (steps = 0) => app.generate({ timestamp: fixture.context.clock.nowMs() + steps * 30_000 })
    expect(await call('enrollTotp', { code: codeAt() })).toMatchObject({ status: 200 })
    fixture.context.clock.advanceSeconds(30)
    return codeAt
  }
  const never = () => {
    const right = [-1, 0, 1].map((steps) => code(steps))
    return ['000000', '111111', '222222', '333333'].find((guess) => !right.includes(guess)) ?? ''
  }
  const verificationFor = async (of: TestSession, step: StepOf, from = fixture.browser) => {
    fixture.context.clock.advanceSeconds(30)
    const { call, operation } = fixture.inOperation(of, step, from)
    return { mfa_token: fixture.tokenIn(await call('verifyTotp', { code: code() })), operation }
  }

  describe('a verification opens nothing', () => {
    const signing = (operation: string): StepOf => ({ purpose: 'sign', address, operation, step: 50 })
    const release = async (step: StepOf, mfa_token: string, of = session, from = fixture.browser) =>
      from.call('releaseShares', { token: await fixture.walletToken(of, step, from), body: { mfa_token } })

    test('for another operation', async () => {
      const { mfa_token, operation } = await verificationFor(session, { purpose: 'sign', address })
      expect(await release(signing(fixture.newOperation()), mfa_token)).toMatchObject(spent)
      expect(await release(signing(operation), mfa_token)).toMatchObject({ status: 200 })
    })

    test('for another purpose', async () => {
      const { mfa_token, operation } = await verificationFor(session, { purpose: 'sign', address })
      expect(await release({ ...signing(operation), purpose: 'recover' }, mfa_token)).toMatchObject(spent)
      const removing = { purpose: 'mfa', removes: 'totp', operation, step: 51 } as const
      const token = await fixture.walletToken(session, removing)
      expect(await fixture.browser.call('unenrollTotp', { token, body: { mfa_token } })).toMatchObject(spent)
      expect(await release(signing(operation), mfa_token)).toMatchObject({ status: 200 })
    })

    test('in another session of the same user', async () => {
      const other = fixture.newBrowser()
      const elsewhere = await other.login()
      const { mfa_token, operation } = await verificationFor(session, { purpose: 'sign', address })
      expect(await release(signing(operation), mfa_token, elsewhere, other)).toMatchObject(spent)
      expect(await release(signing(operation), mfa_token)).toMatchObject({ status: 200 })
    })

    test('of another user', async () => {
      const other = fixture.newBrowser()
      const eve = await other.login('eve@example.com')
      const theirs = await fixture.makeWallet(eve, other)
      const { mfa_token, operation } = await verificationFor(session, { purpose: 'sign', address })
      await enrolled(eve, other)
      const step = { ...signing(operation), address: theirs }
      expect(await release(step, mfa_token, eve, other)).toMatchObject(spent)
      expect(await release(signing(operation), mfa_token)).toMatchObject({ status: 200 })
    })

    test('in another app', async () => {
      const app = await fixture.newApp()
      const other = fixture.newBrowser(app)
      const there = await other.login()
      const { mfa_token, operation } = await verificationFor(session, { purpose: 'mfa' })
      await enrolled(there, other)
      const step = { purpose: 'mfa', removes: 'totp', operation, step: 50 } as const
      const remove = async (of: TestSession, from: typeof other) =>
        from.call('unenrollTotp', { token: await fixture.walletToken(of, step, from), body: { mfa_token } })
      expect(await remove(there, other)).toMatchObject(spent)
      expect(await remove(session, fixture.browser)).toMatchObject({ status: 200 })
    })

    test('of another wallet', async () => {
      const { mfa_token, operation } = await verificationFor(session, { purpose: 'sign', address })
      const { db } = fixture.context
      const wallet = await db.selectFrom('wallets').selectAll().executeTakeFirstOrThrow()
      const rename = (from: string, to: string) =>
        db.updateTable('wallets').set({ id: to }).where('id', '=', from).execute()
      // Simulates that the user removed that wallet and created another one at the same address.
      await rename(wallet.id, 'wal_another')
      expect(await release(signing(operation), mfa_token)).toMatchObject(spent)
      await rename('wal_another', wallet.id)
      expect(await release(signing(operation), mfa_token)).toMatchObject({ status: 200 })
    })

    test('if it is forged, and consumes no quota of releases', async () => {
      const { operation } = await verificationFor(session, { purpose: 'sign', address })
      const token = await fixture.walletToken(session, signing(operation))
      for (let turn = 0; turn < 61; turn += 1) {
        const body = { mfa_token: 'made-up' }
        expect(await fixture.browser.call('releaseShares', { token, body })).toMatchObject(spent)
      }
      const right = await verificationFor(session, { purpose: 'sign', address })
      expect(await release(signing(right.operation), right.mfa_token)).toMatchObject({ status: 200 })
    })
  })

  test('one of several concurrent calls consumes a verification', async () => {
    const { mfa_token, operation } = await verificationFor(session, { purpose: 'sign', address })
    const releases = await Promise.all(
      [1, 2, 3, 4].map(async (step) => {
        const token = await fixture.walletToken(session, {
          purpose: 'sign',
          address,
          operation,
          step: 50 + step,
        })
        return fixture.browser.call('releaseShares', { token, body: { mfa_token } })
      }),
    )
    expect(releases.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401])
  })

  describe('without a verification', () => {
    test('no share is released, counted or recorded', async () => {
      const events = async () =>
        (await fixture.context.db.selectFrom('audit_log').select('id').execute()).length
      const before = await events()
      for (const purpose of ['sign', 'recover'] as const) {
        const { call } = fixture.inOperation(session, { purpose, address })
        expect(await call('releaseShares'), purpose).toMatchObject(missing(['totp']))
      }
      expect(await events()).toBe(before)
    })

    test('a user without a second factor needs no verification', async () => {
      const other = fixture.newBrowser()
      const eve = await other.login('eve@example.com')
      const theirs = await fixture.makeWallet(eve, other)
      const { call } = fixture.inOperation(eve, { purpose: 'sign', address: theirs }, other)
      expect(await call('releaseShares')).toMatchObject({ status: 200 })
    })

    test('a login of a user with a second factor returns no wallet token', async () => {
      const other = fixture.newBrowser()
      const email = 'ada@example.com'
      const vault = { public_key: fixture.vault.publicKey, operation: { id: 'op_login', step: 1 } }
      const login = async (browser: typeof other, who: string) => {
        const given = await browser.codeFor(who)
        return browser.call('loginWithEmailCode', { body: { email: who, code: given, vault } })
      }
      expect((await login(other, email)).answer).not.toHaveProperty('wallet_token')
      expect((await login(fixture.newBrowser(), 'eve@example.com')).answer).toHaveProperty('wallet_token')
    })
  })

  describe('a fork', () => {
    test('a forked session of a user with a second factor gets no token, releases and changes nothing', async () => {
      const second = fixture.newBrowser()
      const fork = await forkInto(second, fixture.browser, session)
      const asked = {
        public_key: fixture.vault.publicKey,
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
    test('lock the second factor, each time for longer, until one is right', async () => {
      const guess = async (given: string) => fixture.inMfa(session)('verifyTotp', { code: given })
      const { clock } = fixture.context
      for (const [turn, seconds] of [10, 60, 600, 3_600, 86_400, 86_400].entries()) {
        for (let tries = 0; tries < 4; tries += 1) {
          // After the longest lock has begun, it locks each further attempt.
          if (turn === 5 && tries > 0) break
          expect(await guess(never()), `${turn}:${tries}`).toMatchObject(wrong)
        }
        const refused = await guess(code())
        expect(refused).toMatchObject(locked)
        expect(refused.headers.get('retry-after')).toBe(String(seconds))
        clock.advanceSeconds(seconds - 1)
        // The access token has expired by then.
        if (seconds > 600) session = await fixture.browser.login()
        expect(await guess(code())).toMatchObject(locked)
        clock.advanceSeconds(1)
      }
      expect(await guess(code())).toMatchObject({ status: 200 })
      clock.advanceSeconds(30)
      for (let tries = 0; tries < 3; tries += 1) expect(await guess(never())).toMatchObject(wrong)
      expect(await guess(code())).toMatchObject({ status: 200 })
    })

    test('compares at most four of a thousand concurrent guesses', async () => {
      const guesses = Array.from({ length: 1_000 }, (_, at) => String(at).padStart(6, '0'))
      const token = await fixture.walletToken(session, { purpose: 'mfa' })
      const tokens = await Promise.all(
        Array.from({ length: 20 }, () => fixture.walletToken(session, { purpose: 'mfa' })),
      )
      const answers = await Promise.all(
        guesses.map((guess, at) =>
          fixture.browser.call('verifyTotp', { token: tokens[at % 20] ?? token, body: { code: guess } }),
        ),
      )
      expect(answers.filter(({ status }) => status === 401 || status === 200).length).toBeLessThanOrEqual(4)
      // Also guesses whose caller was told that the server is busy.
      const counted = await sql<{ count: number }>`select count from mfa_tries`.execute(fixture.context.db)
      expect(counted.rows.map(({ count }) => Number(count))).toEqual([4])
    }, 120_000)

    test('attempts by an outsider lock no user, because they need a session', async () => {
      const other = fixture.newBrowser()
      const eve = await other.login('eve@example.com')
      for (let turn = 0; turn < 8; turn += 1) {
        await fixture.inMfa(eve, other)('verifyTotp', { code: never() })
      }
      expect(await fixture.inMfa(session)('verifyTotp', { code: code() })).toMatchObject({ status: 200 })
    })
  })
})
