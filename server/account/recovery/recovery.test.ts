/** Tests access to a user's cloud folder at Google and Apple: the start, the redirect and the tokens. */
import * as v from 'valibot'
import { beforeEach, describe, expect, test } from 'vitest'
import { setFields } from '../../identity/apps/manage.ts'
import type { TestBrowser } from '../../identity/sessions/testing/browser.ts'
import { collectEnvironment, collectMigrations } from '../../kernel/capability.ts'
import { forDefaultEngine } from '../../kernel/db/test-engines.ts'
import { oauth } from '../../login/oauth/capability.ts'
import { configAtSandbox, consentAt } from '../../login/oauth/testing/at-sandbox.ts'
import { ada, newLogin, type OAuthFixture, oauthFixture } from '../../login/oauth/testing/fixture.ts'
import { startProviders } from '../../login/oauth/testing/sandbox.ts'
import { loginWindow } from '../../login/window/capability.ts'
import { createChallenge } from '../../login/window/window.ts'
import { capabilities } from '../../start/capabilities.ts'
import { testVault } from '../../wallet/wallets/testing/vault.ts'
import { recovery } from './capability.ts'
import { icloudWindowOrigin } from './environment.ts'

const sandbox = await startProviders()
const options = ['google-drive', 'icloud']
const urlAnswer = v.object({ url: v.string() })
const tokenAnswer = v.object({ token: v.string() })
const CLOUDKIT = 'iCloud.sandbox.wallets:development:sandboxtokenofthecontainer'

forDefaultEngine(
  (database) => {
    let fixture: OAuthFixture
    let user: { token: string; walletToken: string }
    beforeEach(async () => {
      fixture = await oauthFixture(database(), sandbox, { CLOUDKIT })
      await allow(options)
      user = await logIn(fixture.browser, 'ada@example.com')
    })

    async function allow(methods: readonly string[]) {
      const { context, app } = fixture
      await setFields(context.db, context.clock, app.id, [
        ['embedded_wallet_config', { user_owned_recovery_options: methods }],
      ])
      context.clock.advanceSeconds(5)
    }
    /** Calls with a token for a vault step, like the wallet frame. */
    async function logIn(browser: TestBrowser, email: string) {
      const { token } = await browser.login(email)
      return { token, walletToken: await stepToken(browser, token) }
    }
    async function stepToken(browser: TestBrowser, token: string, purpose = 'create') {
      const { publicKey } = await testVault()
      const operation = { id: 'op_1', step: 1 }
      const named = { public_key: publicKey, operation, purpose }
      const body = { ...named, address: null, confirmation: null }
      return v.parse(tokenAnswer, (await browser.call('walletToken', { token, body })).answer).token
    }
    const callback = 'http://wallet.localhost:4000/recovery/callback/google-drive'
    const init = ({ verifier, state } = newLogin(), redirect_to = callback) =>
      fixture.browser.call('startCloudRecovery', {
        body: { redirect_to, code_challenge: createChallenge(verifier), state_code: state },
      })
    /** Obtains a code like a window of the wallet's origin: through Google, in its own browser. */
    async function codeFor(choice: Parameters<typeof consentAt>[1] = ada) {
      const login = newLogin()
      const { url } = v.parse(urlAnswer, (await init(login)).answer)
      const back = await consentAt(url, choice)
      expect(back).toMatchObject({ method: 'GET', url: callback })
      const { code = '', state } = v.parse(v.record(v.string(), v.string()), back.fields)
      expect(state).toBe(login.state)
      return {
        authorization_code: code,
        state_code: login.state,
        code_verifier: login.verifier,
        provider: 'google-drive',
      }
    }
    const authenticate = (
      body: object,
      token = user.walletToken,
      requestId?: string,
      from = fixture.browser,
    ) => from.call('authenticateCloudRecovery', { token, body, ...(requestId && { requestId }) })
    const everyRow = async () => {
      const { db } = fixture.context
      const names = (await db.introspection.getTables()).map(({ name }) => name)
      expect(names).toEqual(expect.arrayContaining(['login_windows', 'audit_log']))
      const rows = await Promise.all(
        names.map((name) =>
          db
            .selectFrom(name as 'audit_log')
            .selectAll()
            .execute(),
        ),
      )
      return JSON.stringify(rows)
    }

    describe('Google Drive', () => {
      // spec W7.8
      test('begins at Google with the folder scope only and the state of the window', async () => {
        const login = newLogin()
        const { answer } = await init(login)
        const { searchParams } = new URL(v.parse(urlAnswer, answer).url)
        expect(searchParams.get('scope')).toBe('https://www.googleapis.com/auth/drive.appdata')
        expect(searchParams.get('redirect_uri')).toBe(callback)
        expect(searchParams.get('state')).toBe(login.state)
        expect(searchParams.get('code_challenge')).toBe(createChallenge(login.verifier))
        expect(searchParams.get('code_challenge_method')).toBe('S256')
      })

      test("redirects to the wallet's origin only", async () => {
        const elsewhere = [
          'http://dialog.localhost:4000/recovery/callback/google-drive',
          `${callback}/more`,
          'http://demo.localhost:4010/',
        ]
        for (const redirectTo of elsewhere) {
          expect(await init(newLogin(), redirectTo)).toMatchObject({ answer: { code: 'invalid_origin' } })
        }
        expect(await init(newLogin(), callback)).toMatchObject({ status: 200 })
      })

      test('ends on a wallet page that notifies only a window of its own origin', async () => {
        const at = (host: string) =>
          fixture.server.request(
            `http://${host}.localhost:4000/recovery/callback/google-drive?code=c-1&state=s-1`,
            { headers: { host: `${host}.localhost:4000` } },
          )
        const page = await at('wallet')
        expect(page.status).toBe(200)
        const html = await page.text()
        expect(html).toContain('<script src="/recovery/callback.js"')
        expect(html).not.toContain('c-1')
        expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
        expect((await at('dialog')).status).toBe(404)
        expect(fixture.everyLine()).not.toContain('c-1')
      })

      // spec W7.9
      test('returns a token for the folder that is neither stored nor logged', async () => {
        const requestId = 'request-of-a-redemption'
        const said = await authenticate(await codeFor(), user.walletToken, requestId)
        expect(said.status).toBe(200)
        const { access_token: token } = v.parse(v.strictObject({ access_token: v.string() }), said.answer)
        const listed = await fetch(
          `${sandbox.url}/oauth/www.googleapis.com/drive/v3/files?spaces=appDataFolder&q=name%20%3D%20'x'`,
          { headers: { authorization: `Bearer ${token}` } },
        )
        expect([listed.status, await listed.json()]).toEqual([200, { files: [] }])
        expect(await everyRow()).not.toContain(token)
        const logged = fixture.everyLine()
        expect(logged).toContain('/recovery/oauth/authenticate')
        expect(logged).not.toContain(token)
      })

      test("returns a token once, and only with the window's verifier", async () => {
        const wrong = { status: 422, answer: { code: 'invalid_credentials' } }
        const code = await codeFor()
        expect(await authenticate({ ...code, code_verifier: newLogin().verifier })).toMatchObject(wrong)
        const used = await codeFor()
        expect(await authenticate(used)).toMatchObject({ status: 200 })
        expect(await authenticate(used)).toMatchObject(wrong)
      })

      test('does not accept a state of a login, and logins do not accept its state', async () => {
        const { provider: _of, ...code } = await codeFor()
        expect(await fixture.authenticate(code)).toMatchObject({ answer: { code: 'invalid_credentials' } })
        const login = await fixture.codeFor('google')
        expect(await authenticate({ ...login, provider: 'google-drive' })).toMatchObject({
          answer: { code: 'invalid_credentials' },
        })
        expect(await fixture.authenticate(login)).toMatchObject({ status: 200 })
      })

      test('requires the token of a step, not of the dialog', async () => {
        const code = await codeFor()
        expect(await authenticate(code, user.token)).toMatchObject({ status: 403 })
        const noPurpose = await stepToken(fixture.browser, user.token, 'mfa')
        expect(await authenticate(code, noPurpose)).toMatchObject({
          status: 403,
          answer: { code: 'insufficient_scope' },
        })
        expect(await authenticate(code)).toMatchObject({ status: 200 })
      })

      // spec W4.13, W4.14
      test("fails without a code or a state, and treats the code 'undefined' as a denial", async () => {
        const code = await codeFor()
        for (const name of ['authorization_code', 'state_code'] as const) {
          const { [name]: _left, ...without } = code
          expect(await authenticate(without), name).toMatchObject({
            status: 422,
            answer: { code: 'invalid_data' },
          })
          expect(await authenticate({ ...code, [name]: '' }), name).toMatchObject({ status: 422 })
        }
        expect(await authenticate({ ...code, authorization_code: 'undefined' })).toMatchObject({
          answer: { code: 'oauth_user_denied' },
        })
        expect(await authenticate(code)).toMatchObject({ status: 200 })
      })

      // spec W4.14
      test('redirects without a code if the user denies access', async () => {
        const { url } = v.parse(urlAnswer, (await init()).answer)
        const back = await consentAt(url, { denied: 'yes' })
        expect(back).toMatchObject({ url: callback, fields: { error: 'access_denied' } })
      })

      test.each([
        ['suspended', 'oauth_account_suspended'],
        ['expired-code', 'invalid_credentials'],
      ] as const)('says of a trial that is %s: %s', async (trial, code) => {
        expect(await authenticate(await codeFor({ trial }))).toMatchObject({ answer: { code } })
      })

      test('is only available in apps that enable it', async () => {
        const code = await codeFor()
        await allow(['icloud'])
        const off = { status: 403, answer: { code: 'disallowed_recovery_method' } }
        expect(await init()).toMatchObject(off)
        expect(await authenticate(code)).toMatchObject(off)
        await allow(['google-drive'])
        expect(await init()).toMatchObject({ status: 200 })
      })
    })

    describe('iCloud', () => {
      const start = (client_type = 'web') =>
        fixture.browser.call('startIcloudRecovery', { body: { client_type } })
      const configuration = (token = user.walletToken) =>
        fixture.browser.call('icloudConfiguration', { token, body: { client_type: 'web' } })

      // spec W7.7
      test('begins at the page that Apple returns', async () => {
        for (const type of ['web', 'expo-ios'])
          expect(await start(type)).toMatchObject({
            status: 200,
            answer: { url: `${sandbox.url}/cloudkit/sign-in`, origin: new URL(sandbox.url).origin },
          })
        expect(await start('fridge')).toMatchObject({ status: 422 })
      })

      test('returns the container to a wallet frame only', async () => {
        expect(await configuration()).toMatchObject({
          status: 200,
          answer: {
            api_token: 'sandboxtokenofthecontainer',
            container_identifier: 'iCloud.sandbox.wallets',
            environment: 'development',
          },
        })
        expect(await configuration(user.token)).toMatchObject({ status: 403 })
      })

      test('is only available in apps that enable it', async () => {
        await allow(['google-drive'])
        const off = { status: 403, answer: { code: 'disallowed_recovery_method' } }
        expect(await start()).toMatchObject(off)
        expect(await configuration()).toMatchObject(off)
      })
    })
  },
  { migrations: collectMigrations([oauth, loginWindow]) },
)

describe('the cloud settings of the wallet frame', () => {
  const config = configAtSandbox(
    'http://127.0.0.1:4020',
    { OAUTH_PROVIDERS_URL: undefined, CLOUDKIT },
    collectEnvironment(capabilities),
  )
  const appWith = (userOwnedRecoveryOptions: readonly string[]) =>
    ({ config: { embeddedWalletConfig: { userOwnedRecoveryOptions } } }) as unknown as Parameters<
      NonNullable<typeof recovery.clouds>
    >[0]

  test('lists only the cloud methods that the app enabled', () => {
    const drive = { 'google-drive': 'https://www.googleapis.com' }
    const icloud = { icloud: 'https://api.apple-cloudkit.com' }
    expect(recovery.clouds?.(appWith([]), config)).toEqual({})
    expect(recovery.clouds?.(appWith(['user-passcode', 'google-drive']), config)).toEqual(drive)
    expect(recovery.clouds?.(appWith(options), config)).toEqual({ ...drive, ...icloud })
    expect(recovery.addresses).toBeUndefined()
    expect(icloudWindowOrigin(config)).toBe('https://cdn.apple-cloudkit.com')
  })
})
