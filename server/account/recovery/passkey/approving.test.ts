/** Tests the approval by the recovery passkey on a page that the app's opener policy cuts off. */
import * as v from 'valibot'
import { beforeEach, describe, expect, test } from 'vitest'
import type { TestSession } from '../../../identity/sessions/testing/browser.ts'
import { forEachEngine, runsAllTests } from '../../../kernel/db/test-engines.ts'
import {
  type Ceremony,
  flag,
  type TestPasskey,
  testPasskey,
} from '../../../login/passkey/testing/authenticator.ts'
import { confirmationTables } from '../../../wallet/confirm/tables.ts'
import { newHandle } from '../../../wallet/confirm/testing/confirming.ts'
import {
  type ConfirmFixture,
  confirmFixture,
  oneEther,
  somebody,
} from '../../../wallet/confirm/testing/fixture.ts'
import { recoveryPasskeyTables } from '../../../wallet/wallets/tables.ts'

const optionsAnswer = v.looseObject({
  challenge: v.string(),
  rp_id: v.string(),
  timeout: v.number(),
  user_verification: v.string(),
  allow_credentials: v.array(v.looseObject({ id: v.string() })),
})
const toDecide = v.looseObject({ passkey: v.nullable(optionsAnswer) })
const begun = v.looseObject({
  options: v.looseObject({ challenge: v.string(), user: v.optional(v.object({ id: v.string() })) }),
})

const approved = { status: 200, answer: { state: 'approved' } }
const wrong = { status: 422, answer: { code: 'invalid_credentials' } }
const unknown = { status: 404, answer: { code: 'not_found' } }
const notThis = { status: 422, answer: { code: 'invalid_recovery_pin' } }

forEachEngine((database, engine) => {
  let fixture: ConfirmFixture
  let passkey: TestPasskey
  beforeEach(async () => {
    fixture = await confirmFixture(database())
    await fixture.set(
      ['cross_origin_opener_policy', 'same-origin'],
      ['embedded_wallet_config', { user_owned_recovery_options: ['passkey'] }],
    )
    passkey = testPasskey()
    await keepBy(passkey)
    fixture.context.mails.length = 0
  })

  /** Creates an assertion at the top of a window of the wallet's origin. */
  const onPage = (challenge: string): Ceremony => ({
    challenge,
    origin: 'http://wallet.localhost:4000',
    crossOrigin: false,
    rpId: 'wallet.localhost',
  })

  /** Registers the passkey like its window, and simulates a reshare of the wallet with it. */
  async function keepBy(one: TestPasskey, of: TestSession = fixture.session) {
    const { token } = of
    const { options } = v.parse(
      begun,
      (await fixture.browser.call('beginRecoveryPasskey', { token, body: {} })).answer,
    )
    const authenticator_response = one.make(options.user?.id ?? '', onPage(options.challenge))
    const body = { authenticator_response }
    expect(await fixture.browser.call('registerRecoveryPasskey', { token, body })).toMatchObject({
      status: 200,
    })
    const { passkey: kept } = await recoveryPasskeyTables(fixture.context.db)
      .selectFrom('recovery_passkeys')
      .select('passkey')
      .where('credential_id', '=', one.credentialId)
      .executeTakeFirstOrThrow()
    await fixture.context.db
      .updateTable('wallets')
      .set({ recovery_method: 'passkey', recovery_access: kept })
      .where('user_id', '=', of.user.id)
      .execute()
  }

  async function waiting(value = oneEther) {
    const handle = newHandle()
    const request = fixture.transaction({ to: somebody, value, data: '0x' })
    const { answer } = await fixture.put(request, { handle, place: 'page' })
    return { handle, digest: v.parse(v.object({ digest: v.string() }), answer).digest }
  }
  type Waiting = Awaited<ReturnType<typeof waiting>>
  const asked = async ({ handle }: Waiting) =>
    v.parse(toDecide, (await fixture.read(handle)).answer).passkey ?? undefined
  const challengeFor = async (of: Waiting) => (await asked(of))?.challenge ?? ''
  const approve = ({ handle, digest }: Waiting, answer: object) =>
    fixture.decideBy({ handle, digest, decision: 'approve', passkey: answer })
  const stateOf = async ({ handle }: Waiting) =>
    v.parse(v.object({ state: v.string() }), (await fixture.status(handle)).answer).state

  test('only one of several concurrent calls with one assertion finds the challenge', async () => {
    const one = await waiting()
    const answer = passkey.answer(onPage(await challengeFor(one)))
    const brought = await Promise.all([1, 2, 3, 4].map(() => approve(one, answer)))
    expect(brought.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  test('accepts a challenge for five minutes', async () => {
    const one = await waiting()
    const challenge = await challengeFor(one)
    // The request itself waits longer here.
    await confirmationTables(fixture.context.db)
      .updateTable('confirmations')
      .set({ expires_at: 9_999_999_999 })
      .execute()
    const answer = passkey.answer(onPage(challenge))
    fixture.context.clock.advanceSeconds(300)
    expect(await approve(one, answer)).toMatchObject(wrong)
    const later = passkey.answer(onPage(await challengeFor(one)))
    fixture.context.clock.advanceSeconds(299)
    expect(await approve(one, later)).toMatchObject(approved)
  })

  test.each<[string, Partial<Ceremony>]>([
    ['of the dialog', { origin: 'http://dialog.localhost:4000', rpId: 'dialog.localhost' }],
    ['of another page', { origin: 'http://evil.localhost:4000' }],
    ['in a frame', { crossOrigin: true, topOrigin: 'http://demo.localhost:4010' }],
    ['for another relying party', { rpId: 'evil.localhost' }],
    ['of a registration', { type: 'webauthn.create' }],
    ['without user verification', { flags: flag.userPresent }],
    ['to an unknown challenge', { challenge: 'b3RoZXI' }],
  ])('an assertion %s is rejected and only consumes its challenge', async (_what, changes) => {
    const one = await waiting()
    const challenge = await challengeFor(one)
    expect(await approve(one, passkey.answer({ ...onPage(challenge), ...changes }))).toMatchObject(wrong)
    expect(await stateOf(one)).toBe('open')
    expect(await approve(one, passkey.answer(onPage(await challengeFor(one))))).toMatchObject(approved)
  })

  if (!runsAllTests(engine)) return

  test("prompts for the recovery passkey with the wallet's hostname, and approves the one request", async () => {
    const [one, other] = [await waiting(), await waiting(2n * oneEther)]
    const options = await asked(one)
    expect(options).toMatchObject({
      rp_id: 'wallet.localhost',
      user_verification: 'required',
      timeout: 300_000,
      allow_credentials: [{ id: passkey.credentialId }],
    })
    expect(await approve(one, passkey.answer(onPage(options?.challenge ?? '')))).toMatchObject(approved)
    expect(await fixture.release(await fixture.tokenFor(one.handle))).toMatchObject({ status: 200 })
    expect(await stateOf(other)).toBe('open')
    expect(fixture.context.mails).toEqual([])
  })

  test('approves account actions too', async () => {
    const handle = newHandle()
    const action = { method: 'delete-account', params: [] }
    const put = await fixture.browser.call('putConfirmation', {
      token: fixture.session.token,
      body: { handle, address: fixture.address, request: action, origin: null, place: 'page' },
    })
    const { digest } = v.parse(v.looseObject({ digest: v.string() }), put.answer)
    const answer = passkey.answer(onPage(await challengeFor({ handle, digest })))
    expect(await approve({ handle, digest }, answer)).toMatchObject(approved)
  })

  test('accepts an assertion only for the request of its challenge', async () => {
    const [one, other] = [await waiting(), await waiting(2n * oneEther)]
    const answer = passkey.answer(onPage(await challengeFor(one)))
    expect(await approve(other, answer)).toMatchObject(wrong)
    expect([await stateOf(one), await stateOf(other)]).toEqual(['open', 'open'])
    expect(await approve(one, answer)).toMatchObject(approved)
  })

  test('accepts an assertion only for the digest that was shown', async () => {
    const one = await waiting()
    const answer = passkey.answer(onPage(await challengeFor(one)))
    const another = { ...one, digest: `0x${'0'.repeat(64)}` }
    expect(await approve(another, answer)).toMatchObject({ status: 422, answer: { code: 'invalid_data' } })
    expect(await stateOf(one)).toBe('open')
    expect(await approve(one, answer)).toMatchObject(approved)
  })

  test('accepts an assertion once, even for the same request under another handle', async () => {
    const [one, same] = [await waiting(), await waiting()]
    expect(same.digest).toBe(one.digest)
    const answer = passkey.answer(onPage(await challengeFor(one)))
    expect(await approve(one, answer)).toMatchObject(approved)
    expect(await approve(one, answer)).toMatchObject(unknown)
    expect(await approve(same, answer)).toMatchObject(wrong)
    expect(await stateOf(same)).toBe('open')
  })

  test('an assertion of a recovery or registration approves nothing, and one of an approval recovers nothing', async () => {
    const one = await waiting()
    const { token } = fixture.session
    for (const name of ['askRecoveryPasskey', 'beginRecoveryPasskey'] as const) {
      const { options } = v.parse(begun, (await fixture.browser.call(name, { token, body: {} })).answer)
      expect(await approve(one, passkey.answer(onPage(options.challenge)))).toMatchObject(wrong)
    }
    const answer = passkey.answer(onPage(await challengeFor(one)))
    const recovering = fixture.inOperation(fixture.session, {
      purpose: 'recover',
      address: fixture.address,
    })
    expect(await recovering.call('releaseByPasskey', { authenticator_response: answer })).toMatchObject(
      notThis,
    )
    // The assertion was valid, but for another purpose.
    expect(await approve(one, answer)).toMatchObject(approved)
    const { options } = v.parse(
      begun,
      (await fixture.browser.call('askRecoveryPasskey', { token, body: {} })).answer,
    )
    const authenticator_response = passkey.answer(onPage(options.challenge))
    expect(await recovering.call('releaseByPasskey', { authenticator_response })).toMatchObject({
      status: 200,
    })
  })

  test('rejects the passkey of another user', async () => {
    const one = await waiting()
    const eve = await fixture.browser.login('eve@example.com')
    await fixture.makeWallet(eve)
    const ofEve = testPasskey()
    await keepBy(ofEve, eve)
    expect(await approve(one, ofEve.answer(onPage(await challengeFor(one))))).toMatchObject(wrong)
    expect((await asked(one))?.allow_credentials.map(({ id }) => id)).toEqual([passkey.credentialId])
    expect(await approve(one, passkey.answer(onPage(await challengeFor(one))))).toMatchObject(approved)
  })

  test('rejects a replaced recovery passkey', async () => {
    const one = await waiting()
    const before = passkey.answer(onPage(await challengeFor(one)))
    const second = testPasskey()
    await keepBy(second)
    expect(await approve(one, before)).toMatchObject(wrong)
    expect(await approve(one, second.answer(onPage(await challengeFor(one))))).toMatchObject(approved)
  })

  test('rejects a cloned passkey by its unchanged counter', async () => {
    passkey = testPasskey({ counts: true })
    await keepBy(passkey)
    const [one, other] = [await waiting(), await waiting()]
    const counted = async (of: Waiting, counter: number) =>
      approve(of, passkey.answer({ ...onPage(await challengeFor(of)), counter }))
    expect(await counted(one, 9)).toMatchObject(approved)
    expect(await counted(other, 9)).toMatchObject(wrong)
    expect(await counted(other, 10)).toMatchObject(approved)
  })

  test('offers the passkey ten times for one request, and then only a code', async () => {
    const [one, other] = [await waiting(), await waiting()]
    for (let read = 0; read < 10; read += 1) expect(await asked(one)).toBeDefined()
    expect(await asked(one)).toBeUndefined()
    expect(await asked(other)).toBeDefined()
    const code = await fixture.browser.call('sendConfirmationCode', {
      body: { handle: one.handle },
      proof: 'none',
    })
    expect(code).toMatchObject({ status: 200, answer: { by: 'mail' } })
  })

  describe('offers no passkey', () => {
    test("if the app's pages are not cut off, and approves nothing there", async () => {
      const one = await waiting()
      const answer = passkey.answer(onPage(await challengeFor(one)))
      await fixture.set(['cross_origin_opener_policy', null])
      expect(await asked(one)).toBeUndefined()
      expect(await approve(one, answer)).toMatchObject({ answer: { code: 'not_supported' } })
      await fixture.set(['cross_origin_opener_policy', 'same-origin'])
      expect(await approve(one, answer)).toMatchObject(approved)
    })

    test('returns no challenge for a wallet with another recovery method', async () => {
      const one = await waiting()
      await fixture.context.db.updateTable('wallets').set({ recovery_method: 'user-passcode' }).execute()
      expect(await asked(one)).toBeUndefined()
      await fixture.context.db.updateTable('wallets').set({ recovery_method: 'passkey' }).execute()
      expect(await asked(one)).toBeDefined()
    })

    test('returns no challenge for a user without a wallet', async () => {
      const one = await waiting()
      await fixture.context.db.deleteFrom('wallets').execute()
      expect(await asked(one)).toBeUndefined()
    })

    test('returns no challenge for a decided request', async () => {
      const one = await waiting()
      const answer = passkey.answer(onPage(await challengeFor(one)))
      await fixture.decide(one.handle, one.digest, 'refuse')
      expect(await approve(one, answer)).toMatchObject(unknown)
      expect(await stateOf(one)).toBe('refused')
    })
  })

  test('approves with existing passkeys after the app disabled the method', async () => {
    await fixture.set(['embedded_wallet_config', { user_owned_recovery_options: [] }])
    const one = await waiting()
    expect(await approve(one, passkey.answer(onPage(await challengeFor(one))))).toMatchObject(approved)
  })
})
