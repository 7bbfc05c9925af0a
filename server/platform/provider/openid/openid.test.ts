import { createHash } from 'node:crypto'
import { decodeProtectedHeader } from 'jose'
import * as openid from 'openid-client'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { consumePortion } from '../../../kernel/attempts/attempts.ts'
import { forEachEngine, runsAllTests } from '../../../kernel/db/test-engines.ts'
import { type ProviderFixture, providerFixture } from '../testing/fixture.ts'

forEachEngine((database, engine) => {
  let fixture: ProviderFixture
  let ada: Awaited<ReturnType<ProviderFixture['newSession']>>
  beforeEach(async () => {
    fixture = await providerFixture(database())
    ada = await fixture.newSession()
  })
  afterEach(() => fixture.close())

  describe('an unmodified OpenID client', () => {
    test('configures itself from the metadata', async () => {
      const config = await fixture.discover()
      const { issuer } = fixture
      expect(config.serverMetadata()).toMatchObject({
        issuer,
        authorization_endpoint: `${issuer}/auth`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`,
        revocation_endpoint: `${issuer}/token/revocation`,
        introspection_endpoint: `${issuer}/token/introspection`,
        authorization_response_iss_parameter_supported: true,
        code_challenge_methods_supported: ['S256'],
        response_types_supported: ['code'],
        response_modes_supported: ['query'],
        grant_types_supported: ['authorization_code', 'refresh_token'],
        token_endpoint_auth_methods_supported: ['private_key_jwt', 'none'],
        id_token_signing_alg_values_supported: ['ES256'],
        dpop_signing_alg_values_supported: ['ES256'],
        scopes_supported: ['openid', 'profile', 'wallet.read', 'wallet.sign', 'wallet.send'],
        latchkey_app_id: fixture.app.id,
        latchkey_app_name: 'Fieldnotes',
        latchkey_icon_url: null,
        latchkey_custom_api_url: null,
      })
      for (const none of ['registration_endpoint', 'userinfo_endpoint', 'end_session_endpoint']) {
        expect(config.serverMetadata()).not.toHaveProperty(none)
      }
    })

    test('logs a user in, and gets tokens that are bound to its key', async () => {
      const { tokens } = await fixture.connect(ada)
      expect(tokens).toMatchObject({ token_type: 'dpop', expires_in: 900 })
      expect(tokens.scope?.split(' ').sort()).toEqual([
        'openid',
        'profile',
        'wallet.read',
        'wallet.send',
        'wallet.sign',
      ])
      expect(tokens.access_token).toMatch(/^[A-Za-z0-9_-]{43}$/)
      expect(tokens.refresh_token).toMatch(/^[A-Za-z0-9_-]{43}$/)
      // Backends reject it as an access token, because it has no type.
      expect(decodeProtectedHeader(tokens.id_token ?? '')).toEqual({
        alg: 'ES256',
        kid: fixture.context.keyring.signingKey().id,
      })
      expect(tokens.claims()).toMatchObject({
        iss: fixture.issuer,
        aud: 'notes',
        sub: ada.session.user.id,
        email: 'ada@example.com',
        wallets: [{ address: ada.address, chain_type: 'ethereum' }],
      })
    })

    test('receives only the claims that the user allowed', async () => {
      const { tokens } = await fixture.connect(ada, { scopes: ['openid'], daily_usd: null })
      expect(tokens.scope).toBe('openid')
      expect(tokens.claims()).not.toHaveProperty('wallets')
      expect(tokens.claims()).not.toHaveProperty('email')
    })

    test('gets new tokens with each refresh, and the previous one becomes invalid', async () => {
      const { config, key, tokens } = await fixture.connect(ada)
      const DPoP = openid.getDPoPHandle(config, key)
      const { refresh_token: first = '' } = tokens
      const second = await openid.refreshTokenGrant(config, first, undefined, { DPoP })
      expect(second.refresh_token).not.toBe(first)
      expect(second.claims()?.sub).toBe(ada.session.user.id)
      await expect(openid.refreshTokenGrant(config, first, undefined, { DPoP })).rejects.toMatchObject({
        error: 'invalid_grant',
      })
      // Two clients had the token, so neither keeps its tokens.
      await expect(
        openid.refreshTokenGrant(config, second.refresh_token ?? '', undefined, { DPoP }),
      ).rejects.toMatchObject({ error: 'invalid_grant' })
    })

    test('refreshes only with the key of its first token', async () => {
      for (const clientId of ['notes', 'open-notes']) {
        const { config, key, tokens } = await fixture.connect(ada, {}, clientId)
        const other = openid.getDPoPHandle(config, await fixture.newKey())
        const refresh = tokens.refresh_token ?? ''
        await expect(
          openid.refreshTokenGrant(config, refresh, undefined, { DPoP: other }),
        ).rejects.toMatchObject({ error: 'invalid_grant' })
        await expect(openid.refreshTokenGrant(config, refresh)).rejects.toMatchObject({
          error: 'invalid_grant',
        })
        const DPoP = openid.getDPoPHandle(config, key)
        expect(await openid.refreshTokenGrant(config, refresh, undefined, { DPoP })).toMatchObject({
          token_type: 'dpop',
        })
      }
    })

    test('gets tokens for one of two concurrent refreshes', async () => {
      const { config, key, tokens } = await fixture.connect(ada)
      const refresh = () =>
        openid
          .refreshTokenGrant(config, tokens.refresh_token ?? '', undefined, {
            DPoP: openid.getDPoPHandle(config, key),
          })
          .then(
            () => 'new',
            () => 'refused',
          )
      expect((await Promise.all([refresh(), refresh()])).sort()).toContain('refused')
    })

    test('introspects and revokes its own token', async () => {
      const { config, tokens } = await fixture.connect(ada)
      expect(await openid.tokenIntrospection(config, tokens.access_token)).toMatchObject({
        active: true,
        client_id: 'notes',
        sub: ada.session.user.id,
      })
      const open = await fixture.connect(ada, {}, 'open-notes')
      expect(await openid.tokenIntrospection(config, open.tokens.access_token)).toEqual({ active: false })
      await openid.tokenRevocation(config, open.tokens.refresh_token ?? '')
      await openid.tokenRevocation(config, tokens.refresh_token ?? '')
      expect(await openid.tokenIntrospection(config, tokens.access_token)).toEqual({ active: false })
      const DPoP = openid.getDPoPHandle(open.config, open.key)
      const again = await openid.refreshTokenGrant(open.config, open.tokens.refresh_token ?? '', undefined, {
        DPoP,
      })
      expect(again.token_type).toBe('dpop')
    })

    test("finds the key in the server's key set", async () => {
      const { text, headers } = await fixture.send(`${fixture.issuer}/jwks`)
      expect(JSON.parse(text)).toEqual(await fixture.context.keyring.publicJwks())
      expect(headers['access-control-allow-origin']).toBe('*')
    })
  })

  if (!runsAllTests(engine)) return

  test('counts an authorization request as a change of its address, because it adds rows', async () => {
    const place = { key: 'address-changes|127.0.0.1', quota: { limit: 3_000, windowSeconds: 600 } }
    const nowSeconds = Math.floor(fixture.context.clock.nowMs() / 1_000)
    await consumePortion(fixture.context.db, { ...place, nowSeconds }, 3_000)
    const { open } = fixture.newUserAgent()
    for (const path of ['/auth?client_id=notes', '/auth/any']) {
      expect(await open(fixture.issuer + path)).toMatchObject({ status: 429 })
    }
    expect(await open(`${fixture.issuer}/jwks`)).toMatchObject({ status: 200 })
  })

  describe('an authorization', () => {
    test('always goes to the cross-app page, and stores no login', async () => {
      const begun = await fixture.begin(await fixture.discover())
      expect(begun.answer.status).toBe(303)
      expect(begun.answer.headers.location).toBe(
        `http://wallet.localhost:4000/apps/${fixture.app.id}/cross-app#authorize.${begun.interaction}`,
      )
      await fixture.allowed(begun, ada)
      for (const { name, path } of begun.agent.cookies.values()) {
        const own = name.startsWith('__Host-latchkey-openid-') ? '/' : `/auth/${begun.interaction}`
        expect([name, path]).toEqual([name, expect.stringMatching(own)])
        expect(name).toMatch(/^__(Host|Secure)-latchkey-openid/)
      }
      const again = await fixture.begin(begun.config, {}, begun.agent)
      expect(again.answer.headers.location).toContain('#authorize.')
    })

    test("sets cookies that scripts and other sites cannot read, the browser's one for the whole host", async () => {
      const { answer } = await fixture.begin(await fixture.discover())
      expect(answer.cookies).toHaveLength(3)
      for (const cookie of answer.cookies)
        expect(cookie).toMatch(/^__(Host|Secure)-latchkey-openid.*;.*secure/i)
      for (const cookie of answer.cookies) expect(cookie).toMatch(/httponly/i)
    })

    const wrong: readonly (readonly [string, Record<string, string>, string])[] = [
      ['without a challenge', { code_challenge: '', code_challenge_method: '' }, 'invalid_request'],
      ['with a plain challenge', { code_challenge_method: 'plain' }, 'invalid_request'],
      ['for an id token', { response_type: 'id_token', nonce: 'n' }, 'invalid_request'],
      ['for a token', { response_type: 'token' }, 'invalid_request'],
      ['without openid', { scope: 'wallet.read' }, 'invalid_scope'],
      [
        'with an address for its request',
        { request_uri: 'http://127.0.0.1/inner' },
        'request_uri_not_supported',
      ],
      ['with no prompt', { prompt: 'none' }, 'login_required'],
    ]
    test.each(wrong)('%s redirects with an error', async (_, more, error) => {
      const { answer } = await fixture.begin(await fixture.discover(), { more })
      const location = new URL(answer.headers.location ?? 'about:blank')
      expect(location.origin + location.pathname).toBe('https://notes.example/oauth/callback/latchkey')
      const told = new URLSearchParams(location.hash === '' ? location.search : location.hash.slice(1))
      expect(Object.fromEntries(told)).toMatchObject({ error, iss: fixture.issuer })
    })

    test.each([
      'https://notes.example/oauth/callback/latchkey/',
      'https://notes.example/other',
      'https://evil.example/',
    ])('to %s shows a plain page and does not redirect', async (redirect_uri) => {
      const { answer } = await fixture.begin(await fixture.discover(), { more: { redirect_uri } })
      expect(answer.status).toBe(400)
      expect(answer.headers).not.toHaveProperty('location')
      expect(answer.text).toContain('data-error="invalid_redirect_uri"')
      expect(answer.headers['content-security-policy']).toContain("default-src 'none'")
    })

    test('shows a plain error page for an unregistered client', async () => {
      const { answer } = await fixture.begin(await fixture.discover(), { more: { client_id: 'nobody' } })
      expect(answer.status).toBe(400)
      expect(answer.text).toContain('data-error="invalid_client"')
    })
  })

  describe('a code', () => {
    test('is valid once, and a second use revokes the tokens of the first', async () => {
      const { config, location, key, tokens, ...begun } = await fixture.connect(ada)
      await expect(fixture.redeem({ config, ...begun }, location, key)).rejects.toMatchObject({
        error: 'invalid_grant',
      })
      expect(await openid.tokenIntrospection(config, tokens.access_token)).toEqual({ active: false })
    })

    test('returns the issuer with the code', async () => {
      const begun = await fixture.begin(await fixture.discover())
      const location = await fixture.allowed(begun, ada)
      expect(location.searchParams.get('iss')).toBe(fixture.issuer)
      expect([...location.searchParams.keys()].sort()).toEqual(['code', 'iss', 'state'])
    })

    test('requires the verifier, the proof of a key, and the key of its client', async () => {
      const redeeming = async () => {
        const begun = await fixture.begin(await fixture.discover())
        return { begun, location: await fixture.allowed(begun, ada), key: await fixture.newKey() }
      }
      const verifier = await redeeming()
      const pkceCodeVerifier = openid.randomPKCECodeVerifier()
      await expect(
        fixture.redeem(verifier.begun, verifier.location, verifier.key, { pkceCodeVerifier }),
      ).rejects.toMatchObject({ error: 'invalid_grant' })
      const { begun, location } = await redeeming()
      await expect(
        openid.authorizationCodeGrant(begun.config, location, {
          pkceCodeVerifier: begun.verifier,
          expectedState: begun.state,
        }),
      ).rejects.toMatchObject({ error: 'invalid_grant' })
      const other = await redeeming()
      const open = await fixture.discover('open-notes')
      await expect(
        fixture.redeem({ ...other.begun, config: open }, other.location, other.key),
      ).rejects.toMatchObject({ error: 'invalid_grant' })
      const asserted = await fixture.send(
        `${fixture.issuer}/token`,
        'POST',
        { 'content-type': 'application/x-www-form-urlencoded' },
        new URLSearchParams({ grant_type: 'authorization_code', client_id: 'notes', code: 'c' }).toString(),
      )
      expect([asserted.status, JSON.parse(asserted.text)]).toEqual([
        401,
        expect.objectContaining({ error: 'invalid_client' }),
      ])
    })
  })

  test('every response forbids caching, framing and referrers', async () => {
    const begun = await fixture.begin(await fixture.discover())
    const headers = {
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'strict-transport-security': expect.stringMatching(/^max-age=\d{8}/),
    }
    expect(begun.answer.headers).toMatchObject({ ...headers, 'cache-control': 'no-store' })
    const metadata = await fixture.send(`${fixture.issuer}/.well-known/openid-configuration`)
    expect(metadata.headers).toMatchObject(headers)
  })

  test('rate limits calls by address', async () => {
    const key = (what: string) => `address-${what}|`
    const { db } = fixture.context
    const counted = async (what: string) =>
      (
        await db
          .selectFrom('attempts')
          .select('key')
          .where('key', 'like', `${key(what)}%`)
          .execute()
      ).length
    expect([await counted('reads'), await counted('changes')]).toEqual([0, 0])
    await fixture.connect(ada)
    expect([await counted('reads'), await counted('changes')]).toEqual([1, 1])
  })

  describe('an app that is no provider', () => {
    test('has no endpoints, and responds with an error', async () => {
      const { tokens, config, key } = await fixture.connect(ada)
      await fixture.enable(false)
      const { status, text } = await fixture.send(`${fixture.issuer}/.well-known/openid-configuration`)
      expect([status, JSON.parse(text)]).toEqual([
        404,
        { code: 'not_found', error: 'The wallets of this app are not used in other apps' },
      ])
      const DPoP = openid.getDPoPHandle(config, key)
      await expect(
        openid.refreshTokenGrant(config, tokens.refresh_token ?? '', undefined, { DPoP }),
      ).rejects.toThrow()
      expect(await fixture.decide(ada, 'abc', { decision: 'deny' })).toMatchObject({ status: 404 })
    })

    test('is only available on the hostname of its issuer', async () => {
      const elsewhere = fixture.issuer.replace('//dialog.', '//wallet.')
      const { status } = await fixture.send(`${elsewhere}/.well-known/openid-configuration`)
      expect(status).toBe(404)
    })
  })

  test("an issuer on the app's hostname follows the settings, not the request headers", async () => {
    const { setFields } = await import('../../../identity/apps/manage.ts')
    const { context, app } = fixture
    await setFields(context.db, context.clock, app.id, [['custom_api_url', 'https://api.fieldnotes.example']])
    context.clock.advanceSeconds(5)
    const issuer = `https://api.fieldnotes.example/apps/${app.id}/openid`
    const { text } = await fixture.send(`${issuer}/.well-known/openid-configuration`, 'GET', {
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'http',
    })
    expect(JSON.parse(text)).toMatchObject({
      issuer,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
      latchkey_custom_api_url: 'https://api.fieldnotes.example',
    })
  })

  test('the database rows alone contain no usable token', async () => {
    const { tokens } = await fixture.connect(ada)
    const rows = JSON.stringify(
      await fixture.context.db
        .withTables<{ openid_records: Record<string, unknown> }>()
        .selectFrom('openid_records')
        .selectAll()
        .execute(),
    )
    for (const secret of [tokens.access_token, tokens.refresh_token ?? '']) {
      expect(rows).not.toContain(secret)
      expect(rows).not.toContain(createHash('sha256').update(secret).digest('base64url'))
    }
    expect(rows).not.toContain(ada.address)
  })
})
