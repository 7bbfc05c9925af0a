/** The folder that a user has in a cloud, as the server opens the way to it: at Google, at Apple, and who gets what. */
import * as v from 'valibot'
import { beforeEach, describe, expect, test } from 'vitest'
import { setFields } from '../apps/manage.ts'
import { capabilities } from '../capabilities.ts'
import { environmentOf, migrationsOf } from '../capability.ts'
import { forEachEngine } from '../db/test-engines.ts'
import { oauth } from '../login/oauth/capability.ts'
import { configAtSandbox } from '../login/oauth/testing/at-sandbox.ts'
import { startProviders } from '../login/oauth/testing/sandbox.ts'
import { testWindow } from '../login/oauth/testing/window.ts'
import {
  ada,
  initBody,
  newLogin,
  type OAuthWorld,
  oauthWorld,
  resultAnswer,
} from '../login/oauth/testing/world.ts'
import type { TestBrowser } from '../sessions/testing/browser.ts'
import { testVault } from '../wallets/testing/vault.ts'
import { recovery } from './capability.ts'

const sandbox = await startProviders()
const options = ['google-drive', 'icloud']
const tokenAnswer = v.object({ token: v.string() })
const CLOUDKIT = 'iCloud.sandbox.wallets:development:sandboxtokenofthecontainer'

forEachEngine(
  (database) => {
    let world: OAuthWorld
    let user: { readonly token: string; readonly walletToken: string }
    beforeEach(async () => {
      world = await oauthWorld(database(), sandbox, { CLOUDKIT })
      await allow(options)
      user = await logIn(world.browser, 'ada@example.com')
    })

    async function allow(methods: readonly string[]) {
      const { context, app } = world
      await setFields(context.db, context.clock, app.id, [
        ['embedded_wallet_config', { user_owned_recovery_options: methods }],
      ])
      context.clock.advanceSeconds(5)
    }
    /** With a token of a step of a vault, as the wallet frame has one. */
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
    const init = (login = newLogin(), token = user.token) => {
      const { provider: _of, ...body } = initBody(login)
      return world.browser.call('startCloudRecovery', { token, body })
    }
    const resultFor = ({ handle, relaySecret }: ReturnType<typeof newLogin>, token = user.token) =>
      world.browser.call('cloudRecoveryResult', { token, body: { handle, secret: relaySecret } })
    /** As a dialog with a pop-up gets it. */
    async function codeFor(choice: Parameters<ReturnType<typeof testWindow>['go']>[1] = ada) {
      const login = newLogin()
      await init(login)
      const { location } = await testWindow(world.server, 'recovery').go(login, choice)
      expect(location).toBeNull()
      const { answer } = await resultFor(login)
      const { authorization_code, state_code } = v.parse(resultAnswer, answer)
      return { authorization_code, state_code, code_verifier: login.verifier, provider: 'google-drive' }
    }
    const authenticate = (body: object, token = user.walletToken, requestId?: string, from = world.browser) =>
      from.call('authenticateCloudRecovery', { token, body, ...(requestId && { requestId }) })
    const everyRow = async () => {
      const { db } = world.context
      const names = (await db.introspection.getTables()).map(({ name }) => name)
      expect(names).toEqual(expect.arrayContaining(['oauth_flows', 'audit_log']))
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
      test('begins at a page of ours, which goes on to Google with the right for the folder alone', async () => {
        const login = newLogin()
        expect(await init(login)).toMatchObject({
          status: 200,
          answer: { url: `http://dialog.localhost:4000/recovery/start/${login.handle}` },
        })
        const { location } = await testWindow(world.server, 'recovery').start(login)
        const { searchParams } = new URL(location ?? '')
        expect(searchParams.get('scope')).toBe('https://www.googleapis.com/auth/drive.appdata')
        expect(searchParams.get('redirect_uri')).toBe(
          'http://dialog.localhost:4000/oauth/callback/google-drive',
        )
      })

      // spec W7.9
      test('ends with a token for the folder, which is kept and written down nowhere', async () => {
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
        const logged = world.everyLine()
        expect(logged).toContain('/recovery/oauth/authenticate')
        expect(logged).not.toContain(token)
      })

      test('gives a code out once, and to the user who began', async () => {
        const code = await codeFor()
        const elsewhere = world.newBrowser()
        const other = await logIn(elsewhere, 'ben@example.com')
        const wrong = { status: 422, answer: { code: 'invalid_credentials' } }
        expect(await authenticate(code, other.walletToken, undefined, elsewhere)).toMatchObject(wrong)
        expect(await authenticate({ ...code, code_verifier: newLogin().verifier })).toMatchObject({
          answer: { code: 'invalid_pkce_parameters' },
        })
        const fresh = await codeFor()
        expect(await authenticate({ ...fresh, state_code: newLogin().state })).toMatchObject({
          answer: { code: 'pkce_state_code_mismatch' },
        })
        const used = await codeFor()
        expect(await authenticate(used)).toMatchObject({ status: 200 })
        expect(await authenticate(used)).toMatchObject(wrong)
      })

      test('is not for a login, and a login is not for it', async () => {
        const { provider: _of, ...code } = await codeFor()
        expect(await world.authenticate(code)).toMatchObject({ answer: { code: 'invalid_credentials' } })
        const login = await world.codeFor('google')
        expect(await authenticate({ ...login, provider: 'google-drive' })).toMatchObject({
          answer: { code: 'invalid_credentials' },
        })
        expect(await world.authenticate(login)).toMatchObject({ status: 200 })
      })

      test('asks for the token of a step, and not for one of the dialog', async () => {
        const code = await codeFor()
        expect(await authenticate(code, user.token)).toMatchObject({ status: 403 })
        const noPurpose = await stepToken(world.browser, user.token, 'mfa')
        expect(await authenticate(code, noPurpose)).toMatchObject({
          status: 403,
          answer: { code: 'insufficient_scope' },
        })
        expect(await authenticate(code)).toMatchObject({ status: 200 })
      })

      // spec W4.13, W4.14
      test('fails without a code or a state, and was denied where the code is the text undefined', async () => {
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
      test('that its person denied is told to the dialog, and comes as undefined where there is no relay', async () => {
        const login = newLogin()
        await init(login)
        await testWindow(world.server, 'recovery').go(login, { denied: 'yes' })
        expect(await resultFor(login)).toMatchObject({
          answer: { status: 'failed', error: 'oauth_user_denied' },
        })
        const { provider: _of, relay: _relay, ...body } = initBody(newLogin())
        const begun = await world.browser.call('startCloudRecovery', { token: user.token, body })
        const handle = /redirect\/(.+)$/.exec(JSON.stringify(begun.answer))?.[1]?.replace('"}', '') ?? ''
        const { location } = await testWindow(world.server, 'recovery').leaveAndReturn(handle, {
          denied: 'yes',
        })
        expect(new URL(location ?? '').searchParams.get('latchkey_oauth_code')).toBe('undefined')
      })

      test.each([
        ['suspended', 'oauth_account_suspended'],
        ['expired-code', 'invalid_credentials'],
      ] as const)('says of a trial that is %s: %s', async (trial, code) => {
        expect(await authenticate(await codeFor({ trial }))).toMatchObject({ answer: { code } })
      })

      test('is for apps that have it on', async () => {
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
        world.browser.call('startIcloudRecovery', { token: user.token, body: { client_type } })
      const configuration = (token = user.walletToken) =>
        world.browser.call('icloudConfiguration', { token, body: { client_type: 'web' } })

      // spec W7.7
      test('begins at the page that Apple names', async () => {
        for (const type of ['web', 'expo-ios'])
          expect(await start(type)).toMatchObject({
            status: 200,
            answer: { url: `${sandbox.url}/cloudkit/sign-in` },
          })
        expect(await start('fridge')).toMatchObject({ status: 422 })
      })

      test('tells a wallet frame which container it is, and nobody else', async () => {
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

      test('is for apps that have it on', async () => {
        await allow(['google-drive'])
        const off = { status: 403, answer: { code: 'disallowed_recovery_method' } }
        expect(await start()).toMatchObject(off)
        expect(await configuration()).toMatchObject(off)
      })
    })
  },
  { migrations: migrationsOf([oauth]), tables: ['oauth_flows'] },
)

describe('where the wallet frame finds a cloud', () => {
  const config = configAtSandbox(
    'http://127.0.0.1:4020',
    { OAUTH_PROVIDERS_URL: undefined, CLOUDKIT },
    environmentOf(capabilities),
  )
  const appWith = (userOwnedRecoveryOptions: readonly string[]) =>
    ({ config: { embeddedWalletConfig: { userOwnedRecoveryOptions } } }) as unknown as Parameters<
      NonNullable<typeof recovery.clouds>
    >[0]

  test('is said for what the app has on, and for nothing else', () => {
    const drive = { 'google-drive': 'https://www.googleapis.com' }
    const icloud = { icloud: 'https://api.apple-cloudkit.com' }
    expect(recovery.clouds?.(appWith([]), config)).toEqual({})
    expect(recovery.clouds?.(appWith(['user-passcode', 'google-drive']), config)).toEqual(drive)
    expect(recovery.clouds?.(appWith(options), config)).toEqual({ ...drive, ...icloud })
    expect(recovery.addresses?.(appWith(['icloud']), config)).toEqual({
      icloudWindow: 'https://cdn.apple-cloudkit.com',
    })
    expect(recovery.addresses?.(appWith(['google-drive']), config)).toEqual({})
  })
})
