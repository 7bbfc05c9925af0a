/** Passkeys as a second factor over HTTP. */
import * as v from 'valibot'
import { beforeEach, describe, expect, test } from 'vitest'
import type { TestBrowser, TestSession } from '../../../identity/sessions/testing/browser.ts'
import { forEachEngine, runsAllTests } from '../../../kernel/db/test-engines.ts'
import {
  type Ceremony,
  flag,
  type TestPasskey,
  testPasskey,
} from '../../../login/passkey/testing/authenticator.ts'
import { type Call, type MfaFixture, mfaFixture, missing, wrong } from '../testing/fixture.ts'
import { secondFactorFacts } from '../testing/second-factor.facts.ts'

const host = 'http://demo.localhost:4010'
const optionsAnswer = v.object({
  relying_party: v.optional(v.string()),
  options: v.looseObject({
    challenge: v.string(),
    user: v.optional(v.looseObject({ id: v.string() })),
    allow_credentials: v.optional(v.array(v.looseObject({ id: v.string() }))),
  }),
})
const inFrame = (challenge: string): Ceremony => ({
  challenge,
  origin: 'http://dialog.localhost:4000',
  crossOrigin: true,
  topOrigin: host,
  rpId: 'dialog.localhost',
})

forEachEngine((database, engine) => {
  let fixture: MfaFixture
  let session: TestSession
  beforeEach(async () => {
    fixture = await mfaFixture(database())
    session = await fixture.browser.login()
  })

  const linkAs = async (passkey: TestPasskey, of = session, from: TestBrowser = fixture.browser) => {
    const { token } = of
    const { options } = v.parse(optionsAnswer, (await from.call('beginPasskeyLink', { token })).answer)
    const authenticator_response = passkey.make(options.user?.id ?? '', inFrame(options.challenge))
    const body = { relying_party: 'dialog.localhost', authenticator_response }
    return from.call('linkPasskey', { token, body })
  }
  const linked = async (of = session, from: TestBrowser = fixture.browser, made = testPasskey()) => {
    expect(await linkAs(made, of, from)).toMatchObject({ status: 200 })
    return made
  }
  const enroll = (call: Call, passkeys: readonly TestPasskey[], more = {}) =>
    call('enrollPasskeys', { credential_ids: passkeys.map(({ credentialId }) => credentialId), ...more })
  const beginVerify = (of = session, from: TestBrowser = fixture.browser) =>
    from.call('beginPasskeyVerification', { token: of.token })
  const challengeFor = async (of = session, from: TestBrowser = fixture.browser) =>
    v.parse(optionsAnswer, (await beginVerify(of, from)).answer).options.challenge
  const answerOf = (passkey: TestPasskey, challenge: string, changes: Partial<Ceremony> = {}) => ({
    authenticator_response: passkey.answer({ ...inFrame(challenge), ...changes }),
  })
  const verify = async (
    passkey: TestPasskey,
    call: Call = fixture.inMfa(session),
    changes: Partial<Ceremony> = {},
  ) => call('verifyPasskey', answerOf(passkey, await challengeFor(), changes))
  const enrolledIds = async () => {
    const { answer } = await fixture.browser.call('me', { token: session.token })
    const accounts = v.parse(
      v.object({ linked_accounts: v.array(v.looseObject({ type: v.string() })) }),
      answer,
    )
    return accounts.linked_accounts
      .filter((account) => account.type === 'passkey' && account.enrolled_in_mfa)
      .map((account) => account.credential_id)
  }

  let passkey = testPasskey()
  secondFactorFacts(() => ({
    fixture,
    session,
    type: 'passkey',
    name: 'Verification with a passkey',
    async begin(_call, { session, browser }) {
      passkey = testPasskey()
      return {
        begun: await linkAs(passkey, session, browser),
        end: async () => ['enrollPasskeys', { credential_ids: [passkey.credentialId] }],
      }
    },
    verify: 'verifyPasskey',
    answer: async ({ session, browser }) => answerOf(passkey, await challengeFor(session, browser)),
    guess: () => answerOf(passkey, 'b3RoZXI'),
    removal: ['enrollPasskeys', { credential_ids: [] }],
  }))

  // spec L7.43, L6.6
  test("a user's passkeys are enrolled by their ids, and the user is notified", async () => {
    const [first, second] = [await linked(), await linked()]
    const enrolled = await enroll(fixture.inMfa(session), [first])
    expect(enrolled).toMatchObject({ status: 200, answer: { user: { mfa_methods: [{ type: 'passkey' }] } } })
    expect(await enrolledIds()).toEqual([first.credentialId])
    const call = fixture.inMfa(session)
    expect(await enroll(call, [first, second])).toMatchObject(missing(['passkey']))
    const mfa_token = fixture.tokenIn(await verify(first, call))
    expect(await enroll(call, [first, second], { mfa_token })).toMatchObject({ status: 200 })
    expect((await enrolledIds()).sort()).toEqual([first.credentialId, second.credentialId].sort())
  })

  describe('an enrolled passkey', () => {
    const stays = {
      status: 401,
      answer: { error: 'Cannot unlink a passkey enrolled in MFA', code: 'missing_or_invalid_mfa' },
    }
    const unlink = ({ credentialId }: TestPasskey) =>
      fixture.browser.call('unlinkPasskey', { token: session.token, body: { credential_id: credentialId } })

    // spec L8.32
    test('cannot be unlinked before it is un-enrolled, which requires a verification', async () => {
      const passkey = await linked()
      await enroll(fixture.inMfa(session), [passkey])
      expect(await unlink(passkey)).toMatchObject(stays)
      const call = fixture.inMfa(session)
      expect(await enroll(call, [])).toMatchObject(missing(['passkey']))
      const mfa_token = fixture.tokenIn(await verify(passkey, call))
      expect(await enroll(call, [], { mfa_token })).toMatchObject({
        status: 200,
        answer: { user: { mfa_methods: [] } },
      })
      expect(await unlink(passkey)).toMatchObject({ status: 200 })
    })

    test('stays enrolled if an attacker with the session registers its id again', async () => {
      const passkey = await linked()
      await enroll(fixture.inMfa(session), [passkey])
      expect(await linkAs(passkey)).toMatchObject({ status: 200 })
      expect(await enrolledIds()).toEqual([passkey.credentialId])
      expect(await unlink(passkey)).toMatchObject(stays)
      expect(await verify(passkey)).toMatchObject({ status: 200 })
    })

    test('serializes enrolment and unlinking of the same passkey', async () => {
      const [first, second] = [await linked(), await linked()]
      const [enrolled, unlinked] = await Promise.all([enroll(fixture.inMfa(session), [first]), unlink(first)])
      expect([enrolled.status, unlinked.status].sort()).not.toEqual([200, 200])
      expect(await unlink(second)).toMatchObject({ status: 200 })
    })
  })

  if (!runsAllTests(engine)) return

  test('a list with a foreign passkey enrols none of them', async () => {
    const own = await linked()
    const other = fixture.newBrowser()
    const eve = await other.login('eve@example.com')
    const theirs = await linked(eve, other)
    for (const stranger of [theirs, testPasskey()]) {
      expect(await enroll(fixture.inMfa(session), [own, stranger])).toMatchObject({
        status: 404,
        answer: { code: 'linked_account_not_found' },
      })
    }
    expect(await enrolledIds()).toEqual([])
    expect(await enroll(fixture.inMfa(session), [own])).toMatchObject({ status: 200 })
  })

  test('more than five passkeys are rejected', async () => {
    const six = Array.from({ length: 6 }, () => testPasskey())
    expect(await enroll(fixture.inMfa(session), six)).toMatchObject({ status: 422 })
  })

  // spec L3.29
  test('a challenge lists only the enrolled passkeys', async () => {
    const [enrolled] = [await linked(), await linked()]
    await enroll(fixture.inMfa(session), [enrolled])
    expect((await beginVerify()).answer).toEqual({
      relying_party: 'dialog.localhost',
      options: {
        challenge: expect.stringMatching(/^[\w-]{43}$/),
        timeout: 300_000,
        rp_id: 'dialog.localhost',
        allow_credentials: [
          { id: enrolled.credentialId, type: 'public-key', transports: ['internal', 'hybrid'] },
        ],
        user_verification: 'required',
      },
    })
  })

  // spec L7.10, L1.10
  test('an enrolled passkey verifies: the page gets the options, and the wallet frame sends the assertion', async () => {
    const address = await fixture.makeWallet(session)
    const [enrolled, other] = [await linked(), await linked()]
    await enroll(fixture.inMfa(session), [enrolled])
    const { options, relying_party } = v.parse(optionsAnswer, (await beginVerify()).answer)
    expect(relying_party).toBe('dialog.localhost')
    expect(options.allow_credentials?.map(({ id }) => id)).toEqual([enrolled.credentialId])
    const { call } = fixture.inOperation(session, { purpose: 'sign', address })
    expect(await call('releaseShares')).toMatchObject(missing(['passkey']))
    expect(await call('verifyPasskey', answerOf(other, options.challenge))).toMatchObject(wrong)
    const mfa_token = fixture.tokenIn(await verify(enrolled, call))
    expect(await call('releaseShares', { mfa_token })).toMatchObject({ status: 200 })
  })

  test("accepts an assertion without a user handle, and rejects one with another user's handle", async () => {
    const passkey = await linked()
    await enroll(fixture.inMfa(session), [passkey])
    const answerAs = async (handle: string) => {
      const ceremony = inFrame(await challengeFor())
      return fixture.inMfa(session)('verifyPasskey', {
        authenticator_response: passkey.answer(ceremony, handle),
      })
    }
    expect(await answerAs('b3RoZXI')).toMatchObject(wrong)
    const answer = passkey.answer(inFrame(await challengeFor()))
    const { user_handle: _unsaid, ...response } = answer.response
    expect(
      await fixture.inMfa(session)('verifyPasskey', { authenticator_response: { ...answer, response } }),
    ).toMatchObject({ status: 200 })
  })

  describe('an assertion is rejected', () => {
    test.each<[string, Partial<Ceremony>]>([
      ['of another page', { origin: 'http://evil.localhost:4000' }],
      ['under another host', { topOrigin: 'http://evil.localhost:4010' }],
      ['to another challenge', { challenge: 'b3RoZXI' }],
      ['for another relying party', { rpId: 'evil.localhost' }],
      ['without user verification', { flags: flag.userPresent }],
    ])('%s', async (_what, changes) => {
      const passkey = await linked()
      await enroll(fixture.inMfa(session), [passkey])
      expect(await verify(passkey, fixture.inMfa(session), changes)).toMatchObject(wrong)
      expect(await verify(passkey)).toMatchObject({ status: 200 })
    })

    test('if it was used, or requested by another session, user or ceremony', async () => {
      const passkey = await linked()
      await enroll(fixture.inMfa(session), [passkey])
      const challenge = await challengeFor()
      const other = fixture.newBrowser()
      const elsewhere = await other.login()
      const there = fixture.inMfa(elsewhere, other)
      expect(await there('verifyPasskey', answerOf(passkey, challenge))).toMatchObject(wrong)
      const { answer } = await fixture.browser.call('beginPasskeyLogin')
      const ofLogin = v.parse(optionsAnswer, answer).options.challenge
      expect(await fixture.inMfa(session)('verifyPasskey', answerOf(passkey, ofLogin))).toMatchObject(wrong)
      expect(await fixture.inMfa(session)('verifyPasskey', answerOf(passkey, challenge))).toMatchObject({
        status: 200,
      })
      expect(await fixture.inMfa(session)('verifyPasskey', answerOf(passkey, challenge))).toMatchObject(wrong)
    })

    test('of a clone with an unchanged counter', async () => {
      const passkey = await linked(session, fixture.browser, testPasskey({ counts: true }))
      await enroll(fixture.inMfa(session), [passkey])
      expect(await verify(passkey, fixture.inMfa(session), { counter: 9 })).toMatchObject({ status: 200 })
      expect(await verify(passkey, fixture.inMfa(session), { counter: 9 })).toMatchObject(wrong)
      expect(await verify(passkey, fixture.inMfa(session), { counter: 10 })).toMatchObject({ status: 200 })
    })
  })

  test('returns no challenge for a user without an enrolled passkey', async () => {
    await linked()
    expect(await beginVerify()).toMatchObject({ status: 401, answer: { code: 'missing_or_invalid_mfa' } })
  })
})
