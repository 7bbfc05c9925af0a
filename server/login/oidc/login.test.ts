import { UnsecuredJWT } from 'jose'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { forDefaultEngine } from '../../kernel/db/test-engines.ts'
import { json, redirect } from '../cross-app/testing/scripted-provider.ts'
import { type OidcFixture, oidcFixture } from './testing/fixture.ts'
import { clientId, startIssuer } from './testing/issuer.ts'

const acme = await startIssuer('acme.localhost')
const globex = await startIssuer('globex.localhost')
const others = await Promise.all(
  (['RS256', 'PS256', 'EdDSA'] as const).map((algorithm) =>
    startIssuer(`${algorithm.toLowerCase()}.localhost`, algorithm),
  ),
)
const issuers = [acme, globex, ...others]
afterAll(() => {
  for (const issuer of issuers) issuer.close()
})

const refused = {
  status: 400,
  answer: { code: 'oauth_unexpected', error: 'Something went wrong. Please try again.' },
}

forDefaultEngine((database) => {
  let fixture: OidcFixture
  beforeEach(async () => {
    for (const issuer of issuers) issuer.reset()
    fixture = await oidcFixture(database())
    await fixture.add('acme', acme.issuer)
  })
  const expectNoLogin = async () => {
    expect(await fixture.accounts()).toEqual([])
    expect(await fixture.livingSessions()).toBe(0)
  }

  describe('a login at a configured provider', () => {
    test('uses state, nonce and PKCE, and the client’s secret', async () => {
      const { begun, body, status, answer } = await fixture.loginAt(acme)
      const { nonce } = Object.fromEntries(begun.url.searchParams)
      expect(begun.url.origin + begun.url.pathname).toBe(`${acme.issuer}/auth`)
      expect(Object.fromEntries(begun.url.searchParams)).toEqual({
        client_id: clientId,
        redirect_uri: 'http://dialog.localhost:4000/oauth/callback/oidc:acme',
        response_type: 'code',
        scope: 'openid email profile',
        state: expect.any(String),
        nonce,
        code_challenge: expect.stringMatching(/^[\w-]{43}$/),
        code_challenge_method: 'S256',
      })
      const request = acme.asked.find(({ path }) => path === '/token')
      expect(request?.headers.authorization).toBe(
        `Basic ${Buffer.from(`${clientId}:s3cret%3A%2F%2B`).toString('base64')}`,
      )
      expect(request?.form.get('code_verifier')).toMatch(/^[\w-]{43}$/)
      expect(request?.form.get('code_verifier')).not.toBe(body.code_verifier)
      expect({ status, answer }).toMatchObject({
        status: 200,
        answer: {
          is_new_user: true,
          user: { linked_accounts: [{ type: 'oidc', issuer: acme.issuer, subject: 'ada' }] },
        },
      })
    })

    test('finds the user again by issuer and subject, never by e-mail address', async () => {
      await fixture.add('globex', globex.issuer)
      const claims = { email: 'ada@example.com', email_verified: true, name: 'Ada' }
      const first = await fixture.sessionAt(acme, { claims })
      const again = await fixture.sessionAt(acme, { claims: { ...claims, email: 'new@example.com' } })
      expect(again.user.id).toBe(first.user.id)
      for (const [issuer, id, sub] of [
        [acme, 'acme', 'ben'],
        [globex, 'globex', 'ada'],
      ] as const) {
        const other = await fixture.sessionAt(issuer, { id, claims: { ...claims, sub } })
        expect(other.user.id).not.toBe(first.user.id)
      }
      expect(
        (await fixture.accounts()).map(({ type, identifier }) => `${type} ${identifier}`).sort(),
      ).toEqual([`oidc ${acme.issuer} ada`, `oidc ${acme.issuer} ben`, `oidc ${globex.issuer} ada`])
    })

    test('does not admit a verified e-mail address that the allowlist has', async () => {
      await fixture.set([['allowlist_enabled', true]])
      await fixture.context.db
        .insertInto('allowlist')
        .values({ app_id: fixture.app.id, type: 'email', identifier: 'ada@example.com' })
        .execute()
      const claims = { email: 'ada@example.com', email_verified: true }
      expect(await fixture.loginAt(acme, { claims })).toMatchObject({
        answer: { code: 'allowlist_rejected' },
      })
    })

    test('creates separate users in two apps with the same issuer', async () => {
      const other = await fixture.newApp()
      await fixture.add('acme', acme.issuer, other)
      const here = await fixture.sessionAt(acme)
      const there = await fixture.sessionAt(acme, { from: fixture.newBrowser(other) })
      expect(there.user.id).not.toBe(here.user.id)
    })

    test.each(others.map((issuer) => [issuer.jwk.alg, issuer] as const))(
      'accepts a signature with %s, and its at_hash',
      async (_algorithm, issuer) => {
        await fixture.add('other', issuer.issuer)
        const login = (at_hash: string) => fixture.loginAt(issuer, { id: 'other', claims: { at_hash } })
        expect(await login(issuer.accessTokenHash('access-1'))).toMatchObject({ status: 200 })
        expect(await login(issuer.accessTokenHash('access-2'))).toMatchObject(refused)
      },
    )

    test('is refused in an app without the provider, and after its removal', async () => {
      const other = fixture.newBrowser(await fixture.newApp())
      await expect(fixture.begin('acme', other)).rejects.toThrow('disallowed_login_method')
      const begun = await fixture.begin()
      await fixture.operator(['remove', 'acme'])
      expect((await fixture.comeBack(begun, { iss: acme.issuer })).status).toBe(400)
      await expect(fixture.begin()).rejects.toThrow('disallowed_login_method')
    })
  })

  describe('an invalid ID token', () => {
    test.each([
      ['of another issuer', { iss: globex.issuer }],
      ['of another client', { aud: 'another-client' }],
      ['of several clients, authorized for another', { aud: [clientId, 'another'], azp: 'another' }],
      ['with another nonce', { nonce: 'another' }],
      ['without a nonce', { nonce: undefined }],
      ['without a subject', { sub: '' }],
      ['with an invisible subject', { sub: 'ada\u202e' }],
      ['with a subject that is too long', { sub: 'x'.repeat(256) }],
      ['with the hash of another access token', { at_hash: 'AAAAAAAAAAAAAAAAAAAAAA' }],
      ['that expired yesterday', undefined],
    ])('is rejected: %s', async (_case, claims) => {
      const idToken = (all: object) => acme.sign({ ...all }, claims ? Date.now() : Date.now() - 86_400_000)
      expect(await fixture.loginAt(acme, { claims: claims ?? {}, idToken })).toMatchObject(refused)
      await expectNoLogin()
    })

    test('is rejected without a signature', async () => {
      const idToken = (claims: object) =>
        new UnsecuredJWT({ iss: acme.issuer, aud: clientId, sub: 'ada', ...claims })
          .setIssuedAt()
          .setExpirationTime('5m')
          .encode()
      expect(await fixture.loginAt(acme, { idToken })).toMatchObject(refused)
      await expectNoLogin()
    })

    test('is rejected with an HMAC by the public key or the client secret', async () => {
      for (const key of [JSON.stringify(acme.jwk), 's3cret:/+'.padEnd(32)]) {
        const idToken = (claims: object) =>
          acme.sign({ ...claims }, Date.now(), new TextEncoder().encode(key), { alg: 'HS256' })
        expect(await fixture.loginAt(acme, { idToken })).toMatchObject(refused)
      }
      await expectNoLogin()
    })

    test('is rejected with the signature of another provider', async () => {
      const idToken = (claims: object) => globex.sign({ ...claims, iss: acme.issuer }, Date.now())
      expect(await fixture.loginAt(acme, { idToken })).toMatchObject(refused)
      await expectNoLogin()
    })
  })

  describe('a mix-up of two providers', () => {
    test.each([
      ['another issuer', { iss: globex.issuer }],
      ['no issuer, though the provider announces one', {}],
    ])('is detected by the redirect: %s', async (_case, fields: Record<string, string>) => {
      const begun = await fixture.begin()
      await fixture.comeBack(begun, fields)
      await expect(fixture.redemption(begun)).rejects.toThrow()
      expect(acme.asked.filter(({ path }) => path === '/token')).toEqual([])
    })

    test('is detected by the callback URL of the other provider', async () => {
      await fixture.add('globex', globex.issuer)
      const begun = await fixture.begin()
      const { status } = await fixture.comeBack({ ...begun, provider: 'oidc:globex' }, { iss: globex.issuer })
      expect(status).toBe(400)
      expect(globex.asked.filter(({ path }) => path === '/token')).toEqual([])
    })
  })

  test('rejects a code that was redeemed before', async () => {
    const { body } = await fixture.loginAt(acme)
    expect(await fixture.browser.call('loginWithOAuth', { body })).toMatchObject({
      status: 422,
      answer: { code: 'invalid_credentials' },
    })
  })

  test.each([
    ['redirects to an internal address', redirect('http://169.254.169.254/keys')],
    ['has more than 256 kB', json({ keys: [acme.jwk], padding: 'x'.repeat(300_000) })],
    ['is not JSON', json('none')],
  ])('rejects a login if the key set %s', async (_case, answer) => {
    acme.on('/jwks', answer)
    expect(await fixture.loginAt(acme)).toMatchObject(refused)
    await expectNoLogin()
  })

  test('links one account of each issuer, and unlinks it after the provider was removed', async () => {
    await fixture.add('globex', globex.issuer)
    const { token } = await fixture.sessionAt(acme)
    const link = async (issuer: typeof acme, id: string, sub: string) => {
      const begun = await fixture.begin(id)
      await fixture.comeBack(begun, { iss: issuer.issuer })
      const id_token = await issuer.sign({ sub, nonce: begun.url.searchParams.get('nonce') }, Date.now())
      issuer.on('/token', json({ access_token: 'access-1', token_type: 'Bearer', id_token }))
      return fixture.browser.call('linkOAuth', { token, body: await fixture.redemption(begun) })
    }
    expect(await link(globex, 'globex', 'ada')).toMatchObject({ status: 200 })
    expect(await link(acme, 'acme', 'ben')).toMatchObject({ answer: { code: 'cannot_link_more_of_type' } })
    await fixture.operator(['remove', 'globex'])
    const unlink = (body: object) => fixture.browser.call('unlinkOAuth', { token, body })
    const account = { provider: 'oidc:globex', subject: 'ada' }
    expect(await unlink(account)).toMatchObject({ answer: { code: 'invalid_data' } })
    expect(await unlink({ ...account, issuer: globex.issuer })).toMatchObject({
      status: 200,
      answer: { linked_accounts: [{ type: 'oidc', issuer: acme.issuer }] },
    })
  })

  describe('the command', () => {
    test('prints the method, and the URLs to register at the provider', async () => {
      const origin = 'http://dialog.localhost:4000'
      const lines = [
        'method   oidc:acme',
        'name     Acme',
        `issuer   ${acme.issuer}`,
        `client   ${clientId}`,
        `redirect ${origin}/oauth/callback/oidc:acme`,
        `logout   ${origin}/apps/${fixture.app.id}/oidc/acme/backchannel-logout`,
      ]
      expect(await fixture.operator([])).toEqual({ type: 'done', lines })
      expect(await fixture.operator(['refresh', 'acme'])).toEqual({ type: 'done', lines })
      expect(await fixture.browser.call('oidcConnections')).toMatchObject({
        answer: { connections: [{ provider: 'oidc:acme', name: 'Acme', issuer: acme.issuer }] },
      })
    })

    test('disables a provider, and enables it again', async () => {
      const { lines } = await fixture.operator(['disable', 'acme'])
      expect(lines).toContain('state    disabled')
      await expect(fixture.begin()).rejects.toThrow('disallowed_login_method')
      await fixture.operator(['enable', 'acme'])
      await fixture.begin()
      expect((await fixture.operator(['disable', 'other'])).type).toBe('refused')
    })

    test('refuses a second provider with the same id or issuer', async () => {
      expect(await fixture.add('acme', globex.issuer)).toMatchObject({ type: 'refused' })
      expect(await fixture.add('other', acme.issuer)).toMatchObject({ type: 'refused' })
    })

    test.each([
      ['another issuer', { issuer: `${globex.issuer}/` }, 'issuer: the document names'],
      [
        'only signatures with shared secrets',
        { id_token_signing_alg_values_supported: ['HS256', 'none'] },
        'must list one of RS256',
      ],
      ['PKCE without S256', { code_challenge_methods_supported: ['plain'] }, 'must list S256'],
      ['an internal key set', { jwks_uri: 'https://10.0.0.1/jwks' }, ''],
      [
        'an endpoint without https',
        { token_endpoint: 'http://globex.example/token' },
        'token_endpoint: must be a public https URL',
      ],
    ])('refuses a discovery document with %s', async (_case, change, line) => {
      globex.on('/.well-known/openid-configuration', json({ ...globex.metadata, ...change }))
      const { type, lines } = await fixture.add('globex', globex.issuer)
      if (line === '') return expect(type).toBe('done')
      expect({ type, lines }).toEqual({ type: 'refused', lines: [expect.stringContaining(line)] })
    })

    test.each(['http://issuer.example', 'https://10.0.0.1', 'https://issuer.example/?tenant=1', 'issuer'])(
      'refuses the issuer %s without a login',
      async (issuer) => {
        expect(await fixture.add('globex', issuer)).toMatchObject({ type: 'refused' })
      },
    )

    test('stores the client secret wrapped', async () => {
      const [row] = await fixture.context.db
        .withTables<{ oidc_providers: { client_secret: string } }>()
        .selectFrom('oidc_providers')
        .selectAll()
        .execute()
      expect(JSON.stringify(row)).not.toContain('s3cret')
      expect(row?.client_secret).not.toContain(Buffer.from('s3cret').toString('base64').slice(0, 8))
    })
  })
})
