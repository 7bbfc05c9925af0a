/** Operators who sign in by an OpenID provider: roles, sessions, the first passkey, and attacks on the sign-in. */
import { signInPrefix } from '@latchkey/protocol/admin'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { forEachEngine } from '../../../kernel/db/test-engines.ts'
import { json } from '../../../login/cross-app/testing/scripted-provider.ts'
import { createLogoutKeySets, logoutKeySets } from '../../../login/oidc/logout.ts'
import { clientId, startIssuer } from '../../../login/oidc/testing/issuer.ts'
import { testPasskey } from '../../../login/passkey/testing/authenticator.ts'
import { type AdminFixture, adminFixture, adminOrigin } from '../testing/fixture.ts'
import { inviteForTest, ownHeaders } from '../testing/operators.ts'
import { changeOperatorOidc, type NewOperatorOidc, prepareOperatorOidc } from './oidc-settings.ts'
import {
  admitOperatorByCommand,
  inviteOperator,
  OperatorRefusal,
  revokeOperatorByCommand,
} from './operators.ts'

const acme = await startIssuer('acme.localhost')
const globex = await startIssuer('globex.localhost')
afterAll(() => {
  acme.close()
  globex.close()
})

type Claims = Readonly<Record<string, unknown>>

forEachEngine((database) => {
  let fixture: AdminFixture
  const settings: NewOperatorOidc = {
    issuer: acme.issuer,
    clientId,
    clientSecret: 's3cret',
    name: 'Acme',
    groups: ['staff=owners=owner', 'staff=support=support'],
    groupsClaim: 'groups',
    scopes: ['email', 'groups'],
  }
  const setProvider = async (changes: Partial<NewOperatorOidc> = {}) => {
    const { context } = fixture
    const row = await prepareOperatorOidc(context.db, async () => context.kms, { ...settings, ...changes })
    await context.transaction((trx) => changeOperatorOidc(trx, context.clock, row))
  }
  beforeEach(async () => {
    for (const issuer of [acme, globex]) issuer.reset()
    fixture = await adminFixture(database())
    logoutKeySets.set(fixture.context.ports, createLogoutKeySets())
    await setProvider()
  })
  const now = () => Math.floor(fixture.context.clock.nowMs() / 1_000)
  const owner = () => ({
    email: 'ada@operator.example',
    groups: ['staff=owners'],
    sid: 'session-1',
    auth_time: now(),
  })

  function newBrowser() {
    const cookies = new Map<string, string>()
    const cookie = () => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const send = async (path: string, body?: object) => {
      const answer = await fixture.server.request(`${adminOrigin}${signInPrefix}${path}`, {
        method: body ? 'POST' : 'GET',
        headers: { ...ownHeaders, cookie: cookie(), 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      })
      for (const line of answer.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
        if (value === '') cookies.delete(name)
        else cookies.set(name, value)
      }
      return { status: answer.status, body: await answer.json() }
    }
    const begin = async (recent = false) => new URL((await send('/oidc', { recent })).body.url)
    const finish = (url: URL, changes: Readonly<Record<string, string>> = {}) =>
      send('/oidc/finish', {
        query: `?${new URLSearchParams({
          code: 'code-1',
          state: url.searchParams.get('state') ?? '',
          iss: acme.issuer,
          ...changes,
        })}`,
      })
    /** Signs in with a token that is valid except for the changes. */
    const signIn = async (claims: Claims = owner(), recent = false) => {
      const url = await begin(recent)
      await answerToken({ nonce: url.searchParams.get('nonce'), ...claims })
      return finish(url)
    }
    const call = (method: string, path: string) =>
      fixture.call(method, path, { key: undefined, headers: { ...ownHeaders, cookie: cookie() } })
    return { send, begin, finish, signIn, call, cookies }
  }
  const answerToken = async (claims: Claims) => {
    const id_token = await acme.sign(claims, Date.now())
    acme.on('/token', json({ access_token: 'access-1', token_type: 'Bearer', expires_in: 300, id_token }))
  }
  const operations = async (chain = '') =>
    (await fixture.readAudit(chain)).map(({ actor, operation }) => [actor, operation])
  const logOut = async (claims: Claims) => {
    const event = { 'http://schemas.openid.net/event/backchannel-logout': {} }
    const token = await acme.sign(
      { jti: 'logout-1', events: event, ...claims },
      fixture.context.clock.nowMs(),
    )
    const answer = await fixture.server.request(`${adminOrigin}${signInPrefix}/oidc/backchannel-logout`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ logout_token: token }).toString(),
    })
    return answer.status
  }
  const expired = { status: 401, body: { code: 'session_expired' } }

  describe('a sign-in', () => {
    test('uses state, nonce, PKCE and the scopes, and gives the role of the group for 12 hours', async () => {
      const browser = newBrowser()
      const url = await browser.begin()
      expect(url.origin + url.pathname).toBe(`${acme.issuer}/auth`)
      expect(Object.fromEntries(url.searchParams)).toEqual({
        client_id: clientId,
        redirect_uri: `${adminOrigin}/sign-in/oidc`,
        response_type: 'code',
        scope: 'openid email groups',
        state: expect.any(String),
        nonce: expect.any(String),
        max_age: '43200',
        code_challenge: expect.stringMatching(/^[\w-]{43}$/),
        code_challenge_method: 'S256',
      })
      await answerToken({ nonce: url.searchParams.get('nonce'), ...owner() })
      expect(await browser.finish(url)).toMatchObject({
        status: 200,
        body: {
          recent: false,
          session: { email: 'ada@operator.example', role: 'owner', sign_in: 'oidc', app_id: null },
        },
      })
      const request = acme.asked.find(({ path }) => path === '/token')
      expect(request?.form.get('code_verifier')).toMatch(/^[\w-]{43}$/)
      expect((await browser.call('GET', '/operators')).body.data).toMatchObject([
        { email: 'ada@operator.example', sign_in: 'oidc', state: 'active' },
      ])
      fixture.context.clock.advanceSeconds(43_200)
      expect(await browser.call('GET', '/operators')).toMatchObject(expired)
    })

    test('takes the role of the groups anew, for one app where the command says so', async () => {
      await setProvider({ groups: [`support=support:${fixture.app.id}`, 'owners=owner'] })
      const browser = newBrowser()
      const first = await browser.signIn({ ...owner(), groups: ['others', 'owners', 'support'] })
      expect(first.body.session).toMatchObject({ role: 'support', app_id: fixture.app.id })
      const second = await browser.signIn({ ...owner(), groups: 'owners' })
      expect(second.body.session).toMatchObject({
        role: 'owner',
        app_id: null,
        operator_id: first.body.session.operator_id,
      })
      const joined = ['operator:ada@operator.example', 'operator.joined']
      expect((await operations(fixture.app.id)).at(-1)).toEqual(joined)
    })

    test('reads the groups from another claim', async () => {
      await setProvider({ groupsClaim: 'https://acme.example/roles', groups: ['admin=admin'] })
      const claims = { email: 'ada@operator.example', 'https://acme.example/roles': ['admin'] }
      expect((await newBrowser().signIn(claims)).body.session.role).toBe('admin')
    })

    test.each<[string, Claims]>([
      ['no group of the provider', { groups: [] }],
      ['an unknown group', { groups: ['staff'] }],
      ['no claim with groups', { groups: undefined }],
    ])('without a role is refused: %s. Earlier sessions end', async (_, changes) => {
      const browser = newBrowser()
      await browser.signIn()
      const refused = await newBrowser().signIn({ ...owner(), ...changes })
      expect(refused).toMatchObject({ status: 403, body: { code: 'oidc_no_role' } })
      expect(await browser.call('GET', '/apps')).toMatchObject(expired)
      expect((await operations()).at(-1)).toEqual(['operator:ada@operator.example', 'operator.role_lost'])
    })

    test.each<[string, (url: URL) => Claims]>([
      ['another nonce', () => ({ nonce: 'other' })],
      ['another issuer', () => ({ iss: globex.issuer })],
      ['the issuer with a slash', () => ({ iss: `${acme.issuer}/` })],
      ['another audience', () => ({ aud: 'other' })],
      ['no e-mail address', () => ({ email: undefined })],
      ['an unverified e-mail address', () => ({ email_verified: false })],
      ['an authentication of yesterday', () => ({ auth_time: now() - 86_400 })],
    ])('with %s is refused', async (_, change) => {
      const browser = newBrowser()
      const url = await browser.begin()
      await answerToken({ ...owner(), nonce: url.searchParams.get('nonce'), ...change(url) })
      expect(await browser.finish(url)).toMatchObject({ status: 401, body: { code: 'oidc_sign_in_failed' } })
      expect((await browser.send('/session')).body.code).toBe('session_expired')
    })

    test('is finished once, in its browser, with its state and within ten minutes', async () => {
      const browser = newBrowser()
      const url = await browser.begin()
      await answerToken({ ...owner(), nonce: url.searchParams.get('nonce') })
      const refused = { status: 401, body: { code: 'oidc_sign_in_failed' } }
      const other = newBrowser()
      await other.begin()
      expect(await other.finish(url)).toMatchObject(refused)
      expect(await browser.finish(url)).toMatchObject({ status: 200 })
      expect(await browser.finish(url)).toMatchObject(refused)
      const late = await browser.begin()
      fixture.context.clock.advanceSeconds(600)
      expect(await browser.finish(late)).toMatchObject(refused)
      const mixedUp = await browser.begin()
      expect(await browser.finish(mixedUp, { iss: globex.issuer })).toMatchObject(refused)
      expect(await browser.finish(await browser.begin(), { error: 'access_denied' })).toMatchObject({
        status: 401,
        body: { detail: 'The sign-in was cancelled' },
      })
    })

    test('never takes the place of an invited operator with the same address', async () => {
      await inviteForTest(fixture)
      expect(await newBrowser().signIn()).toMatchObject({ status: 409, body: { code: 'operator_exists' } })
    })

    test('keeps the address of the first sign-in, and no invitation takes its place', async () => {
      const { context } = fixture
      const browser = newBrowser()
      await browser.signIn()
      const renamed = await browser.signIn({ ...owner(), email: 'bob@operator.example' })
      expect(renamed.body.session.email).toBe('ada@operator.example')
      const invited = { email: 'ada@operator.example', role: 'owner', appId: null, hours: 24 }
      await expect(context.transaction((trx) => inviteOperator(trx, context.clock, invited))).rejects.toThrow(
        OperatorRefusal,
      )
    })

    test('is refused after a revocation until a command admits the operator again', async () => {
      const { context } = fixture
      const browser = newBrowser()
      const { operator_id: id } = (await browser.signIn()).body.session
      await context.transaction((trx) => revokeOperatorByCommand(trx, context.clock, id))
      expect(await browser.call('GET', '/apps')).toMatchObject(expired)
      expect(await browser.signIn()).toMatchObject({ status: 403, body: { code: 'operator_revoked' } })
      await context.transaction((trx) => admitOperatorByCommand(trx, context.clock, id))
      expect(await browser.signIn()).toMatchObject({ status: 200 })
    })

    test('is not offered without a provider. Its removal ends its sessions only', async () => {
      const { context } = fixture
      const browser = newBrowser()
      expect((await browser.send('/options')).body).toEqual({ oidc_name: 'Acme' })
      await browser.signIn()
      const invited = await inviteForTest(fixture, { email: 'eve@operator.example' })
      await invited.join()
      await context.transaction((trx) => changeOperatorOidc(trx, context.clock, undefined))
      expect(await browser.call('GET', '/apps')).toMatchObject(expired)
      expect((await invited.call('GET', '/apps')).status).toBe(200)
      expect((await browser.send('/options')).body).toEqual({ oidc_name: null })
      expect(await browser.send('/oidc', { recent: false })).toMatchObject({
        status: 404,
        body: { code: 'oidc_not_configured' },
      })
    })
  })

  describe('the first passkey', () => {
    const register = async (browser: ReturnType<typeof newBrowser>) => {
      const { status, body } = await browser.send('/passkeys/begin', {})
      if (status !== 200) return { status, body }
      const { challenge, user } = body.options
      const credential = testPasskey().make(user.id, {
        challenge,
        origin: adminOrigin,
        rpId: 'admin.localhost',
      })
      return browser.send('/passkeys', { credential })
    }

    test('is needed for destructive calls, and needs an authentication of the last five minutes', async () => {
      const browser = newBrowser()
      const { operator_id: id } = (await browser.signIn()).body.session
      const destroy = () => browser.call('DELETE', `/operators/${id}`)
      expect((await destroy()).body.code).toBe('passkey_required')
      fixture.context.clock.advanceSeconds(301)
      expect((await register(browser)).body.code).toBe('recent_sign_in_required')

      const url = await browser.begin(true)
      expect(url.searchParams.get('prompt')).toBe('login')
      expect(url.searchParams.get('max_age')).toBe('0')
      await answerToken({ ...owner(), nonce: url.searchParams.get('nonce') })
      expect((await browser.finish(url)).body.recent).toBe(true)
      expect((await register(browser)).body.data).toHaveLength(1)
      expect((await destroy()).body.code).toBe('confirmation_required')
      // A copied cookie adds no second one.
      expect((await register(browser)).body.code).toBe('confirmation_required')
    })

    test('is refused to a provider that does not authenticate again, or does not tell', async () => {
      const browser = newBrowser()
      await browser.signIn({ ...owner(), auth_time: undefined })
      expect((await register(browser)).body.code).toBe('recent_sign_in_required')
      for (const auth_time of [undefined, now() - 301]) {
        expect(await browser.signIn({ ...owner(), auth_time }, true)).toMatchObject({
          status: 401,
          body: { code: 'oidc_sign_in_failed' },
        })
      }
    })

    test('does not sign in, so that leaving the group ends the access', async () => {
      const browser = newBrowser()
      const { operator_id: id } = (await browser.signIn()).body.session
      const { body } = await browser.send('/passkeys/begin', {})
      const passkey = testPasskey()
      const inDashboard = { origin: adminOrigin, rpId: 'admin.localhost' }
      const { challenge, user } = body.options
      await browser.send('/passkeys', { credential: passkey.make(user.id, { challenge, ...inDashboard }) })
      expect(user.id).toBe(Buffer.from(id).toString('base64url'))
      const { options } = (await browser.send('/sign-in', {})).body
      const credential = passkey.answer({ challenge: options.challenge, ...inDashboard })
      expect(await browser.send('/sign-in/finish', { credential })).toMatchObject({
        status: 401,
        body: { code: 'sign_in_failed' },
      })
    })
  })

  describe('a back-channel logout', () => {
    test('of a subject ends all sessions of the operator, once for each token', async () => {
      const [first, second, other] = [newBrowser(), newBrowser(), newBrowser()]
      await first.signIn()
      await second.signIn({ ...owner(), sid: 'session-2' })
      await other.signIn({ ...owner(), sub: 'bob', email: 'bob@operator.example' })
      expect(await logOut({ sub: 'ada' })).toBe(200)
      for (const browser of [first, second]) expect(await browser.call('GET', '/apps')).toMatchObject(expired)
      expect((await other.call('GET', '/apps')).status).toBe(200)
      expect(await operations()).toContainEqual([
        'operator:ada@operator.example',
        'operator.signed_out_by_provider',
      ])
      expect(await logOut({ sub: 'ada' })).toBe(400)
    })

    test.each<[string, Claims]>([
      ['a session', { sid: 'session-1', sub: undefined }],
      ['a session of a subject', { sid: 'session-1', sub: 'ada' }],
    ])('of %s ends that one only', async (_, claims) => {
      const [first, second] = [newBrowser(), newBrowser()]
      await first.signIn()
      await second.signIn({ ...owner(), sid: 'session-2' })
      expect(await logOut(claims)).toBe(200)
      expect(await first.call('GET', '/apps')).toMatchObject(expired)
      expect((await second.call('GET', '/apps')).status).toBe(200)
    })

    test.each<[string, Claims]>([
      ['of another issuer', { iss: globex.issuer }],
      ['for another client', { aud: 'other' }],
      ['with a nonce', { nonce: 'n' }],
      ['without the event', { events: {} }],
    ])('%s is refused', async (_, claims) => {
      const browser = newBrowser()
      await browser.signIn()
      expect(await logOut({ sub: 'ada', ...claims })).toBe(400)
      expect((await browser.call('GET', '/apps')).status).toBe(200)
    })
  })
})
