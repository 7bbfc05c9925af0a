/** Login with a custom JWT, with the issuer played by the sandbox. */
import { createHmac } from 'node:crypto'
import * as v from 'valibot'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { App } from '../../identity/apps/apps.ts'
import { changeAllowlist, setFields } from '../../identity/apps/manage.ts'
import {
  sessionAnswer,
  type TestBrowser,
  testBrowser,
  testServer,
} from '../../identity/sessions/testing/browser.ts'
import { createTokenVerifier } from '../../identity/sessions/tokens/verifier.ts'
import { collectMigrations } from '../../kernel/capability.ts'
import { forDefaultEngine } from '../../kernel/db/test-engines.ts'
import { type TestContext, testApp, testContext } from '../../testing/context.ts'
import { startSandbox } from '../../testing/sandbox.ts'
import { customJwt } from './capability.ts'
import { dropIssuer, findIssuer, setIssuer } from './custom-jwt.ts'
import { createKeySets, keySets } from './issuer.ts'

const sandbox = await startSandbox()
afterEach(() => setFault('none'))

const post = (path: string, body: unknown) =>
  fetch(sandbox + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
const setFault = (issuer: string) => post('/api/faults', { issuer })

forDefaultEngine(
  (database) => {
    let context: TestContext
    let app: App
    let browser: TestBrowser
    let right: Readonly<Record<string, unknown>>
    beforeEach(async () => {
      context = await testContext(database(), {
        verifyToken: (own) => (token) => createTokenVerifier(own())(token),
      })
      keySets.set(context.ports, createKeySets())
      app = await testApp(context)
      await setIssuer(context.db, app.id, issuer())
      browser = testBrowser(testServer(context), context, app)
      const now = Math.floor(context.clock.nowMs() / 1_000)
      right = { iss: 'https://login.example', aud: 'fieldnotes', sub: 'user-1', iat: now, exp: now + 300 }
    })
    const issuer = () => ({
      jwks_url: `${sandbox}/issuer/jwks.json`,
      issuer: 'https://login.example',
      audience: 'fieldnotes',
      claim: 'sub',
    })
    const tokenOf = async (claims: Readonly<Record<string, unknown>>, query = ''): Promise<string> =>
      (await (await post(`/api/issuer/tokens${query}`, claims)).json()).token
    const login = (token: string, requestId?: string) =>
      browser.call('loginWithCustomJwt', {
        body: { token },
        ...(requestId !== undefined && { requestId }),
      })
    const refused = (details: unknown) => ({
      status: 401,
      answer: { code: 'missing_or_invalid_token', details },
    })

    // spec L6.3
    test('allows only issuer subjects on the allowlist', async () => {
      await setFields(context.db, context.clock, app.id, [['allowlist_enabled', true]])
      await changeAllowlist(context.db, app.id, 'add', 'custom_auth', 'user-1')
      context.clock.advanceSeconds(5)
      expect(await login(await tokenOf(right))).toMatchObject({ status: 200 })
      expect(await login(await tokenOf({ ...right, sub: 'user-2' }))).toMatchObject({
        status: 401,
        answer: { code: 'allowlist_rejected' },
      })
    })

    test('refuses another issuer or claim while the app has users of the previous one', async () => {
      const other = { ...issuer(), issuer: 'https://other.example' }
      const refusal = [expect.stringContaining('--same-users')]
      await login(await tokenOf(right))
      expect(await setIssuer(context.db, app.id, { ...issuer(), audience: 'more notes' })).toEqual([])
      expect(await setIssuer(context.db, app.id, other)).toEqual(refusal)
      expect(await setIssuer(context.db, app.id, { ...issuer(), claim: 'account' })).toEqual(refusal)
      await dropIssuer(context.db, app.id)
      expect(await setIssuer(context.db, app.id, other)).toEqual(refusal)
      expect(await findIssuer(context.db, app.id)).toBeUndefined()
      expect(await setIssuer(context.db, app.id, other, true)).toEqual([])
    })

    test('creates a user at the first login and finds the user again', async () => {
      const first = await login(await tokenOf(right))
      expect(first).toMatchObject({
        status: 200,
        answer: {
          is_new_user: true,
          user: { linked_accounts: [{ type: 'custom_auth', custom_user_id: 'user-1' }] },
        },
      })
      const again = await login(await tokenOf(right))
      expect(again).toMatchObject({ status: 200, answer: { is_new_user: false } })
      const userOf = (answer: unknown) => v.parse(sessionAnswer, answer).user.id
      expect(userOf(again.answer)).toBe(userOf(first.answer))
      const other = await login(await tokenOf({ ...right, sub: 'user-2' }))
      expect(userOf(other.answer)).not.toBe(userOf(first.answer))
    })

    test('identifies the user by the configured claim', async () => {
      await setIssuer(context.db, app.id, { ...issuer(), claim: 'account' })
      expect(await login(await tokenOf({ ...right, account: 42 }))).toMatchObject({
        status: 200,
        answer: { user: { linked_accounts: [{ custom_user_id: '42' }] } },
      })
      expect(await login(await tokenOf(right))).toMatchObject(refused({ reason: 'claim', claim: 'account' }))
    })

    test.each([
      [{ iss: 'https://stranger.example' }, { reason: 'claim', claim: 'iss' }],
      [{ aud: 'another' }, { reason: 'claim', claim: 'aud' }],
      [{ sub: undefined }, { reason: 'claim', claim: 'sub' }],
      [{ sub: '' }, { reason: 'claim', claim: 'sub' }],
      [{ sub: { id: 1 } }, { reason: 'claim', claim: 'sub' }],
      [{ sub: 'user-1\0' }, { reason: 'claim', claim: 'sub' }],
      [{ sub: 'x'.repeat(256) }, { reason: 'claim', claim: 'sub' }],
      [{ exp: undefined }, { reason: 'claim', claim: 'exp' }],
      [{ exp: 1 }, { reason: 'expired' }],
      [{ nbf: 4_000_000_000 }, { reason: 'claim', claim: 'nbf' }],
    ])('rejects a token with %j, and accepts it without', async (change, details) => {
      expect(await login(await tokenOf({ ...right, ...change }))).toMatchObject(refused(details))
      expect(await login(await tokenOf(right))).toMatchObject({ status: 200 })
    })

    test('rejects an unsigned token and one signed by another key', async () => {
      expect(await login(await tokenOf(right, '?wrongly'))).toMatchObject(refused({ reason: 'signature' }))
      const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
      const none = `${encoded({ alg: 'none' })}.${encoded(right)}.`
      expect(await login(none)).toMatchObject({ status: 401 })
      // The public key as an HMAC secret.
      const { keys } = await (await fetch(`${sandbox}/issuer/jwks.json`)).json()
      const content = `${encoded({ alg: 'HS256', kid: keys[0].kid })}.${encoded(right)}`
      const mac = createHmac('sha256', JSON.stringify(keys[0])).update(content).digest('base64url')
      expect(await login(`${content}.${mac}`)).toMatchObject(refused({ reason: 'signature' }))
      expect(await login('nonsense')).toMatchObject(refused({ reason: 'malformed' }))
    })

    test('reports unreachable keys, and succeeds on a retry', async () => {
      const token = await tokenOf(right)
      await setFault('failing')
      expect(await login(token, 'once-more')).toMatchObject({ status: 503, answer: { code: 'unavailable' } })
      await setFault('none')
      expect(await login(token, 'once-more')).toMatchObject({ status: 200 })
    })

    test('refuses the login if the app has no issuer', async () => {
      await dropIssuer(context.db, app.id)
      expect(await login(await tokenOf(right))).toMatchObject({
        status: 403,
        answer: { code: 'disallowed_login_method', details: { setting: 'custom-jwt' } },
      })
    })

    test('fetches no keys without a browser proof', async () => {
      const token = await tokenOf(right)
      const sets = createKeySets()
      const at = vi.fn(sets.at)
      keySets.set(context.ports, { at })
      expect(await browser.call('loginWithCustomJwt', { body: { token }, proof: 'none' })).toMatchObject(
        refused({ reason: 'proof_missing' }),
      )
      expect(at).not.toHaveBeenCalled()
      expect(await login(token)).toMatchObject({ status: 200 })
      expect(at).toHaveBeenCalledTimes(1)
    })

    describe('a confirmation of the session', () => {
      const confirm = (session: { token: string }, token: string) =>
        browser.call('confirmCustomJwt', { body: { token }, token: session.token })
      const confirmed = (isSameUser: boolean) => ({ status: 200, answer: { is_same_user: isSameUser } })
      const loginSession = async () => v.parse(sessionAnswer, (await login(await tokenOf(right))).answer)

      test('accepts another token of the same subject only', async () => {
        const session = await loginSession()
        expect(await confirm(session, await tokenOf({ ...right, jti: 'newer' }))).toMatchObject(
          confirmed(true),
        )
        await login(await tokenOf({ ...right, sub: 'user-2' }))
        expect(await confirm(session, await tokenOf({ ...right, sub: 'user-2' }))).toMatchObject(
          confirmed(false),
        )
        expect(await confirm(session, await tokenOf({ ...right, sub: 'stranger' }))).toMatchObject(
          confirmed(false),
        )
      })

      test.each([
        [{ iss: 'https://stranger.example' }],
        [{ aud: 'another' }],
        [{ exp: 1 }],
        [{ sub: undefined }],
      ])('does not accept a token with %j', async (change) => {
        const session = await loginSession()
        expect(await confirm(session, await tokenOf({ ...right, ...change }))).toMatchObject(confirmed(false))
      })

      test('does not accept a token of another key, or text that is no token', async () => {
        const session = await loginSession()
        expect(await confirm(session, await tokenOf(right, '?wrongly'))).toMatchObject(confirmed(false))
        expect(await confirm(session, 'nonsense')).toMatchObject(confirmed(false))
        expect(await confirm(session, 'x'.repeat(5_000))).toMatchObject({ status: 422 })
      })

      test('does not accept a token for a user with another login method', async () => {
        const session = await browser.login()
        await login(await tokenOf(right))
        expect(await confirm(session, await tokenOf(right))).toMatchObject(confirmed(false))
      })

      test('keeps the session if the keys are unreachable or the app has no issuer', async () => {
        const session = await loginSession()
        const token = await tokenOf(right)
        keySets.set(context.ports, createKeySets())
        await setFault('failing')
        expect(await confirm(session, token)).toMatchObject({ status: 503, answer: { code: 'unavailable' } })
        await setFault('none')
        await dropIssuer(context.db, app.id)
        expect(await confirm(session, token)).toMatchObject({
          status: 403,
          answer: { code: 'disallowed_login_method' },
        })
        expect(await browser.call('me', { token: session.token })).toMatchObject({ status: 200 })
      })
    })

    test('audits a login with its method', async () => {
      await login(await tokenOf(right))
      const rows = await context.db.selectFrom('audit_log').selectAll().execute()
      expect(rows.find(({ event }) => event === 'session.started')?.details).toBe('{"method":"custom_jwt"}')
    })

    test('accepts tokens only in the app of the issuer', async () => {
      const other = await testApp(context)
      await setIssuer(context.db, other.id, { ...issuer(), audience: 'another' })
      const headers = { 'latchkey-app-id': other.id }
      const body = { token: await tokenOf(right) }
      expect(await browser.call('loginWithCustomJwt', { body, headers })).toMatchObject(
        refused({ reason: 'claim', claim: 'aud' }),
      )
    })

    test.each(['https://login.example/jwks', 'http://127.0.0.1:4020/jwks', 'http://localhost/jwks'])(
      'an issuer may have its keys at %s',
      async (jwks_url) => {
        expect(await setIssuer(context.db, app.id, { ...issuer(), jwks_url })).toEqual([])
      },
    )

    test('removing an issuer affects one app only', async () => {
      const other = await testApp(context)
      await setIssuer(context.db, other.id, issuer())
      await dropIssuer(context.db, app.id)
      expect(await findIssuer(context.db, app.id)).toBeUndefined()
      expect(await findIssuer(context.db, other.id)).toEqual({ app_id: other.id, ...issuer() })
    })

    test.each([
      [{ jwks_url: 'http://login.example/jwks' }, 'jwks_url must be https, except on this machine'],
      [{ jwks_url: 'nowhere' }, 'jwks_url must be a URL'],
      [{ jwks_url: 'http://localhost.evil.example/jwks' }, 'jwks_url must be https, except on this machine'],
      [{ jwks_url: 'ftp://login.example/https://' }, 'jwks_url must be https, except on this machine'],
      [{ issuer: '' }, 'issuer must not be empty'],
      [{ audience: '' }, 'audience must not be empty'],
      [{ claim: '' }, 'claim must not be empty'],
    ])('refuses an issuer with %j with a message, and keeps the previous one', async (change, sentence) => {
      expect(await setIssuer(context.db, app.id, { ...issuer(), ...change })).toContain(sentence)
      expect(await findIssuer(context.db, app.id)).toEqual({ app_id: app.id, ...issuer() })
    })
  },
  { migrations: collectMigrations([customJwt]) },
)
