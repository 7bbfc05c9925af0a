/** Login with a passkey over HTTP, with an authenticator of keys that the test makes. */
import * as v from 'valibot'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Server } from '../../app.ts'
import type { App } from '../../apps/apps.ts'
import { changeAllowlist, setFields } from '../../apps/manage.ts'
import { forEachEngine } from '../../db/test-engines.ts'
import {
  type CallOptions,
  sessionAnswer,
  type TestBrowser,
  testBrowser,
  testServer,
} from '../../sessions/testing/browser.ts'
import { createTokenVerifier } from '../../sessions/verifier.ts'
import { type TestContext, testApp, testContext } from '../../testing/context.ts'
import { type Ceremony, type TestPasskey, testPasskey } from './testing/authenticator.ts'

const host = 'http://demo.localhost:4010'
const dialog = 'http://dialog.localhost:4000'

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0'

const loginBegun = v.object({ relying_party: v.string(), options: v.looseObject({ challenge: v.string() }) })
const linkBegun = v.object({
  relying_party: v.string(),
  options: v.looseObject({ challenge: v.string(), user: v.looseObject({ id: v.string() }) }),
})

forEachEngine(
  (database) => {
    let context: TestContext
    let app: App
    let server: Server
    let browser: TestBrowser
    beforeEach(async () => {
      context = await testContext(database(), {
        verifyToken: (own) => (token) => createTokenVerifier(own())(token),
      })
      app = await testApp(context)
      await setFields(context.db, context.clock, app.id, [['passkey_auth', true]])
      context.clock.advanceSeconds(5)
      server = testServer(context)
      browser = testBrowser(server, context, app)
    })

    const inFrame = (challenge: string): Ceremony => ({
      challenge,
      origin: dialog,
      crossOrigin: true,
      topOrigin: host,
      rpId: 'dialog.localhost',
    })

    const beginLink = (token: string, from = browser) => from.call('beginPasskeyLink', { token })
    const linkOptionsFor = async (token: string, from = browser) =>
      v.parse(linkBegun, (await beginLink(token, from)).answer).options
    const link = async (
      token: string,
      passkey: TestPasskey,
      {
        from = browser,
        changes = {},
        ...options
      }: { from?: TestBrowser; changes?: Partial<Ceremony> } & CallOptions = {},
    ) => {
      const { challenge, user } = await linkOptionsFor(token, from)
      const authenticator_response = passkey.make(user.id, { ...inFrame(challenge), ...changes })
      const body = { relying_party: 'dialog.localhost', authenticator_response }
      return from.call('linkPasskey', { token, body, ...options })
    }

    const challengeFor = async (from = browser) =>
      v.parse(loginBegun, (await from.call('beginPasskeyLogin')).answer).options.challenge
    const bodyOf = (challenge: string, passkey: TestPasskey, changes: Partial<Ceremony> = {}) => ({
      relying_party: 'dialog.localhost',
      challenge,
      authenticator_response: passkey.answer({ ...inFrame(challenge), ...changes }),
    })
    const login = async (passkey: TestPasskey, from = browser) =>
      from.call('loginWithPasskey', { body: bodyOf(await challengeFor(from), passkey) })

    /** A user with an e-mail and this passkey. */
    const userWith = async (passkey: TestPasskey, email = 'ada@example.com') => {
      const session = await browser.login(email)
      expect(await link(session.token, passkey)).toMatchObject({ status: 200 })
      return session
    }
    const refused = (reason: string) => ({
      status: 422,
      answer: { code: 'invalid_credentials', details: { reason } },
    })

    describe('a passkey', () => {
      // spec L1.5, L7.33, L7.40, L3.4
      test('is linked by a user who then logs in with it and names nobody', async () => {
        const { token, user } = await browser.login()
        const passkey = testPasskey({ aaguid: 'd548826e-79b4-db40-a3d8-11116f7e8349' })
        expect(await link(token, passkey, { headers: { 'user-agent': firefox } })).toMatchObject({
          status: 200,
          answer: {
            linked_accounts: expect.arrayContaining([
              {
                type: 'passkey',
                credential_id: passkey.credentialId,
                authenticator_name: 'Bitwarden',
                created_with_browser: 'Firefox',
                created_with_os: 'Linux',
                enrolled_in_mfa: false,
                verified_at: context.clock.nowMs() / 1_000,
                first_verified_at: context.clock.nowMs() / 1_000,
                latest_verified_at: context.clock.nowMs() / 1_000,
              },
            ]),
          },
        })
        context.clock.advanceSeconds(60)
        const answer = await login(passkey, testBrowser(server, context, app))
        expect(answer).toMatchObject({
          status: 200,
          answer: {
            is_new_user: false,
            user: {
              id: user.id,
              linked_accounts: expect.arrayContaining([
                expect.objectContaining({
                  type: 'passkey',
                  authenticator_name: 'Bitwarden',
                  verified_at: context.clock.nowMs() / 1_000 - 60,
                  latest_verified_at: context.clock.nowMs() / 1_000,
                }),
              ]),
            },
            token: expect.any(String),
            refresh_token: expect.any(String),
          },
        })
      })

      // spec L3.29
      test('is asked for with these options, at a login', async () => {
        expect(await browser.call('beginPasskeyLogin')).toMatchObject({
          status: 200,
          answer: {
            relying_party: 'dialog.localhost',
            options: {
              challenge: expect.stringMatching(/^[\w-]{43}$/),
              timeout: 300_000,
              rp_id: 'dialog.localhost',
              allow_credentials: [],
              user_verification: 'required',
            },
          },
        })
      })

      test('is made with these options, and not twice on one device', async () => {
        const passkey = testPasskey()
        const { token, user } = await userWith(passkey)
        expect(await beginLink(token)).toMatchObject({
          status: 200,
          answer: {
            relying_party: 'dialog.localhost',
            options: {
              rp: { name: 'Fieldnotes', id: 'dialog.localhost' },
              user: {
                id: Buffer.from(user.id).toString('base64url'),
                name: 'ada@example.com (Fieldnotes)',
                display_name: 'ada@example.com',
              },
              challenge: expect.stringMatching(/^[\w-]{43}$/),
              pub_key_cred_params: [
                { alg: -7, type: 'public-key' },
                { alg: -8, type: 'public-key' },
                { alg: -257, type: 'public-key' },
              ],
              timeout: 300_000,
              exclude_credentials: [
                { id: passkey.credentialId, type: 'public-key', transports: ['internal', 'hybrid'] },
              ],
              authenticator_selection: {
                require_resident_key: true,
                resident_key: 'required',
                user_verification: 'required',
              },
              attestation: 'none',
              extensions: { cred_props: { rk: true } },
            },
          },
        })
      })

      test('is one of five at most, also where the last two come at once', async () => {
        const { token } = await browser.login()
        for (let count = 0; count < 4; count += 1) {
          expect(await link(token, testPasskey())).toMatchObject({ status: 200 })
        }
        // spec L5.15
        const late = [testPasskey(), testPasskey(), testPasskey()]
        const answers = await Promise.all(late.map((passkey) => link(token, passkey)))
        expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400])
        const full = {
          status: 400,
          answer: { code: 'cannot_link_more_of_type', error: 'Cannot link more passkeys to account.' },
        }
        expect(answers.find(({ status }) => status === 400)).toMatchObject(full)
        expect(await beginLink(token)).toMatchObject(full)
        // Of one that was refused nothing is kept that would let it in.
        const logins = []
        for (const passkey of late) logins.push(await login(passkey))
        expect(logins.map(({ status }) => status)).toEqual(
          answers.map(({ status }) => (status === 200 ? 200 : 422)),
        )
        const { answer } = await browser.call('me', { token })
        const accounts = v.parse(
          v.object({ linked_accounts: v.array(v.object({ type: v.string() })) }),
          answer,
        )
        expect(accounts.linked_accounts.filter(({ type }) => type === 'passkey')).toHaveLength(5)
      })

      test('of one app is unknown to another, though they share the relying party', async () => {
        const passkey = testPasskey()
        await userWith(passkey)
        const other = await testApp(context)
        await setFields(context.db, context.clock, other.id, [['passkey_auth', true]])
        context.clock.advanceSeconds(5)
        expect(await login(passkey, testBrowser(server, context, other))).toMatchObject(refused('credential'))
        expect(await login(passkey)).toMatchObject({ status: 200 })
      })

      test('that two users bring at once is of one of them, and no row is half made', async () => {
        const passkey = testPasskey()
        const racers = []
        for (const email of ['ada@example.com', 'bob@example.com', 'cy@example.com']) {
          const from = testBrowser(server, context, app)
          const { token } = await from.login(email)
          const { challenge, user } = await linkOptionsFor(token, from)
          const authenticator_response = passkey.make(user.id, inFrame(challenge))
          racers.push({ from, token, body: { relying_party: 'dialog.localhost', authenticator_response } })
        }
        const answers = await Promise.all(
          racers.map(({ from, token, body }) => from.call('linkPasskey', { token, body })),
        )
        expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400])
        expect(answers.find(({ status }) => status === 400)).toMatchObject({
          answer: { code: 'linked_to_another_user' },
        })
        const accounts = await context.db
          .selectFrom('linked_accounts')
          .select(['user_id', 'identifier'])
          .where('type', '=', 'passkey')
          .execute()
        const keys = await context.db
          .withTables<{ passkeys: { user_id: string; credential_id: string } }>()
          .selectFrom('passkeys')
          .select(['user_id', 'credential_id as identifier'])
          .execute()
        expect(accounts).toHaveLength(1)
        expect(keys).toEqual(accounts)
      })
    })

    describe('a challenge', () => {
      test('is used once, also by several at once, and by a wrong answer too', async () => {
        const passkey = testPasskey()
        await userWith(passkey)
        const body = bodyOf(await challengeFor(), passkey)
        const answers = await Promise.all([1, 2, 3].map(() => browser.call('loginWithPasskey', { body })))
        expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422])
        expect(await browser.call('loginWithPasskey', { body })).toMatchObject(refused('challenge'))

        const challenge = await challengeFor()
        const misplaced = bodyOf(challenge, passkey, { topOrigin: 'https://evil.example' })
        expect(await browser.call('loginWithPasskey', { body: misplaced })).toMatchObject(
          refused('top_origin'),
        )
        expect(await browser.call('loginWithPasskey', { body: bodyOf(challenge, passkey) })).toMatchObject(
          refused('challenge'),
        )
      })

      test('is of the browser that asked for it', async () => {
        const passkey = testPasskey()
        await userWith(passkey)
        const body = bodyOf(await challengeFor(), passkey)
        const stranger = testBrowser(server, context, app)
        expect(await stranger.call('loginWithPasskey', { body })).toMatchObject(refused('challenge'))
        expect(await browser.call('loginWithPasskey', { body })).toMatchObject({ status: 200 })
      })

      test('is of its app', async () => {
        const passkey = testPasskey()
        await userWith(passkey)
        const other = await testApp(context)
        await setFields(context.db, context.clock, other.id, [['passkey_auth', true]])
        context.clock.advanceSeconds(5)
        // One browser, which both apps know by the same binding.
        const headers = { 'latchkey-login-binding': 'one browser' }
        const elsewhere = testBrowser(server, context, other)
        const begun = await elsewhere.call('beginPasskeyLogin', { headers })
        const body = bodyOf(v.parse(loginBegun, begun.answer).options.challenge, passkey)
        expect(await browser.call('loginWithPasskey', { headers, body })).toMatchObject(refused('challenge'))
        expect(await login(passkey)).toMatchObject({ status: 200 })
      })

      test('holds for five minutes', async () => {
        const passkey = testPasskey()
        await userWith(passkey)
        const [early, late] = [await challengeFor(), await challengeFor()]
        context.clock.advanceSeconds(299)
        expect(await browser.call('loginWithPasskey', { body: bodyOf(early, passkey) })).toMatchObject({
          status: 200,
        })
        context.clock.advanceSeconds(1)
        expect(await browser.call('loginWithPasskey', { body: bodyOf(late, passkey) })).toMatchObject(
          refused('challenge'),
        )
      })

      test('for a login links nothing, and one for a link of another user neither', async () => {
        const { token, user } = await browser.login()
        const passkey = testPasskey()
        const id = Buffer.from(user.id).toString('base64url')
        const linkWith = (challenge: string) =>
          browser.call('linkPasskey', {
            token,
            body: {
              relying_party: 'dialog.localhost',
              authenticator_response: passkey.make(id, inFrame(challenge)),
            },
          })
        expect(await linkWith(await challengeFor())).toMatchObject(refused('challenge'))
        const other = await browser.login('bob@example.com')
        expect(await linkWith((await linkOptionsFor(other.token)).challenge)).toMatchObject(
          refused('challenge'),
        )
        expect(await linkWith((await linkOptionsFor(token)).challenge)).toMatchObject({ status: 200 })
      })

      test('asked again after a lost answer gives the same session', async () => {
        const passkey = testPasskey({ counts: true })
        await userWith(passkey)
        const body = bodyOf(await challengeFor(), passkey)
        const once = { body, requestId: 'login-once' }
        const first = v.parse(sessionAnswer, (await browser.call('loginWithPasskey', once)).answer)
        const again = v.parse(sessionAnswer, (await browser.call('loginWithPasskey', once)).answer)
        expect(again.refresh_token).toBe(first.refresh_token)
      })
    })

    describe('an answer', () => {
      test.each<[string, Partial<Ceremony>]>([
        ['origin', { origin: host }],
        ['top_origin', { topOrigin: 'https://evil.example' }],
        ['answer', { rpId: 'localhost' }],
        ['answer', { flags: 0x01 }],
      ])('is refused for its %s: %j', async (reason, changes) => {
        const passkey = testPasskey()
        await userWith(passkey)
        const body = bodyOf(await challengeFor(), passkey, changes)
        expect(await browser.call('loginWithPasskey', { body })).toMatchObject(refused(reason))
        expect(await login(passkey)).toMatchObject({ status: 200 })
      })

      test('of a passkey that nobody linked is refused like a wrong one', async () => {
        const passkey = testPasskey()
        passkey.make('bm9ib2R5', inFrame('YW55'))
        expect(await login(passkey)).toMatchObject(refused('credential'))
      })

      test('for another relying party is refused', async () => {
        const passkey = testPasskey()
        await userWith(passkey)
        const body = { ...bodyOf(await challengeFor(), passkey), relying_party: 'localhost' }
        expect(await browser.call('loginWithPasskey', { body })).toMatchObject({
          status: 422,
          answer: { code: 'invalid_data' },
        })
      })

      test('of two with one count, one is a copy’s', async () => {
        const passkey = testPasskey({ counts: true })
        await userWith(passkey)
        const bodies = [
          bodyOf(await challengeFor(), passkey, { counter: 9 }),
          bodyOf(await challengeFor(), passkey, { counter: 9 }),
        ]
        const answers = await Promise.all(bodies.map((body) => browser.call('loginWithPasskey', { body })))
        expect(answers.map(({ status }) => status).sort()).toEqual([200, 422])
      })

      // spec L3.30
      test('that is a text is refused', async () => {
        const body = { relying_party: 'dialog.localhost', challenge: 'YQ', authenticator_response: '123456' }
        expect(await browser.call('loginWithPasskey', { body })).toMatchObject({
          status: 422,
          answer: { code: 'invalid_data' },
        })
      })
    })

    test('an app without passkeys says so to each call', async () => {
      const passkey = testPasskey()
      const { token } = await userWith(passkey)
      const body = bodyOf(await challengeFor(), passkey)
      await setFields(context.db, context.clock, app.id, [['passkey_auth', false]])
      context.clock.advanceSeconds(5)
      const no = { status: 403, answer: { code: 'disallowed_login_method' } }
      expect(await browser.call('beginPasskeyLogin')).toMatchObject(no)
      expect(await browser.call('loginWithPasskey', { body })).toMatchObject(no)
      expect(await beginLink(token)).toMatchObject(no)
    })

    test('an app with a list lets a passkey in whose user is on it by another account', async () => {
      const [listed, other] = [testPasskey(), testPasskey()]
      await userWith(listed)
      await userWith(other, 'bob@example.com')
      await setFields(context.db, context.clock, app.id, [['allowlist_enabled', true]])
      await changeAllowlist(context.db, app.id, 'add', 'email', 'ada@example.com')
      context.clock.advanceSeconds(5)
      expect(await login(listed)).toMatchObject({ status: 200 })
      expect(await login(other)).toMatchObject({ status: 401, answer: { code: 'allowlist_rejected' } })
    })

    test('linking needs the session to be alive', async () => {
      const { token, refresh_token } = await browser.login()
      const { challenge, user } = await linkOptionsFor(token)
      const authenticator_response = testPasskey().make(user.id, inFrame(challenge))
      const body = { relying_party: 'dialog.localhost', authenticator_response }
      await browser.call('logout', { body: { refresh_token } })
      expect(await browser.call('linkPasskey', { token, body })).toMatchObject({ status: 401 })
      expect(await beginLink(token)).toMatchObject({ status: 401 })
    })

    describe('unlinking', () => {
      const unlink = (token: string, credential_id: string) =>
        browser.call('unlinkPasskey', { token, body: { credential_id } })

      // spec L7.17
      test('takes the passkey from the user, and it logs nobody in any more', async () => {
        const passkey = testPasskey()
        const { token } = await userWith(passkey)
        expect(await unlink(token, passkey.credentialId)).toMatchObject({
          status: 200,
          answer: { linked_accounts: [{ type: 'email' }] },
        })
        expect(await login(passkey)).toMatchObject(refused('credential'))
        expect(await unlink(token, passkey.credentialId)).toMatchObject({
          status: 404,
          answer: { code: 'linked_account_not_found' },
        })
      })

      test('of somebody else’s is refused', async () => {
        const passkey = testPasskey()
        await userWith(passkey)
        const { token } = await browser.login('bob@example.com')
        expect(await unlink(token, passkey.credentialId)).toMatchObject({
          status: 404,
          answer: { code: 'linked_account_not_found' },
        })
        expect(await login(passkey)).toMatchObject({ status: 200 })
      })

      // spec L8.32
      test('of one that is a second factor is refused', async () => {
        const passkey = testPasskey()
        const { token } = await userWith(passkey)
        const enrolled = JSON.stringify({ credentialId: passkey.credentialId, enrolledInMfa: true })
        await context.db
          .updateTable('linked_accounts')
          .set({ profile: enrolled })
          .where('identifier', '=', passkey.credentialId)
          .execute()
        expect(await unlink(token, passkey.credentialId)).toMatchObject({
          status: 401,
          answer: {
            code: 'missing_or_invalid_mfa',
            error: 'Cannot unlink a passkey enrolled in MFA',
          },
        })
        // A login leaves what other capabilities wrote of the account.
        expect(await login(passkey)).toMatchObject({ status: 200 })
        expect(await unlink(token, passkey.credentialId)).toMatchObject({ status: 401 })
      })

      test('of the only account is refused', async () => {
        const passkey = testPasskey()
        const { token, user } = await userWith(passkey)
        await context.db
          .deleteFrom('linked_accounts')
          .where('user_id', '=', user.id)
          .where('type', '=', 'email')
          .execute()
        expect(await unlink(token, passkey.credentialId)).toMatchObject({
          status: 400,
          answer: { code: 'cannot_unlink_sole_account' },
        })
        expect(await login(passkey)).toMatchObject({ status: 200 })
      })
    })
  },
  { tables: ['passkeys', 'passkey_challenges'] },
)
