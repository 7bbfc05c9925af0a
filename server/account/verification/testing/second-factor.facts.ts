/**
 * Tests that every second factor passes. Each factor runs them with its own enrolment and its own answers, and has tests
 * of its own for its peculiarities.
 */
import { type MfaMethodType, mfaMethodTypes } from '@latchkey/protocol'
import { describe, expect, test } from 'vitest'
import { setFields } from '../../../identity/apps/manage.ts'
import type { TestBrowser, TestSession } from '../../../identity/sessions/testing/browser.ts'
import { enrolledMethod } from './enrolled.ts'
import { type Call, type MfaFixture, missing, spent, wrong } from './fixture.ts'

/** A logged-in user and their browser. */
export type Owner = { session: TestSession; browser: TestBrowser }
type CallOf = readonly [name: Parameters<Call>[0], body: object]
type Answered = Awaited<ReturnType<Call>>

export type SecondFactor = {
  fixture: MfaFixture
  session: TestSession
  type: MfaMethodType
  /** The factor's name in mails. */
  name: string
  /** Begins an enrolment, which `end` completes. */
  begin: (call: Call, owner: Owner) => Promise<{ begun: Answered; end: () => Promise<CallOf> }>
  verify: 'verifyTotp' | 'verifySms' | 'verifyPasskey'
  /** Returns the right answers of the latest enrolment. Each answer is different. */
  answer: (owner: Owner) => Promise<object>
  /** Returns an answer of an attacker without the factor. */
  guess: () => object
  removal: CallOf
}

const locked = { status: 429, answer: { code: 'mfa_verification_max_attempts_reached' } }
const notOffered = { status: 400, answer: { code: 'not_supported' } }

export function secondFactorFacts(factorOf: () => SecondFactor): void {
  const own = (): Owner => ({ session: factorOf().session, browser: factorOf().fixture.browser })
  const inMfa = ({ session, browser }: Owner = own()) => factorOf().fixture.inMfa(session, browser)

  async function enrol(owner = own()): Promise<Answered> {
    const call = inMfa(owner)
    const { begun, end } = await factorOf().begin(call, owner)
    return begun.status === 200 ? call(...(await end())) : begun
  }
  async function enrolled(owner = own()): Promise<void> {
    expect(await enrol(owner)).toMatchObject({ status: 200 })
  }
  const verify = (body: object, call = inMfa()) => call(factorOf().verify, body)
  const verified = async (call: Call) => {
    const { fixture, answer } = factorOf()
    return fixture.tokenIn(await verify(await answer(own()), call))
  }
  /** Creates the calls of an operation that signs with a wallet of the user. */
  async function signing() {
    const { fixture, session } = factorOf()
    const address = await fixture.makeWallet(session)
    return () => ({ address, ...fixture.inOperation(session, { purpose: 'sign', address }) })
  }
  async function offer(methods: readonly MfaMethodType[]) {
    const { context, app } = factorOf().fixture
    await setFields(context.db, context.clock, app.id, [['mfa_methods', methods]])
    // Servers reread an app after some seconds.
    context.clock.advanceSeconds(5)
  }

  describe('the enrolment of a second factor', () => {
    // spec L6.6
    test("adds it to the user's second factors", async () => {
      const { fixture, session, type } = factorOf()
      const call = inMfa()
      const { end } = await factorOf().begin(call, own())
      expect(await fixture.methodsOf(session)).toEqual([])
      const now = Math.floor(fixture.context.clock.nowMs() / 1_000)
      const methods = [{ type, verified_at: now }]
      expect(await call(...(await end()))).toMatchObject({
        status: 200,
        answer: { user: { mfa_methods: methods } },
      })
      expect(await fixture.methodsOf(session)).toEqual(methods)
      expect(await fixture.events()).toEqual([['mfa.enrolled', { method: type, verified: null }]])
    })

    test('is rejected if the app does not offer it', async () => {
      const { newBrowser, newApp, context } = factorOf().fixture
      const app = await newApp()
      await setFields(context.db, context.clock, app.id, [['mfa_methods', []]])
      context.clock.advanceSeconds(5)
      const browser = newBrowser(app)
      expect(await enrol({ session: await browser.login(), browser })).toMatchObject(notOffered)
    })

    test('cannot be completed if the app disabled the factor meanwhile', async () => {
      const { type, begin } = factorOf()
      const call = inMfa()
      const { end } = await begin(call, own())
      await offer(mfaMethodTypes.filter((other) => other !== type))
      const ending = await end()
      expect(await call(...ending)).toMatchObject({ answer: { code: 'not_supported' } })
      await offer(mfaMethodTypes)
      expect(await call(...ending)).toMatchObject({ status: 200 })
    })

    // spec L6.6
    test('of two factors at once succeeds for the first; the second requires a verification', async () => {
      const { fixture, session, type, begin } = factorOf()
      const { db } = fixture.context
      const call = inMfa()
      const [name, body] = await (await begin(call, own())).end()
      // Simulates that the other one was enrolled meanwhile.
      const method = type === 'totp' ? 'passkey' : 'totp'
      const other = { id: 'other', app_id: fixture.app.id, user_id: session.user.id, method } as const
      await db.insertInto('mfa_methods').values(enrolledMethod(other)).execute()
      expect(await call(name, body)).toMatchObject(missing([method]))
      expect(await call(name, { ...body, mfa_token: 'made up' })).toMatchObject(spent)
      await db.deleteFrom('mfa_methods').where('id', '=', 'other').execute()
      expect(await call(name, body)).toMatchObject({ status: 200 })
    })
  })

  describe('a verification by a second factor', () => {
    // spec L1.10, W1.2
    test('releases a share once, for its operation', async () => {
      const { fixture, type } = factorOf()
      const sign = await signing()
      await enrolled()
      const { address, call, operation } = sign()
      expect(await call('releaseShares')).toMatchObject(missing([type]))
      const mfa_token = await verified(call)
      expect(await call('releaseShares', { mfa_token })).toMatchObject({
        status: 200,
        answer: { wallet: { address }, recovery_share: null },
      })
      expect(await call('releaseShares', { mfa_token })).toMatchObject(spent)
      const entries = await fixture.context.db.selectFrom('audit_log').select(['event', 'details']).execute()
      const released = entries.filter(({ event }) => event === 'wallet.signed')
      expect(released.map(({ details }) => JSON.parse(details))).toMatchObject([
        { operation, verified: type },
      ])
    })

    test('a used verification stays available to a retry after a lost response', async () => {
      const { fixture, session } = factorOf()
      const sign = await signing()
      await enrolled()
      const { address, call, operation } = sign()
      const mfa_token = await verified(call)
      const tokenOf = (step: number) =>
        fixture.walletToken(session, { purpose: 'sign', address, operation, step })
      const request = { token: await tokenOf(9), body: { mfa_token }, requestId: 'release-once' }
      expect(await fixture.browser.call('releaseShares', request)).toMatchObject({ status: 200 })
      expect(await fixture.browser.call('releaseShares', request)).toMatchObject({ status: 200 })
      const again = { ...request, token: await tokenOf(10) }
      expect(
        await fixture.browser.call('releaseShares', { ...again, requestId: 'release-again' }),
      ).toMatchObject(spent)
      // A verification and a confirmation that were consumed for one step are not returned to another.
      expect(await fixture.browser.call('releaseShares', again)).toMatchObject({
        status: 422,
        answer: { code: 'invalid_data' },
      })
    })

    test('is created once per request id, with one token', async () => {
      const { fixture, session, answer, verify: name } = factorOf()
      await enrolled()
      const token = await fixture.walletToken(session, { purpose: 'mfa' })
      const request = { token, body: await answer(own()), requestId: 'verify-once' }
      const first = await fixture.browser.call(name, request)
      expect(first).toMatchObject({ status: 200 })
      expect((await fixture.browser.call(name, request)).answer).toEqual(first.answer)
      const kept = await fixture.context.db
        .selectFrom('mfa_verifications' as never)
        .selectAll()
        .execute()
      expect(kept).toHaveLength(1)
      expect(JSON.stringify(kept)).not.toContain(fixture.tokenIn(first))
    })

    test('lasts two minutes', async () => {
      const { clock } = factorOf().fixture.context
      const sign = await signing()
      await enrolled()
      const releasedAfter = async (seconds: number) => {
        const { call } = sign()
        const mfa_token = await verified(call)
        clock.advanceSeconds(seconds)
        return call('releaseShares', { mfa_token })
      }
      expect(await releasedAfter(119)).toMatchObject({ status: 200 })
      expect(await releasedAfter(120)).toMatchObject(spent)
    })

    test('accepts a right answer once, and no wrong one', async () => {
      const { answer, guess } = factorOf()
      await enrolled()
      const right = await answer(own())
      expect(await verify(guess())).toMatchObject(wrong)
      expect(await verify(right)).toMatchObject({ status: 200 })
      expect(await verify(right)).toMatchObject(wrong)
    })

    test('two concurrent calls with one response yield one verification', async () => {
      await enrolled()
      const right = await factorOf().answer(own())
      const answers = await Promise.all([verify(right), verify(right)])
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 401])
    })

    test('is rejected like a wrong answer if the user does not have the factor', async () => {
      expect(await verify(factorOf().guess())).toMatchObject(wrong)
    })

    // spec L4.47, W8.34
    test('allows four guesses per operation', async () => {
      const { fixture, answer, guess } = factorOf()
      const sign = await signing()
      await enrolled()
      const { call } = sign()
      for (let turn = 0; turn < 4; turn += 1) expect(await verify(guess(), call)).toMatchObject(wrong)
      // The four guesses also lock the user's factor for this time.
      fixture.context.clock.advanceSeconds(10)
      const right = await answer(own())
      expect(await verify(right, call)).toMatchObject(locked)
      expect(await verify(right, sign().call)).toMatchObject({ status: 200 })
    })

    test('is rejected for a session that ends after its token was checked', async () => {
      const { fixture, answer, verify: name } = factorOf()
      const { browser, session, end } = await fixture.endingSession()
      const owner = { browser, session }
      await enrolled(owner)
      const right = await answer(owner)
      const token = await fixture.walletToken(session, { purpose: 'mfa' }, browser)
      const methods = () => fixture.context.db.selectFrom('mfa_methods').selectAll().execute()
      const before = await methods()
      end()
      expect(await browser.call(name, { token, body: right })).toMatchObject({
        status: 401,
        answer: { code: 'missing_or_invalid_token' },
      })
      expect(await methods()).toEqual(before)
    })
  })

  describe('the removal of a second factor', () => {
    const remove = (call: Call, more = {}) => {
      const [name, body] = factorOf().removal
      return call(name, { ...body, ...more })
    }
    const subjects = () =>
      factorOf()
        .fixture.context.mails.filter(({ subject }) => !subject.includes('way to log in'))
        .map(({ to, subject }) => [to, subject])

    // spec L6.5
    test('requires a verification before it has any effect, and then leaves no second factor', async () => {
      const { fixture, session, type } = factorOf()
      await enrolled()
      const call = inMfa()
      expect(await remove(call)).toMatchObject(missing([type]))
      expect(await fixture.methodsOf(session)).toMatchObject([{ type }])
      expect(await remove(call, { mfa_token: await verified(call) })).toMatchObject({
        status: 200,
        answer: { user: { mfa_methods: [] } },
      })
      expect(await fixture.events()).toEqual([
        ['mfa.enrolled', { method: type, verified: null }],
        ['mfa.unenrolled', { method: type, verified: type }],
      ])
    })

    test('is rejected for a session that has ended since', async () => {
      const { fixture, session, type, removal } = factorOf()
      const other = fixture.newBrowser()
      const elsewhere = await other.login()
      await enrolled()
      const { call, operation } = fixture.inOperation(session, { purpose: 'mfa' })
      const mfa_token = await verified(call)
      const removing = { purpose: 'mfa', operation, step: 9, removes: type } as const
      const token = await fixture.walletToken(session, removing)
      const { refresh_token } = session
      expect(
        await fixture.browser.call('logout', { token: session.token, body: { refresh_token } }),
      ).toMatchObject({ status: 200 })
      const [name, body] = removal
      expect(await fixture.browser.call(name, { token, body: { ...body, mfa_token } })).toMatchObject({
        status: 401,
      })
      expect(await fixture.methodsOf(elsewhere, other)).toMatchObject([{ type }])
    })

    test('sends a mail like the enrolment, and updates the user in every session', async () => {
      const { fixture, type, name } = factorOf()
      const other = fixture.newBrowser()
      const elsewhere = await other.login()
      const before = subjects().length
      await enrolled()
      expect(await fixture.methodsOf(elsewhere, other)).toMatchObject([{ type }])
      const call = inMfa()
      await remove(call, { mfa_token: await verified(call) })
      expect(await fixture.methodsOf(elsewhere, other)).toEqual([])
      expect(subjects().slice(before)).toEqual([
        ['ada@example.com', `${name} was added to your Fieldnotes account`],
        ['ada@example.com', `${name} was removed from your Fieldnotes account`],
      ])
    })

    test('removing a method that is not enrolled changes nothing and sends no mail', async () => {
      const { fixture } = factorOf()
      const before = subjects().length
      expect(await remove(inMfa())).toMatchObject({ status: 200 })
      expect(subjects()).toHaveLength(before)
      expect(await fixture.events()).toEqual([])
    })
  })
}
