/** Tests passkey recovery over HTTP: registration, who may use the passkey, and the release for its assertion. */
import * as v from 'valibot'
import { beforeEach, describe, expect, test } from 'vitest'
import { setFields } from '../../../identity/apps/manage.ts'
import type { TestSession } from '../../../identity/sessions/testing/browser.ts'
import { forEachEngine, runsAllTests } from '../../../kernel/db/test-engines.ts'
import {
  type Ceremony,
  flag,
  type TestPasskey,
  testPasskey,
} from '../../../login/passkey/testing/authenticator.ts'
import { enrolledMethod } from '../../verification/testing/enrolled.ts'
import { type MfaFixture, mfaFixture, missing, spent } from '../../verification/testing/fixture.ts'

const options = v.object({
  options: v.looseObject({
    challenge: v.string(),
    user: v.optional(v.looseObject({ id: v.string(), name: v.string() })),
    allow_credentials: v.optional(v.array(v.looseObject({ id: v.string(), type: v.literal('public-key') }))),
  }),
  salt: v.pipe(v.string(), v.length(43)),
})
const pendingAnswer = v.object({
  wallet_id: v.string(),
  generation: v.number(),
  sealing_key: v.object({ id: v.string(), public_key: v.string() }),
})
const reshareAnswer = v.object({
  generation: v.number(),
  sealing_key: v.object({ id: v.string(), public_key: v.string() }),
})
const sealed = v.object({ v: v.literal(1), enc: v.string(), ct: v.string() })
const releasedAnswer = v.looseObject({ auth_share: sealed, recovery_share: sealed })
const off = { status: 403, answer: { code: 'disallowed_recovery_method' } }
const over = { status: 401, answer: { code: 'missing_or_invalid_token' } }
const notThis = { status: 422, answer: { code: 'invalid_recovery_pin' } }

forEachEngine((database, engine) => {
  let fixture: MfaFixture
  let session: TestSession
  let address: string
  let line: Parameters<MfaFixture['vault']['commit']>[0]

  beforeEach(async () => {
    fixture = await mfaFixture(database())
    await allow(['passkey', 'user-passcode'])
    session = await fixture.browser.login('ada@example.com')
    const { call } = fixture.inOperation(session, { purpose: 'create' })
    const pending = v.parse(pendingAnswer, (await call('beginWallet', { chain_type: 'ethereum' })).answer)
    line = {
      appId: fixture.app.id,
      userId: session.user.id,
      walletId: pending.wallet_id,
      kind: 'entropy',
      chain: 'ethereum',
      generation: pending.generation,
    }
    const { id, public_key: publicKey } = pending.sealing_key
    const { commit } = await fixture.vault.commit(line, { id, publicKey })
    const made = {
      wallet_id: commit.walletId,
      generation: commit.generation,
      address: commit.address,
      sealing_key_id: commit.sealingKeyId,
      auth_share: commit.authShare,
      recovery: commit.recovery,
      proof: commit.proof,
    }
    expect(await call('commitWallet', made)).toMatchObject({ status: 200 })
    address = commit.address
  })

  async function allow(methods: readonly string[]) {
    const { context, app } = fixture
    await setFields(context.db, context.clock, app.id, [
      ['embedded_wallet_config', { user_owned_recovery_options: methods }],
    ])
    context.clock.advanceSeconds(5)
  }
  const inDialog = (challenge: string): Ceremony => ({
    challenge,
    origin: 'http://dialog.localhost:4000',
    crossOrigin: true,
    topOrigin: 'http://demo.localhost:4010',
    rpId: 'dialog.localhost',
  })
  /** Creates a response on a page of the wallet's origin that is not framed. */
  const inWindow = (challenge: string): Ceremony => ({
    challenge,
    origin: 'http://wallet.localhost:4000',
    crossOrigin: false,
    rpId: 'wallet.localhost',
  })
  const ask = (name: 'beginRecoveryPasskey' | 'askRecoveryPasskey', of = session, from = fixture.browser) =>
    from.call(name, { token: of.token, body: {} })
  const begun = async (
    name: 'beginRecoveryPasskey' | 'askRecoveryPasskey',
    of = session,
    from = fixture.browser,
  ) => v.parse(options, (await ask(name, of, from)).answer)

  async function register(passkey: TestPasskey, changes: Partial<Ceremony> = {}, of = session) {
    const { options: asked } = await begun('beginRecoveryPasskey', of)
    const ceremony = { ...inWindow(asked.challenge), ...changes }
    const authenticator_response = passkey.make(asked.user?.id ?? '', ceremony)
    return fixture.browser.call('registerRecoveryPasskey', {
      token: of.token,
      body: { authenticator_response },
    })
  }
  /** Continues like the wallet frame, up to the stored envelope. */
  async function keep(credentialId: string, change?: object) {
    const { call } = fixture.inOperation(session, { purpose: 'set-recovery', address, recovery: 'passkey' })
    const { generation, sealing_key } = v.parse(reshareAnswer, (await call('beginReshare')).answer)
    const { id, public_key: publicKey } = sealing_key
    const made = await fixture.vault.reshareByPasskey(
      { ...line, generation },
      { id, publicKey },
      credentialId,
      change,
    )
    const { authShare, recovery, proof } = made.kept
    if (recovery.method !== 'passkey') throw new Error('It is another method')
    const body = {
      generation,
      sealing_key_id: id,
      auth_share: authShare,
      recovery: { method: 'passkey', envelope: recovery.envelope, credential_id: credentialId },
      proof,
    }
    return {
      kept: await call('keepReshare', body),
      commit: () => call('commitReshare', { generation }),
      made,
    }
  }
  async function setBy(passkey: TestPasskey) {
    expect(await register(passkey)).toMatchObject({ status: 200 })
    const { kept, commit, made } = await keep(passkey.credentialId)
    expect(kept).toMatchObject({ status: 200, answer: { recovery: { method: 'passkey' } } })
    expect(await commit()).toMatchObject({
      status: 200,
      answer: { wallet: { recovery_method: 'passkey' } },
    })
    return made
  }
  /** Returns the audit entries about recoveries. */
  const recovered = async (): Promise<readonly unknown[]> => {
    const rows = await fixture.context.db
      .selectFrom('audit_log')
      .select('details')
      .where('event', '=', 'wallet.recovered')
      .execute()
    return rows.map(({ details }) => JSON.parse(details))
  }
  const recovering = () =>
    fixture.inOperation(session, { purpose: 'recover', address, operation: 'op_recover' })
  async function release(passkey: TestPasskey, changes: Partial<Ceremony> = {}, call = recovering().call) {
    const { options: asked } = await begun('askRecoveryPasskey')
    return call('releaseByPasskey', {
      authenticator_response: passkey.answer({ ...inWindow(asked.challenge), ...changes }),
    })
  }

  describe('the passkey of a wallet', () => {
    test('releases the envelope for an assertion that names the passkey and its salt', async () => {
      const passkey = testPasskey()
      const { envelope } = await setBy(passkey)
      const asked = await begun('askRecoveryPasskey')
      expect(asked.options.allow_credentials?.map(({ id }) => id)).toEqual([passkey.credentialId])
      expect((await begun('askRecoveryPasskey')).salt).toBe(asked.salt)
      const { call, operation } = recovering()
      const answered = await release(passkey, {}, call)
      expect(answered.status).toBe(200)
      const { recovery_share } = v.parse(releasedAnswer, answered.answer)
      const of = { ...line, generation: 2, role: 'recovery', address } as const
      const opened = await fixture.vault.open(recovery_share, of, { id: operation, step: 1 })
      expect(opened.toString()).toBe(envelope)
    })

    test('is required before any share is released, except for signing', async () => {
      await setBy(testPasskey())
      expect(await recovering().call('releaseShares')).toMatchObject(off)
      const signing = fixture.inOperation(session, { purpose: 'sign', address })
      expect(await signing.call('releaseShares')).toMatchObject({
        status: 200,
        answer: { recovery_share: null },
      })
    })

    test('still recovers the wallet if the app disabled the method', async () => {
      const passkey = testPasskey()
      await setBy(passkey)
      await allow([])
      expect(await release(passkey)).toMatchObject({ status: 200 })
    })

    test.each<[string, Partial<Ceremony>]>([
      ['of another page', { origin: 'http://evil.localhost:4000' }],
      ['of the dialog', { origin: 'http://dialog.localhost:4000', rpId: 'dialog.localhost' }],
      ['in a frame', { crossOrigin: true, topOrigin: 'http://demo.localhost:4010' }],
      ['to another challenge', { challenge: 'b3RoZXI' }],
      ['for another relying party', { rpId: 'evil.localhost' }],
      ['without user verification', { flags: flag.userPresent }],
    ])('an assertion %s is rejected', async (_what, changes) => {
      const passkey = testPasskey()
      await setBy(passkey)
      expect(await release(passkey, changes)).toMatchObject(notThis)
      expect(await release(passkey)).toMatchObject({ status: 200 })
    })

    test('must be the registered one, and answers a challenge of this session once', async () => {
      const passkey = testPasskey()
      await setBy(passkey)
      expect(await release(testPasskey())).toMatchObject(notThis)
      const { options: asked } = await begun('askRecoveryPasskey')
      const answer = () => ({ authenticator_response: passkey.answer(inWindow(asked.challenge)) })
      expect(await recovering().call('releaseByPasskey', answer())).toMatchObject({ status: 200 })
      expect(await recovering().call('releaseByPasskey', answer())).toMatchObject(notThis)
      // One challenge is for registration, the other is of another session of the same user.
      const { options: ofNew } = await begun('beginRecoveryPasskey')
      const other = fixture.newBrowser()
      const { options: ofOther } = await begun(
        'askRecoveryPasskey',
        await other.login('ada@example.com'),
        other,
      )
      for (const { challenge } of [ofNew, ofOther])
        expect(await release(passkey, { challenge })).toMatchObject(notThis)
      expect(await release(passkey)).toMatchObject({ status: 200 })
    })

    test('is rejected if it is a clone with an unchanged counter', async () => {
      const passkey = testPasskey({ counts: true })
      await setBy(passkey)
      expect(await release(passkey, { counter: 9 })).toMatchObject({ status: 200 })
      expect(await release(passkey, { counter: 9 })).toMatchObject(notThis)
      expect(await release(passkey, { counter: 10 })).toMatchObject({ status: 200 })
    })

    test('has five attempts, and successful ones do not count', async () => {
      const passkey = testPasskey()
      await setBy(passkey)
      for (let turn = 0; turn < 6; turn += 1) expect(await release(passkey)).toMatchObject({ status: 200 })
      for (let turn = 0; turn < 5; turn += 1) expect(await release(testPasskey())).toMatchObject(notThis)
      expect(await release(passkey)).toMatchObject({
        status: 429,
        answer: { code: 'too_many_requests' },
      })
      const tries = await fixture.context.db.selectFrom('attempts').select('key').execute()
      const ofPasskeys = tries.filter(({ key }) => key.startsWith('recovery-passkey:'))
      expect(ofPasskeys).not.toEqual([])
      for (const { key } of ofPasskeys) expect(key).toContain(line.walletId)
      fixture.context.clock.advanceSeconds(300)
      expect(await release(passkey)).toMatchObject({ status: 200 })
    })

    test('recovers nothing after another passkey replaced it', async () => {
      const [first, second] = [testPasskey(), testPasskey()]
      await setBy(first)
      // It recovers the wallet until the other one replaces it.
      expect(await register(second)).toMatchObject({ status: 200 })
      const { kept, commit } = await keep(second.credentialId)
      expect(kept).toMatchObject({ status: 200 })
      expect(await release(first)).toMatchObject({ status: 200 })
      expect(await commit()).toMatchObject({ status: 200 })
      expect(await release(first)).toMatchObject(notThis)
      expect(await release(second)).toMatchObject({ status: 200 })
    })

    test('requires a verification if the user has a second factor, and consumes no attempt or challenge without it', async () => {
      const passkey = testPasskey()
      await setBy(passkey)
      const owner = { app_id: fixture.app.id, user_id: session.user.id, method: 'totp' } as const
      await fixture.context.db
        .insertInto('mfa_methods')
        .values(enrolledMethod({ id: 'mfa_1', ...owner }))
        .execute()
      const { options: asked } = await begun('askRecoveryPasskey')
      const body = { authenticator_response: passkey.answer(inWindow(asked.challenge)) }
      for (let turn = 0; turn < 6; turn += 1)
        expect(await recovering().call('releaseByPasskey', body)).toMatchObject(missing(['totp']))
      await fixture.context.db.deleteFrom('mfa_methods').execute()
      expect(await recovering().call('releaseByPasskey', body)).toMatchObject({ status: 200 })
    })

    test('recovers nothing with a forged verification', async () => {
      const passkey = testPasskey()
      await setBy(passkey)
      const owner = { app_id: fixture.app.id, user_id: session.user.id, method: 'totp' } as const
      await fixture.context.db
        .insertInto('mfa_methods')
        .values(enrolledMethod({ id: 'mfa_1', ...owner }))
        .execute()
      const { options: asked } = await begun('askRecoveryPasskey')
      const authenticator_response = passkey.answer(inWindow(asked.challenge))
      const body = { authenticator_response, mfa_token: 'made-up' }
      for (let turn = 0; turn < 6; turn += 1)
        expect(await recovering().call('releaseByPasskey', body)).toMatchObject(spent)
      expect(await recovered()).toEqual([])
      await fixture.context.db.deleteFrom('mfa_methods').execute()
      // Neither an attempt nor the challenge was consumed.
      expect(await recovering().call('releaseByPasskey', { authenticator_response })).toMatchObject({
        status: 200,
      })
    })

    test('accepts an assertion without a user handle, because the options name the passkey', async () => {
      const passkey = testPasskey()
      await setBy(passkey)
      const { options: asked } = await begun('askRecoveryPasskey')
      const answer = passkey.answer(inWindow(asked.challenge))
      const { user_handle: _none, ...response } = { user_handle: undefined, ...answer.response }
      const body = { authenticator_response: { ...answer, response } }
      expect(await recovering().call('releaseByPasskey', body)).toMatchObject({ status: 200 })
    })

    test('writes an audit entry and sends a mail only if it recovered the wallet', async () => {
      const passkey = testPasskey()
      await setBy(passkey)
      const before = fixture.context.mails.length
      expect(await release(testPasskey())).toMatchObject(notThis)
      expect(await recovered()).toEqual([])
      expect(fixture.context.mails).toHaveLength(before)
      expect(await release(passkey)).toMatchObject({ status: 200 })
      expect(fixture.context.mails.slice(before).map(({ to, subject }) => [to, subject])).toEqual([
        ['ada@example.com', `Your wallet was recovered on a new device in ${fixture.app.name}`],
      ])
      expect(await recovered()).toMatchObject([
        { purpose: 'recover', wallet: line.walletId, operation: 'op_recover', verified: null },
      ])
    })

    test('a retry after a lost response returns nothing of a later recovery method', async () => {
      const [first, second] = [testPasskey(), testPasskey()]
      await setBy(first)
      const { options: asked } = await begun('askRecoveryPasskey')
      const token = await fixture.walletToken(session, { purpose: 'recover', address })
      const body = { authenticator_response: first.answer(inWindow(asked.challenge)) }
      const releasing = () =>
        fixture.browser.call('releaseByPasskey', { token, body, requestId: 'release-once' })
      expect(await releasing()).toMatchObject({ status: 200 })
      expect(await releasing()).toMatchObject({ status: 200 })
      await setBy(second)
      expect(await releasing()).toMatchObject(notThis)
    })

    test('is used once if it answers several challenges with the same counter', async () => {
      const passkey = testPasskey({ counts: true })
      await setBy(passkey)
      const answers = []
      for (let turn = 0; turn < 4; turn += 1) {
        const { options: asked } = await begun('askRecoveryPasskey')
        answers.push(passkey.answer({ ...inWindow(asked.challenge), counter: 9 }))
      }
      const released = await Promise.all(
        answers.map((authenticator_response) =>
          recovering().call('releaseByPasskey', { authenticator_response }),
        ),
      )
      expect(released.map(({ status }) => status).sort()).toEqual([200, 422, 422, 422])
      expect(await recovered()).toHaveLength(1)
    })

    test('is not offered to a session that ended after its token was checked', async () => {
      await setBy(testPasskey())
      const ending = await fixture.endingSession()
      expect(await ask('askRecoveryPasskey', ending.session, ending.browser)).toMatchObject({ status: 200 })
      ending.end()
      expect(await ask('askRecoveryPasskey', ending.session, ending.browser)).toMatchObject(over)
    })

    test('returns no options for a wallet with password recovery', async () => {
      await setBy(testPasskey())
      await fixture.context.db.updateTable('wallets').set({ recovery_method: 'user-passcode' }).execute()
      expect(await ask('askRecoveryPasskey')).toMatchObject(off)
    })

    test('returns no options without a wallet', async () => {
      expect(await ask('askRecoveryPasskey')).toMatchObject(off)
      const other = await fixture.browser.login('eve@example.com')
      expect(await ask('askRecoveryPasskey', other)).toMatchObject({
        status: 404,
        answer: { code: 'embedded_wallet_not_found' },
      })
    })

    test('stays when the login passkey is unlinked', async () => {
      const [ofLogin, ofWallet] = [testPasskey(), testPasskey()]
      const link = await fixture.browser.call('beginPasskeyLink', { token: session.token, body: {} })
      const { challenge, user } = v.parse(
        v.looseObject({ options: options.entries.options }),
        link.answer,
      ).options
      const authenticator_response = ofLogin.make(user?.id ?? '', inDialog(challenge))
      const linked = { relying_party: 'dialog.localhost', authenticator_response }
      expect(await fixture.browser.call('linkPasskey', { token: session.token, body: linked })).toMatchObject(
        { status: 200 },
      )
      await setBy(ofWallet)
      const unlink = (credential_id: string) =>
        fixture.browser.call('unlinkPasskey', { token: session.token, body: { credential_id } })
      expect(await unlink(ofWallet.credentialId)).toMatchObject({ status: 404 })
      expect(await unlink(ofLogin.credentialId)).toMatchObject({ status: 200 })
      expect(await release(ofWallet)).toMatchObject({ status: 200 })
    })
  })

  if (!runsAllTests(engine)) return

  describe('a new passkey', () => {
    test('has a new user handle each time and logs in no user', async () => {
      const first = await begun('beginRecoveryPasskey')
      const second = await begun('beginRecoveryPasskey')
      const link = await fixture.browser.call('beginPasskeyLink', { token: session.token, body: {} })
      const ofLogin = v.parse(v.object({ options: options.entries.options }), link.answer).options.user
      const handles = [first.options.user?.id, second.options.user?.id, ofLogin?.id]
      expect(new Set(handles).size).toBe(3)
      expect(first.salt).not.toBe(second.salt)
      expect(first.options.user?.name).toBe(`Wallet recovery: ada@example.com (${fixture.app.name})`)

      const passkey = testPasskey()
      await setBy(passkey)
      const { answer } = await fixture.browser.call('me', { token: session.token })
      expect(JSON.stringify(answer)).not.toContain(passkey.credentialId)
      const login = await fixture.browser.call('beginPasskeyLogin', { body: {} })
      const { challenge } = v.parse(v.looseObject({ options: options.entries.options }), login.answer).options
      const body = {
        relying_party: 'dialog.localhost',
        challenge,
        authenticator_response: passkey.answer(inDialog(challenge)),
      }
      expect(await fixture.browser.call('loginWithPasskey', { body })).toMatchObject({
        status: 422,
        answer: { code: 'invalid_credentials' },
      })
    })

    test('notifies the user by mail once when it becomes the recovery method', async () => {
      const passkey = testPasskey()
      expect(await register(passkey)).toMatchObject({ status: 200 })
      const { commit } = await keep(passkey.credentialId)
      const before = fixture.context.mails.length
      expect(await commit()).toMatchObject({ status: 200 })
      // Its response was lost.
      expect(await commit()).toMatchObject({ status: 200 })
      const mails = fixture.context.mails.slice(before)
      expect(mails.map(({ to, subject }) => [to, subject])).toEqual([
        ['ada@example.com', `The recovery of your wallet was changed in ${fixture.app.name}`],
      ])
      expect(JSON.stringify(mails)).not.toContain(address)
    })

    test('accepts a challenge in the encodings of browsers', async () => {
      const passkey = testPasskey()
      for (const challenge of ['\0', '']) {
        expect(await register(passkey, { challenge })).toMatchObject({
          status: 422,
          answer: { code: 'invalid_credentials' },
        })
      }
      expect(await register(passkey)).toMatchObject({ status: 200 })
    })

    test('is only available in apps that enable it, which is off by default', async () => {
      const passkey = testPasskey()
      expect(await register(passkey)).toMatchObject({ status: 200 })
      for (const methods of [['user-passcode'], []]) {
        await allow(methods)
        expect(await ask('beginRecoveryPasskey')).toMatchObject(off)
        expect((await keep(passkey.credentialId)).kept).toMatchObject(off)
      }
      await allow(['passkey'])
      expect((await keep(passkey.credentialId)).kept).toMatchObject({ status: 200 })
    })

    test('is rejected if the app disabled the method meanwhile', async () => {
      const passkey = testPasskey()
      const { options: asked } = await begun('beginRecoveryPasskey')
      const made = passkey.make(asked.user?.id ?? '', inWindow(asked.challenge))
      const take = () =>
        fixture.browser.call('registerRecoveryPasskey', {
          token: session.token,
          body: { authenticator_response: made },
        })
      await allow([])
      expect(await take()).toMatchObject(off)
      await allow(['passkey'])
      expect(await take()).toMatchObject({ status: 200 })
    })

    test.each(['beginRecoveryPasskey', 'registerRecoveryPasskey'] as const)(
      'is not created by %s if the session ends after its token was checked',
      async (name) => {
        const { browser, session: ending, end } = await fixture.endingSession()
        const { options: asked } = await begun('beginRecoveryPasskey', ending, browser)
        const made = testPasskey().make(asked.user?.id ?? '', inWindow(asked.challenge))
        const body = name === 'beginRecoveryPasskey' ? {} : { authenticator_response: made }
        end()
        expect(await browser.call(name, { token: ending.token, body })).toMatchObject(over)
      },
    )

    test('uses the app name for a user without a known name', async () => {
      await fixture.context.db.deleteFrom('linked_accounts').execute()
      const { options: asked } = await begun('beginRecoveryPasskey')
      expect(asked.user?.name).toBe(`Wallet recovery: ${fixture.app.name}`)
    })

    test.each<[string, Partial<Ceremony>]>([
      ['of another page', { origin: 'http://evil.localhost:4000' }],
      ['of the dialog', { origin: 'http://dialog.localhost:4000', rpId: 'dialog.localhost' }],
      ['in a frame', { crossOrigin: true, topOrigin: 'http://demo.localhost:4010' }],
      ['to another challenge', { challenge: 'b3RoZXI' }],
      ['for another relying party', { rpId: 'evil.localhost' }],
      ['without user verification', { flags: flag.userPresent | flag.attested }],
    ])('a response %s is rejected', async (_what, changes) => {
      const passkey = testPasskey()
      expect(await register(passkey, changes)).toMatchObject({
        status: 422,
        answer: { code: 'invalid_credentials' },
      })
      expect(await register(passkey)).toMatchObject({ status: 200 })
    })

    test('recovers no wallet if it is unregistered, of another user, or expired', async () => {
      const passkey = testPasskey()
      const gone = { status: 422, answer: { code: 'invalid_data' } }
      expect((await keep(passkey.credentialId)).kept).toMatchObject(gone)
      const other = await fixture.browser.login('eve@example.com')
      expect(await register(passkey, {}, other)).toMatchObject({ status: 200 })
      expect((await keep(passkey.credentialId)).kept).toMatchObject(gone)
      expect(await register(passkey)).toMatchObject({ status: 200 })
      fixture.context.clock.advanceSeconds(30 * 60)
      session = await fixture.browser.login('ada@example.com')
      expect((await keep(passkey.credentialId)).kept).toMatchObject(gone)
    })

    test('rejects an envelope of another generation', async () => {
      const passkey = testPasskey()
      expect(await register(passkey)).toMatchObject({ status: 200 })
      for (const change of [{ gen: 1 }, { kdf: 'none' }, { v: 2 }, { more: true }])
        expect((await keep(passkey.credentialId, change)).kept, JSON.stringify(change)).toMatchObject({
          status: 422,
          answer: { code: 'invalid_data' },
        })
      expect((await keep(passkey.credentialId)).kept).toMatchObject({ status: 200 })
    })

    test('can be created ten times an hour', async () => {
      for (let turn = 0; turn < 10; turn += 1)
        expect(await register(testPasskey())).toMatchObject({ status: 200 })
      expect(await register(testPasskey())).toMatchObject({
        status: 429,
        answer: { code: 'too_many_requests' },
      })
      const eve = await fixture.browser.login('eve@example.com')
      expect(await register(testPasskey(), {}, eve)).toMatchObject({ status: 200 })
    })
  })
})
