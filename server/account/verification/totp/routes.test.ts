/** Tests an authenticator app as a second factor over HTTP, beyond the tests of every second factor. */
import * as OTPAuth from 'otpauth'
import * as v from 'valibot'
import { beforeEach, describe, expect, test } from 'vitest'
import type { TestSession } from '../../../identity/sessions/testing/browser.ts'
import { forEachEngine } from '../../../kernel/db/test-engines.ts'
import { type Call, type MfaFixture, mfaFixture, wrong } from '../testing/fixture.ts'
import { secondFactorFacts } from '../testing/second-factor.facts.ts'

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

  /** The app on the user's phone: an independent implementation that reads the URI of the QR code. */
  const appFrom = (totpAuthUrl: string) => {
    const app = OTPAuth.URI.parse(totpAuthUrl)
    return (steps = 0) => app.generate({ timestamp: fixture.context.clock.nowMs() + steps * 30_000 })
  }
  const enroll = async (call: Call = fixture.inMfa(session)) => {
    const { totpAuthUrl } = await fixture.beginTotp(call)
    const code = appFrom(totpAuthUrl)
    const enrolled = await call('enrollTotp', { code: code() })
    expect(enrolled).toMatchObject({ status: 200 })
    // Its step is used, so the next code belongs to the next step.
    fixture.context.clock.advanceSeconds(30)
    return code
  }

  let codeOfApp: (steps?: number) => string = () => '123456'
  secondFactorFacts(() => ({
    fixture,
    session,
    type: 'totp',
    name: 'An authenticator app',
    async begin(call) {
      const begun = await call('beginTotp')
      return {
        begun,
        async end() {
          codeOfApp = appFrom(v.parse(v.object({ totpAuthUrl: v.string() }), begun.answer).totpAuthUrl)
          return ['enrollTotp', { code: codeOfApp() }]
        },
      }
    },
    verify: 'verifyTotp',
    async answer() {
      // A used step of the app cannot be used again.
      fixture.context.clock.advanceSeconds(30)
      return { code: codeOfApp() }
    },
    guess() {
      const right = [-1, 0, 1].map((steps) => codeOfApp(steps))
      return { code: ['000000', '111111', '222222', '333333'].find((each) => !right.includes(each)) }
    },
    removal: ['unenrollTotp', {}],
  }))

  describe('an enrolment', () => {
    // spec L6.6, L7.42
    test("begins with a secret and its URI, and ends with a code, which adds it to the user's second factors", async () => {
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

    test('keeps the secret of a pending enrolment across operations, and does not return it afterwards', async () => {
      const first = await fixture.beginTotp(fixture.inMfa(session))
      const call = fixture.inMfa(session)
      expect(await fixture.beginTotp(call)).toEqual(first)
      expect(await call('enrollTotp', { code: appFrom(first.totpAuthUrl)() })).toMatchObject({ status: 200 })
      expect(await call('beginTotp')).toMatchObject({ status: 400, answer: { code: 'not_supported' } })
      const { token } = session
      const me = await fixture.browser.call('me', { token })
      expect(JSON.stringify(me.answer)).not.toContain(first.totpSecret)
    })

    test('repeats the response under its request id until the enrolment ends', async () => {
      const token = await fixture.walletToken(session, { purpose: 'mfa' })
      const begin = () => fixture.browser.call('beginTotp', { token, requestId: 'begin-once' })
      const first = await begin()
      expect((await begin()).answer).toEqual(first.answer)
      const { totpAuthUrl } = await fixture.beginTotp(fixture.inMfa(session))
      await fixture.inMfa(session)('enrollTotp', { code: appFrom(totpAuthUrl)() })
      expect(await begin()).toMatchObject(over)
    })

    test('names the user by their phone number if they have no address, or else by their id', async () => {
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

    test.each(['beginTotp', 'enrollTotp'] as const)(
      'is not affected by %s of a session that ends after its token was checked',
      async (name) => {
        const { browser, session: ending, end } = await fixture.endingSession()
        const token = await fixture.walletToken(ending, { purpose: 'mfa' }, browser)
        const { totpAuthUrl } = await fixture.beginTotp(fixture.inMfa(ending, browser))
        const code = appFrom(totpAuthUrl)
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

    test("belongs to its session: another session's enrolment has its own secret and replaces it", async () => {
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

    test('expires after ten minutes, and only accepts codes of its own secret', async () => {
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

    test('stores its secret wrapped, which is destroyed with the second factor', async () => {
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
    // spec L8.51
    test('accepts codes of this step and its neighbours, each once', async () => {
      const code = await enroll()
      const verify = (given: string) => fixture.inMfa(session)('verifyTotp', { code: given })
      fixture.context.clock.advanceSeconds(300)
      expect(await verify(code(-2))).toMatchObject(wrong)
      expect(await verify(code(2))).toMatchObject(wrong)
      expect(await verify(code(-1))).toMatchObject({ status: 200 })
      expect(await verify(code(-1))).toMatchObject(wrong)
      expect(await verify(code(1))).toMatchObject({ status: 200 })
      // A step before a used one is used as well.
      expect(await verify(code(0))).toMatchObject(wrong)
    })

    test('rejects the code that enrolled the app', async () => {
      const call = fixture.inMfa(session)
      const { totpAuthUrl } = await fixture.beginTotp(call)
      const code = appFrom(totpAuthUrl)
      await call('enrollTotp', { code: code() })
      expect(await fixture.inMfa(session)('verifyTotp', { code: code() })).toMatchObject(wrong)
      expect(await fixture.inMfa(session)('verifyTotp', { code: code(1) })).toMatchObject({ status: 200 })
    })
  })
})
