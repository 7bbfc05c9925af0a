/** An authenticator app over HTTP: enrolled, verified with, removed, and every way in which it is refused. */
import * as OTPAuth from 'otpauth'
import { beforeEach, describe, expect, test } from 'vitest'
import { setFields } from '../../../identity/apps/manage.ts'
import type { TestSession } from '../../../identity/sessions/testing/browser.ts'
import { forEachEngine } from '../../../kernel/db/test-engines.ts'
import { enrolledMethod } from '../testing/enrolled.ts'
import { type Call, type MfaFixture, mfaFixture, missing, spent, wrong } from '../testing/fixture.ts'

const invalid = {
  status: 422,
  answer: { error: 'Invalid or expired verification code', code: 'invalid_credentials' },
}
const over = { status: 404, answer: { code: 'not_found' } }

forEachEngine((database) => {
  let fixture: MfaFixture
  let session: TestSession
  beforeEach(async () => {
    fixture = await mfaFixture(database())
    session = await fixture.browser.login()
  })

  /** The app on the user's phone, by another implementation, which reads the address that the QR code shows. */
  const appFrom = (totpAuthUrl: string) => {
    const app = OTPAuth.URI.parse(totpAuthUrl)
    return (steps = 0) => app.generate({ timestamp: fixture.context.clock.nowMs() + steps * 30_000 })
  }
  const enroll = async (call: Call = fixture.inMfa(session)) => {
    const { totpAuthUrl } = await fixture.beginTotp(call)
    const code = appFrom(totpAuthUrl)
    const enrolled = await call('enrollTotp', { code: code() })
    expect(enrolled).toMatchObject({ status: 200 })
    // Its step is used: the next code is of the next one.
    fixture.context.clock.advanceSeconds(30)
    return code
  }

  describe('an enrolment', () => {
    // spec L6.6, L7.42
    test('begins with a secret and its address, and ends with a code: then it is a method of the user', async () => {
      const call = fixture.inMfa(session)
      const begun = await call('beginTotp')
      expect(begun).toMatchObject({ status: 200 })
      const { totpSecret, totpAuthUrl } = await fixture.beginTotp(call)
      expect(totpSecret).toMatch(/^[A-Z2-7]{32}$/)
      expect(totpAuthUrl).toBe(
        `otpauth://totp/Fieldnotes:ada%40example.com?secret=${totpSecret}&issuer=Fieldnotes&algorithm=SHA1&digits=6&period=30`,
      )
      expect(await fixture.methodsOf(session)).toEqual([])
      const now = Math.floor(fixture.context.clock.nowMs() / 1_000)
      const enrolled = await call('enrollTotp', { code: appFrom(totpAuthUrl)() })
      const methods = [{ type: 'totp', verified_at: now }]
      expect(enrolled).toMatchObject({ status: 200, answer: { user: { mfa_methods: methods } } })
      expect(await fixture.methodsOf(session)).toEqual(methods)
      expect(await fixture.events()).toEqual([['mfa.enrolled', { method: 'totp', verified: null }]])
    })

    test('begun again, in another operation too, has the same secret until it ends, and nobody is told it afterwards', async () => {
      const first = await fixture.beginTotp(fixture.inMfa(session))
      const call = fixture.inMfa(session)
      expect(await fixture.beginTotp(call)).toEqual(first)
      expect(await call('enrollTotp', { code: appFrom(first.totpAuthUrl)() })).toMatchObject({ status: 200 })
      expect(await call('beginTotp')).toMatchObject({ status: 400, answer: { code: 'not_supported' } })
      const { token } = session
      const me = await fixture.browser.call('me', { token })
      expect(JSON.stringify(me.answer)).not.toContain(first.totpSecret)
    })

    test('whose answer was lost is told again under its request id, but no longer when it is over', async () => {
      const token = await fixture.walletToken(session, { purpose: 'mfa' })
      const begin = () => fixture.browser.call('beginTotp', { token, requestId: 'begin-once' })
      const first = await begin()
      expect((await begin()).answer).toEqual(first.answer)
      const { totpAuthUrl } = await fixture.beginTotp(fixture.inMfa(session))
      await fixture.inMfa(session)('enrollTotp', { code: appFrom(totpAuthUrl)() })
      expect(await begin()).toMatchObject(over)
    })

    test('names its user by their number where they have no address, and by their id where they have neither', async () => {
      const { db } = fixture.context
      const nameIn = async () =>
        (await fixture.beginTotp(fixture.inMfa(session))).totpAuthUrl.split(/[:?]/)[2]
      await db
        .updateTable('linked_accounts')
        .set({ type: 'phone', identifier: '+12025550123', profile: '{"phoneNumber":"+1 2025550123"}' })
        .execute()
      expect(await nameIn()).toBe(encodeURIComponent('+1 2025550123'))
      await db.deleteFrom('linked_accounts').execute()
      expect(await nameIn()).toBe(encodeURIComponent(session.user.id))
    })

    test('does not end where the app turned the method off meanwhile', async () => {
      const call = fixture.inMfa(session)
      const code = appFrom((await fixture.beginTotp(call)).totpAuthUrl)
      const { context, app } = fixture
      const offer = async (methods: readonly string[]) => {
        await setFields(context.db, context.clock, app.id, [['mfa_methods', methods]])
        context.clock.advanceSeconds(5)
      }
      await offer(['sms'])
      expect(await call('enrollTotp', { code: code() })).toMatchObject({ answer: { code: 'not_supported' } })
      await offer(['sms', 'totp'])
      expect(await call('enrollTotp', { code: code() })).toMatchObject({ status: 200 })
    })

    test.each(['beginTotp', 'enrollTotp', 'verifyTotp'] as const)(
      'is not touched by %s of a session that ends after its token was looked at',
      async (name) => {
        const { browser, session: ending, end } = await fixture.endingSession()
        const token = await fixture.walletToken(ending, { purpose: 'mfa' }, browser)
        const { totpAuthUrl } = await fixture.beginTotp(fixture.inMfa(ending, browser))
        const code = appFrom(totpAuthUrl)
        if (name === 'verifyTotp') {
          expect(await fixture.inMfa(ending, browser)('enrollTotp', { code: code(-1) })).toMatchObject({
            status: 200,
          })
        }
        const methods = () => fixture.context.db.selectFrom('mfa_methods').selectAll().execute()
        const before = await methods()
        end()
        const body = name === 'beginTotp' ? {} : { code: code() }
        expect(await browser.call(name, { token, body })).toMatchObject({
          status: 401,
          answer: { code: 'missing_or_invalid_token' },
        })
        expect(await methods()).toEqual(before)
      },
    )

    test('belongs to its session: another one has a secret of its own, which takes its place', async () => {
      const own = await fixture.beginTotp(fixture.inMfa(session))
      const other = fixture.newBrowser()
      const elsewhere = await other.login()
      const theirs = await fixture.beginTotp(fixture.inMfa(elsewhere, other))
      expect(theirs.totpSecret).not.toBe(own.totpSecret)
      const code = appFrom(own.totpAuthUrl)()
      expect(await fixture.inMfa(session)('enrollTotp', { code })).toMatchObject(over)
      const right = appFrom(theirs.totpAuthUrl)()
      expect(await fixture.inMfa(elsewhere, other)('enrollTotp', { code: right })).toMatchObject({
        status: 200,
      })
    })

    test('takes ten minutes at most, and its own codes alone', async () => {
      const call = fixture.inMfa(session)
      const { totpAuthUrl } = await fixture.beginTotp(call)
      const code = appFrom(totpAuthUrl)
      expect(await call('enrollTotp', { code: code(2) })).toMatchObject(invalid)
      fixture.context.clock.advanceSeconds(599)
      const late = fixture.inMfa(session)
      const next = await fixture.beginTotp(late)
      expect(next.totpAuthUrl).toBe(totpAuthUrl)
      fixture.context.clock.advanceSeconds(1)
      expect(await late('enrollTotp', { code: code() })).toMatchObject(over)
      expect((await fixture.beginTotp(fixture.inMfa(session))).totpAuthUrl).not.toBe(totpAuthUrl)
    })

    test('is refused where the app does not offer it', async () => {
      const { context, newBrowser, newApp } = fixture
      const app = await newApp()
      await context.db
        .updateTable('apps')
        .set({ config: JSON.stringify({ ...app.config, mfaMethods: [] }) })
        .where('id', '=', app.id)
        .execute()
      context.clock.advanceSeconds(5)
      const browser = newBrowser(app)
      const there = await browser.login()
      expect(await fixture.inMfa(there, browser)('beginTotp')).toMatchObject({
        status: 400,
        answer: { code: 'not_supported' },
      })
    })

    // spec L6.6
    test('of two methods at once one is the first: the second needs a verification', async () => {
      const call = fixture.inMfa(session)
      const { totpAuthUrl } = await fixture.beginTotp(call)
      // As if the passkey had been enrolled meanwhile.
      await fixture.context.db
        .insertInto('mfa_methods')
        .values(
          enrolledMethod({
            id: 'other',
            app_id: fixture.app.id,
            user_id: session.user.id,
            method: 'passkey',
          }),
        )
        .execute()
      const code = appFrom(totpAuthUrl)()
      expect(await call('enrollTotp', { code })).toMatchObject(missing(['passkey']))
      expect(await call('enrollTotp', { code, mfa_token: 'made up' })).toMatchObject({
        answer: { code: 'expired_or_invalid_mfa_token' },
      })
      await fixture.context.db.deleteFrom('mfa_methods').where('id', '=', 'other').execute()
      expect(await call('enrollTotp', { code })).toMatchObject({ status: 200 })
    })

    test('leaves its secret wrapped in the database, and it is destroyed with the method', async () => {
      const call = fixture.inMfa(session)
      const { totpSecret, totpAuthUrl } = await fixture.beginTotp(call)
      const rows = () => fixture.context.db.selectFrom('mfa_methods').selectAll().execute()
      const text = JSON.stringify(await rows())
      expect(text).toContain('1.totp-secret.')
      expect(text).not.toContain(totpSecret)
      const replays = await fixture.context.db.selectFrom('request_replays').select('kept').execute()
      expect(JSON.stringify(replays)).not.toContain(totpSecret)
      const code = appFrom(totpAuthUrl)
      await call('enrollTotp', { code: code() })
      fixture.context.clock.advanceSeconds(30)
      const removing = fixture.inMfa(session)
      const token = fixture.tokenIn(await removing('verifyTotp', { code: code() }))
      expect(await removing('unenrollTotp', { mfa_token: token })).toMatchObject({ status: 200 })
      expect(await rows()).toEqual([])
    })
  })

  describe('a verification', () => {
    // spec L1.10, W1.2
    test('releases a share once, for the operation that it was given for', async () => {
      const address = await fixture.makeWallet(session)
      const code = await enroll()
      const { call, operation } = fixture.inOperation(session, { purpose: 'sign', address })
      expect(await call('releaseShares')).toMatchObject(missing(['totp']))
      const mfa_token = fixture.tokenIn(await call('verifyTotp', { code: code() }))
      expect(await call('releaseShares', { mfa_token })).toMatchObject({
        status: 200,
        answer: { wallet: { address }, recovery_share: null },
      })
      expect(await call('releaseShares', { mfa_token })).toMatchObject(spent)
      const entries = await fixture.context.db.selectFrom('audit_log').select(['event', 'details']).execute()
      const released = entries.filter(({ event }) => event === 'wallet.signed')
      expect(released.map(({ details }) => JSON.parse(details))).toMatchObject([
        { operation, verified: 'totp' },
      ])
    })

    test('that was used is there for the same request, whose answer was lost', async () => {
      const address = await fixture.makeWallet(session)
      const code = await enroll()
      const { call, operation } = fixture.inOperation(session, { purpose: 'sign', address })
      const mfa_token = fixture.tokenIn(await call('verifyTotp', { code: code() }))
      const token = await fixture.walletToken(session, { purpose: 'sign', address, operation, step: 9 })
      const request = { token, body: { mfa_token }, requestId: 'release-once' }
      expect(await fixture.browser.call('releaseShares', request)).toMatchObject({ status: 200 })
      expect(await fixture.browser.call('releaseShares', request)).toMatchObject({ status: 200 })
      const another = await fixture.walletToken(session, { purpose: 'sign', address, operation, step: 10 })
      const again = { ...request, token: another }
      expect(
        await fixture.browser.call('releaseShares', { ...again, requestId: 'release-again' }),
      ).toMatchObject(spent)
      // What was verified and confirmed for one step is not told again to another.
      expect(await fixture.browser.call('releaseShares', again)).toMatchObject({
        status: 422,
        answer: { code: 'invalid_data' },
      })
    })

    test('answered under one request id is one, with one token', async () => {
      const code = await enroll()
      const token = await fixture.walletToken(session, { purpose: 'mfa' })
      const request = { token, body: { code: code() }, requestId: 'verify-once' }
      const first = await fixture.browser.call('verifyTotp', request)
      expect(first).toMatchObject({ status: 200 })
      expect((await fixture.browser.call('verifyTotp', request)).answer).toEqual(first.answer)
      const kept = await fixture.context.db
        .selectFrom('mfa_verifications' as never)
        .selectAll()
        .execute()
      expect(JSON.stringify(kept)).not.toContain(fixture.tokenIn(first))
    })

    test('lasts two minutes', async () => {
      const address = await fixture.makeWallet(session)
      const code = await enroll()
      const sign = async (waitSeconds: number) => {
        const { call } = fixture.inOperation(session, { purpose: 'sign', address })
        const mfa_token = fixture.tokenIn(await call('verifyTotp', { code: code() }))
        fixture.context.clock.advanceSeconds(waitSeconds)
        return call('releaseShares', { mfa_token })
      }
      expect(await sign(119)).toMatchObject({ status: 200 })
      expect(await sign(120)).toMatchObject(spent)
    })

    // spec L8.51
    test('takes the code of this step, the one before and the one after, and none twice', async () => {
      const code = await enroll()
      const verify = (given: string) => fixture.inMfa(session)('verifyTotp', { code: given })
      fixture.context.clock.advanceSeconds(300)
      expect(await verify(code(-2))).toMatchObject(wrong)
      expect(await verify(code(2))).toMatchObject(wrong)
      expect(await verify(code(-1))).toMatchObject({ status: 200 })
      expect(await verify(code(-1))).toMatchObject(wrong)
      expect(await verify(code(1))).toMatchObject({ status: 200 })
      // A step before one that was used is gone with it.
      expect(await verify(code(0))).toMatchObject(wrong)
    })

    test('with the code that enrolled the app is none', async () => {
      const call = fixture.inMfa(session)
      const { totpAuthUrl } = await fixture.beginTotp(call)
      const code = appFrom(totpAuthUrl)
      await call('enrollTotp', { code: code() })
      expect(await fixture.inMfa(session)('verifyTotp', { code: code() })).toMatchObject(wrong)
      expect(await fixture.inMfa(session)('verifyTotp', { code: code(1) })).toMatchObject({ status: 200 })
    })

    test('of a code that two tabs bring at once is one', async () => {
      const code = await enroll()
      const answers = await Promise.all(
        [1, 2].map(() => fixture.inMfa(session)('verifyTotp', { code: code() })),
      )
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 401])
    })

    test('by a user who has no authenticator app is as wrong as a wrong code', async () => {
      expect(await fixture.inMfa(session)('verifyTotp', { code: '123456' })).toMatchObject(wrong)
    })
  })

  describe('a change of methods', () => {
    // spec L6.5
    test('needs a verification where one is enrolled, before anything is told or done', async () => {
      const code = await enroll()
      const call = fixture.inMfa(session)
      expect(await call('unenrollTotp')).toMatchObject(missing(['totp']))
      expect(await fixture.methodsOf(session)).toMatchObject([{ type: 'totp' }])
      const mfa_token = fixture.tokenIn(await call('verifyTotp', { code: code() }))
      expect(await call('unenrollTotp', { mfa_token })).toMatchObject({
        status: 200,
        answer: { user: { mfa_methods: [] } },
      })
      expect(await fixture.events()).toEqual([
        ['mfa.enrolled', { method: 'totp', verified: null }],
        ['mfa.unenrolled', { method: 'totp', verified: 'totp' }],
      ])
    })

    test('is refused to a session that has ended since, whatever it holds still', async () => {
      const other = fixture.newBrowser()
      const elsewhere = await other.login()
      const code = await enroll()
      const { call, operation } = fixture.inOperation(session, { purpose: 'mfa' })
      const mfa_token = fixture.tokenIn(await call('verifyTotp', { code: code() }))
      const token = await fixture.walletToken(session, { purpose: 'mfa', operation, step: 9 })
      const { refresh_token } = session
      expect(
        await fixture.browser.call('logout', { token: session.token, body: { refresh_token } }),
      ).toMatchObject({ status: 200 })
      expect(await fixture.browser.call('unenrollTotp', { token, body: { mfa_token } })).toMatchObject({
        status: 401,
      })
      expect(await fixture.methodsOf(elsewhere, other)).toMatchObject([{ type: 'totp' }])
    })

    test('is told by mail, and to every session with its next look at the user', async () => {
      const other = fixture.newBrowser()
      const elsewhere = await other.login()
      const before = fixture.context.mails.length
      const code = await enroll()
      expect(await fixture.methodsOf(elsewhere, other)).toMatchObject([{ type: 'totp' }])
      const call = fixture.inMfa(session)
      await call('unenrollTotp', { mfa_token: fixture.tokenIn(await call('verifyTotp', { code: code() })) })
      expect(fixture.context.mails.slice(before).map(({ to, subject }) => [to, subject])).toEqual([
        ['ada@example.com', 'An authenticator app was added to your Fieldnotes account'],
        ['ada@example.com', 'An authenticator app was removed from your Fieldnotes account'],
      ])
    })

    test('to a user without the method changes nothing, and tells nobody', async () => {
      const before = fixture.context.mails.length
      expect(await fixture.inMfa(session)('unenrollTotp')).toMatchObject({ status: 200 })
      expect(fixture.context.mails).toHaveLength(before)
      expect(await fixture.events()).toEqual([])
    })
  })
})
