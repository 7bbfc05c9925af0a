/** Login with a passkey over HTTP, with a test authenticator. */
import * as v from 'valibot'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { changeAllowlist, setFields } from '../../identity/apps/manage.ts'
import { captchaVerifier } from '../../integrations/captcha/captcha.ts'
import { forEachEngine } from '../../kernel/db/test-engines.ts'
import { testPasskey } from './testing/authenticator.ts'
import { type PasskeyFixture, passkeyFixture, refused } from './testing/fixture.ts'

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0'

forEachEngine((database) => {
  let context: PasskeyFixture['context']
  let app: PasskeyFixture['app']
  let browser: PasskeyFixture['browser']
  let newApp: PasskeyFixture['newApp']
  let newBrowser: PasskeyFixture['newBrowser']
  let inFrame: PasskeyFixture['inFrame']
  let beginLink: PasskeyFixture['beginLink']
  let linkOptionsFor: PasskeyFixture['linkOptionsFor']
  let link: PasskeyFixture['link']
  let challengeFor: PasskeyFixture['challengeFor']
  let bodyOf: PasskeyFixture['bodyOf']
  let login: PasskeyFixture['login']
  let userWith: PasskeyFixture['userWith']
  let audited: PasskeyFixture['audited']
  beforeEach(async () => {
    ;({
      context,
      app,
      browser,
      newApp,
      newBrowser,
      inFrame,
      beginLink,
      linkOptionsFor,
      link,
      challengeFor,
      bodyOf,
      login,
      userWith,
      audited,
    } = await passkeyFixture(database()))
  })

  describe('a passkey', () => {
    // spec L1.5, L7.33, L7.40, L3.4
    test('a linked passkey logs its user in without a name', async () => {
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
      const answer = await login(passkey, newBrowser())
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
    test('a login returns these request options', async () => {
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

    test('linking an existing passkey again changes nothing', async () => {
      const passkey = testPasskey({ aaguid: 'd548826e-79b4-db40-a3d8-11116f7e8349' })
      const { token } = await userWith(passkey)
      const kept = () => context.db.selectFrom('linked_accounts').selectAll().orderBy('type').execute()
      const before = await kept()
      context.clock.advanceSeconds(60)
      expect(await link(token, passkey, { headers: { 'user-agent': firefox } })).toMatchObject({
        status: 200,
      })
      expect(await kept()).toEqual(before)
    })

    test('a link returns these creation options, and excludes existing passkeys', async () => {
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

    test('links at most five passkeys, even if two requests race for the last one', async () => {
      const { token } = await browser.login()
      for (let count = 0; count < 4; count += 1) {
        expect(await link(token, testPasskey())).toMatchObject({ status: 200 })
      }
      // spec L5.15
      const late = [testPasskey(), testPasskey(), testPasskey()]
      // All start while there is room.
      const ready = []
      for (const passkey of late) ready.push({ passkey, begun: await linkOptionsFor(token) })
      const answers = await Promise.all(ready.map(({ passkey, begun }) => link(token, passkey, { begun })))
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400])
      const full = {
        status: 400,
        answer: { code: 'cannot_link_more_of_type', error: 'Cannot link more passkeys to account.' },
      }
      expect(answers.find(({ status }) => status === 400)).toMatchObject(full)
      expect(await beginLink(token)).toMatchObject(full)
      // Nothing of the rejected one is stored that would allow a login.
      const logins = []
      for (const passkey of late) logins.push(await login(passkey))
      expect(logins.map(({ status }) => status)).toEqual(
        answers.map(({ status }) => (status === 200 ? 200 : 422)),
      )
      const { answer } = await browser.call('me', { token })
      const accounts = v.parse(v.object({ linked_accounts: v.array(v.object({ type: v.string() })) }), answer)
      expect(accounts.linked_accounts.filter(({ type }) => type === 'passkey')).toHaveLength(5)
    })

    test('a passkey of one app is unknown in another with the same relying party', async () => {
      const passkey = testPasskey()
      await userWith(passkey)
      const other = await newApp()
      expect(await login(passkey, newBrowser(other))).toMatchObject(refused('credential'))
      expect(await login(passkey)).toMatchObject({ status: 200 })
    })

    test('two users who link one passkey concurrently: one succeeds, and no row is incomplete', async () => {
      const passkey = testPasskey()
      const racers = []
      for (const email of ['ada@example.com', 'bob@example.com', 'cy@example.com']) {
        const from = newBrowser()
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

  // spec L4.15
  test('linking a passkey requires no captcha, unlike a login', async () => {
    const { token } = await browser.login()
    await setFields(context.db, context.clock, app.id, [
      ['captcha_site_key', 't:0x4AAAsite'],
      ['captcha_enabled', true],
    ])
    captchaVerifier.set(context.ports, { check: async () => ({ type: 'not-passed' }) })
    context.clock.advanceSeconds(5)
    expect(await browser.call('beginPasskeyLogin')).toMatchObject({
      status: 400,
      answer: { code: 'invalid_captcha' },
    })
    expect(await link(token, testPasskey())).toMatchObject({ status: 200 })
  })

  test('an app without passkeys refuses each call', async () => {
    const passkey = testPasskey()
    const { token } = await userWith(passkey)
    const body = bodyOf(await challengeFor(), passkey)
    const linkable = await linkOptionsFor(token)
    await setFields(context.db, context.clock, app.id, [['passkey_auth', false]])
    context.clock.advanceSeconds(5)
    const no = { status: 403, answer: { code: 'disallowed_login_method' } }
    expect(await browser.call('beginPasskeyLogin')).toMatchObject(no)
    expect(await browser.call('loginWithPasskey', { body })).toMatchObject(no)
    expect(await beginLink(token)).toMatchObject(no)
    const { challenge, user } = linkable
    const authenticator_response = testPasskey().make(user.id, inFrame(challenge))
    const link = { token, body: { relying_party: 'dialog.localhost', authenticator_response } }
    expect(await browser.call('linkPasskey', link)).toMatchObject(no)
    await setFields(context.db, context.clock, app.id, [['passkey_auth', true]])
    context.clock.advanceSeconds(5)
    expect(await browser.call('linkPasskey', link)).toMatchObject({ status: 200 })
  })

  test('audits a login with its method', async () => {
    const passkey = testPasskey()
    const { user } = await userWith(passkey)
    await login(passkey)
    expect(await audited('session.started')).toContainEqual({
      userId: user.id,
      details: { method: 'passkey' },
    })
  })

  test.each([
    ['phone', { phoneNumber: '+1 2025550123' }, '+1 2025550123 (Fieldnotes)', '+1 2025550123'],
    ['custom_auth', { customUserId: 'user-1' }, 'Fieldnotes', 'Fieldnotes'],
  ] as const)(
    'the passkey of a user with a %s account is named after it',
    async (type, profile, name, display_name) => {
      const { token } = await browser.login()
      const change = { type, profile: JSON.stringify(profile) }
      await context.db.updateTable('linked_accounts').set(change).where('app_id', '=', app.id).execute()
      expect(await beginLink(token)).toMatchObject({ answer: { options: { user: { name, display_name } } } })
    },
  )

  test('allows a passkey login if another account of the user is on the allowlist', async () => {
    const [listed, other] = [testPasskey(), testPasskey()]
    await userWith(listed)
    await userWith(other, 'bob@example.com')
    await setFields(context.db, context.clock, app.id, [['allowlist_enabled', true]])
    await changeAllowlist(context.db, app.id, 'add', 'email', 'ada@example.com')
    context.clock.advanceSeconds(5)
    expect(await login(listed)).toMatchObject({ status: 200 })
    expect(await login(other)).toMatchObject({ status: 401, answer: { code: 'allowlist_rejected' } })
  })

  test('linking requires a living session', async () => {
    const { token, refresh_token } = await browser.login()
    const { challenge, user } = await linkOptionsFor(token)
    const authenticator_response = testPasskey().make(user.id, inFrame(challenge))
    const body = { relying_party: 'dialog.localhost', authenticator_response }
    await browser.call('logout', { body: { refresh_token } })
    expect(await browser.call('linkPasskey', { token, body })).toMatchObject({ status: 401 })
    expect(await beginLink(token)).toMatchObject({ status: 401 })
  })

  test('a session that ended during the call starts no link and links nothing', async () => {
    const { token, refresh_token } = await browser.login()
    const { challenge, user } = await linkOptionsFor(token)
    const authenticator_response = testPasskey().make(user.id, inFrame(challenge))
    const body = { relying_party: 'dialog.localhost', authenticator_response }
    const caller = await context.verifyToken(token)
    await browser.call('logout', { body: { refresh_token } })
    vi.spyOn(context, 'verifyToken').mockResolvedValue(caller)
    const over = { status: 401, answer: { code: 'missing_or_invalid_token' } }
    expect(await beginLink(token)).toMatchObject(over)
    expect(await browser.call('linkPasskey', { token, body })).toMatchObject(over)
    const rows = await context.db.selectFrom('linked_accounts').select('type').execute()
    expect(rows).toEqual([{ type: 'email' }])
  })
})
