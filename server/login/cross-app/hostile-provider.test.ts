/** Hostile providers: wrong, slow or mixed-up responses never log a user in. */
import { UnsecuredJWT } from 'jose'
import * as v from 'valibot'
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { sessionAnswer } from '../../identity/sessions/testing/browser.ts'
import { forDefaultEngine } from '../../kernel/db/test-engines.ts'
import { walletProviderClient } from './client.ts'
import { findProvider } from './providers.ts'
import { type Begun, type CrossAppFixture, crossAppFixture, newLogin, proofFor } from './testing/fixture.ts'
import { json, redirect, startScriptedProvider } from './testing/scripted-provider.ts'

const harbour = await startScriptedProvider('harbour.localhost')
const quay = await startScriptedProvider('quay.localhost')
afterAll(() => {
  harbour.close()
  quay.close()
})

const address = '0x52908400098527886E0F7030069857D2E4169EE7'
const refused = {
  status: 400,
  answer: { code: 'oauth_unexpected', error: 'Something went wrong. Please try again.' },
}

forDefaultEngine((database) => {
  let fixture: CrossAppFixture
  beforeEach(async () => {
    harbour.reset()
    quay.reset()
    fixture = await crossAppFixture(database())
    for (const { issuer } of [harbour, quay]) await fixture.operator('add', issuer)
  })

  const backTo = (
    { url }: Pick<Begun, 'url'>,
    { iss = harbour.issuer, ...more }: Readonly<Record<string, string>> = {},
  ) => new URLSearchParams({ code: 'code-1', state: url.searchParams.get('state') ?? '', iss, ...more })
  const claimsFor = ({ url }: Pick<Begun, 'url'>, change: object = {}) => ({
    aud: fixture.app.id,
    nonce: url.searchParams.get('nonce') ?? '',
    wallets: [{ address, chain_type: 'ethereum' }],
    ...change,
  })

  /** Runs the login up to the redemption, at a provider that consented. */
  async function granted(at = harbour) {
    const begun = await fixture.begin(at.provider)
    await fixture.comeBack(begun, backTo(begun, { iss: at.issuer }))
    return { begun, body: await fixture.redemption(begun, at) }
  }
  type Change = {
    claims?: object
    tokens?: object
    idToken?: (claims: object) => Promise<string> | string
  }
  /** Runs a login whose tokens are valid except for this change. */
  async function loginWith({ claims, tokens, idToken = harbour.idToken }: Change = {}) {
    const { begun, body } = await granted()
    const id_token = await idToken(claimsFor(begun, claims))
    harbour.on('/token', json(harbour.tokens({ id_token, ...tokens })))
    return { begun, body, ...(await fixture.browser.call('loginWithOAuth', { body })) }
  }
  async function loggedIn(change: Change = {}) {
    const { begun, answer } = await loginWith(change)
    return { begun, ...v.parse(sessionAnswer, answer) }
  }
  const nobody = async () => {
    expect(await fixture.accounts()).toEqual([])
    expect(await fixture.context.db.selectFrom('sessions').selectAll().execute()).toEqual([])
  }

  test('accepts valid tokens, with the app’s key and the browser’s proof', async () => {
    const { body, status } = await loginWith()
    expect(status).toBe(200)
    const [asked] = harbour.askedAt('/token')
    expect(Object.fromEntries(asked?.form ?? [])).toMatchObject({
      grant_type: 'authorization_code',
      code: 'code-1',
      redirect_uri: `http://dialog.localhost:4000/oauth/callback/${harbour.provider}`,
      code_verifier: expect.stringMatching(/^[\w-]{43}$/),
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    })
    expect(asked?.headers.dpop).toBe(body.proof)
    expect(asked?.headers.authorization).toBeUndefined()
  })

  describe('an invalid id token', () => {
    test.each([
      ['of another issuer', { iss: quay.issuer }],
      ['for another audience', { aud: 'somebody-else' }],
      ['for several, one of them another', { aud: ['somebody-else'] }],
      ['with another nonce', { nonce: 'another' }],
      ['without a nonce', { nonce: undefined }],
      ['of nobody', { sub: '' }],
      ['of a number', { sub: 7 }],
      ['of a name that nobody sees', { sub: 'usr_\u202eada' }],
      ['of a name without end', { sub: 'x'.repeat(256) }],
      ['with wallets that are none', { wallets: 'all' }],
      ['with a wallet that is none', { wallets: [{ address: '0x1' }] }],
      ['with markup for a wallet', { wallets: [{ address: '<img src=x>' }] }],
      ['with more wallets than there may be', { wallets: Array(21).fill({ address }) }],
    ])('rejects an id token with: %s', async (_, claims) => {
      expect(await loginWith({ claims })).toMatchObject(refused)
      await nobody()
    })

    test('rejects an id token from yesterday', async () => {
      const idToken = (claims: object) => harbour.idToken({ ...claims, sub: 'usr_ada' })
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 86_400_000 })
      const { begun, body } = await granted()
      const id_token = await idToken(claimsFor(begun))
      vi.useRealTimers()
      harbour.on('/token', json(harbour.tokens({ id_token })))
      expect(await fixture.browser.call('loginWithOAuth', { body })).toMatchObject(refused)
      await nobody()
    })

    test.each([
      [
        'that nobody signed',
        (claims: object) =>
          new UnsecuredJWT({ ...claims, iss: harbour.issuer, sub: 'usr_ada' })
            .setIssuedAt()
            .setExpirationTime('5m')
            .encode(),
      ],
      [
        'that the public key signed, taken for a secret',
        (claims: object) =>
          harbour.idToken(
            claims,
            { alg: 'HS256' },
            new TextEncoder().encode(JSON.stringify(harbour.publicJwk)),
          ),
      ],
      ['that another key signed', (claims: object) => harbour.idToken(claims, {}, harbour.otherKey)],
      ['of a key that is not there', (claims: object) => harbour.idToken(claims, { kid: 'another' })],
      ['that is none', () => 'none'],
    ])('rejects an id token: %s', async (_, idToken) => {
      expect(await loginWith({ idToken })).toMatchObject(refused)
      await nobody()
    })

    test('rejects a missing id token', async () => {
      expect(await loginWith({ tokens: { id_token: undefined } })).toMatchObject(refused)
      await nobody()
    })
  })

  describe('invalid tokens', () => {
    test.each([
      ['that anybody may use who has them', { token_type: 'Bearer' }],
      ['of a kind that nobody knows', { token_type: 'mac' }],
      ['with a line feed in them', { access_token: 'a\r\nset-cookie: x=y' }],
      ['that are longer than a header', { access_token: 'a'.repeat(4_097) }],
      ['that are none', { access_token: { a: 1 } }],
      ['with a life that is none', { expires_in: 'soon' }],
    ])('rejects tokens: %s', async (_, tokens) => {
      expect(await loginWith({ tokens })).toMatchObject(refused)
      await nobody()
    })
  })

  describe('a provider response', () => {
    test.each([
      ['of the token endpoint', '/token'],
      ['of the key set', '/jwks'],
    ])('%s: a redirect to an internal address is not followed', async (_, path) => {
      const inner: string[] = []
      quay.on('/inner', (response) => {
        inner.push('asked')
        response.end('{}')
      })
      const { begun, body } = await granted()
      const id_token = await harbour.idToken(claimsFor(begun))
      harbour.on('/token', json(harbour.tokens({ id_token })))
      harbour.on(path, (response) => response.writeHead(307, { location: `${quay.issuer}/inner` }).end())
      expect(await fixture.browser.call('loginWithOAuth', { body })).toMatchObject(refused)
      expect(inner).toEqual([])
      await nobody()
    })

    test.each(['/token', '/jwks'])('%s: an oversized response is not read completely', async (path) => {
      const { begun, body } = await granted()
      const id_token = await harbour.idToken(claimsFor(begun))
      harbour.on('/token', json(harbour.tokens({ id_token })))
      harbour.on(path, json({ keys: [], padding: 'x'.repeat(262_145) }))
      expect(await fixture.browser.call('loginWithOAuth', { body })).toMatchObject(refused)
      await nobody()
    })

    test.each([
      ['nothing', (response: { end: () => unknown }) => response.end()],
      ['a page', (response: { end: (text: string) => unknown }) => response.end('<html>')],
      ['a list', json([])],
      ['null', json(null)],
      ['a failure', json({ error: 'server_error' }, 500)],
      ['an error that is none', json({ error: '<script>' }, 400)],
    ])('a response that is %s logs nobody in', async (_, answer) => {
      const { body } = await granted()
      harbour.on('/token', answer)
      expect(await fixture.browser.call('loginWithOAuth', { body })).toMatchObject(refused)
      await nobody()
    })

    test('a response that never ends times out, with an unknown outcome', async () => {
      const { begun } = await granted()
      harbour.on('/token', (response) => response.writeHead(200).write('{'))
      const { context, app } = fixture
      const provider = (await findProvider(context.db, app.id, harbour.appId)) ?? expect.unreachable()
      const state = begun.url.searchParams.get('state') ?? ''
      const exchanging = walletProviderClient(context, provider).exchange(
        backTo(begun),
        'http://dialog.localhost:4000/',
        { state, verifier: 'v'.repeat(43), nonce: 'n', proof: proofFor(begun.login, harbour) },
        AbortSignal.timeout(200),
      )
      await expect(exchanging).rejects.toMatchObject({ name: 'TimeoutError' })
    })

    // spec W8.32
    test('an invalid code is reported as such', async () => {
      const { body } = await granted()
      harbour.on('/token', json({ error: 'invalid_grant' }, 400))
      expect(await fixture.browser.call('loginWithOAuth', { body })).toMatchObject({
        status: 422,
        answer: { code: 'invalid_credentials', error: 'Invalid code during cross-app auth flow.' },
      })
    })

    test('a rate limit is reported with its retry time', async () => {
      const { body } = await granted()
      harbour.on('/token', (response) =>
        response
          .writeHead(429, { 'retry-after': '7', 'content-type': 'application/json' })
          .end(JSON.stringify({ error: 'slow_down' })),
      )
      const answered = await fixture.browser.call('loginWithOAuth', { body })
      expect(answered).toMatchObject({ status: 429, answer: { code: 'too_many_requests' } })
      expect(answered.headers.get('retry-after')).toBe('7')
    })
  })

  describe('the redirect back', () => {
    test.each([
      ['of another issuer', { iss: quay.issuer }],
      ['of an issuer that only begins like it', { iss: `${harbour.issuer}.example` }],
      ['with an answer in a token', { response: 'x.y.z' }],
    ])('%s is rejected before the provider is called', async (_, change) => {
      const begun = await fixture.begin(harbour.provider)
      await fixture.comeBack(begun, backTo(begun, change))
      expect(await fixture.heardOf(begun)).toEqual({ answer: null, failure: 'oauth_unexpected' })
      expect(harbour.askedAt('/token')).toEqual([])
      expect(quay.askedAt('/token')).toEqual([])
    })

    test('a redirect without an issuer is rejected', async () => {
      const begun = await fixture.begin(harbour.provider)
      const query = backTo(begun)
      query.delete('iss')
      await fixture.comeBack(begun, query)
      expect(await fixture.heardOf(begun)).toMatchObject({ failure: 'oauth_unexpected' })
    })

    test('a code is sent only to the provider that the window was sent to', async () => {
      const begun = await fixture.begin(harbour.provider)
      const elsewhere = { ...begun, provider: quay.provider }
      expect((await fixture.comeBack(elsewhere, backTo(begun))).status).toBe(400)
      expect((await fixture.comeBack(elsewhere, backTo(begun, { iss: quay.issuer }))).status).toBe(400)
      expect(await fixture.heardOf(begun)).toEqual({ answer: null, failure: null })
      expect(quay.askedAt('/token')).toEqual([])
    })

    test('a code of one provider can not be redeemed as another’s', async () => {
      const { body } = await granted()
      const named = { ...body, provider: quay.provider }
      expect(await fixture.browser.call('loginWithOAuth', { body: named })).toMatchObject({
        status: 422,
        answer: { error: 'Invalid code during cross-app auth flow.' },
      })
      expect(harbour.askedAt('/token')).toEqual([])
      expect(quay.askedAt('/token')).toEqual([])
    })

    test('the first redirect counts, and later ones are ignored', async () => {
      const begun = await fixture.begin(harbour.provider)
      await fixture.comeBack(begun, backTo(begun))
      const heard = await fixture.heardOf(begun)
      expect(
        (await fixture.comeBack(begun, backTo(begun, { code: 'code-2' }))).status,
      ).toBeGreaterThanOrEqual(400)
      expect(await fixture.heardOf(begun)).toEqual(heard)
    })

    test('a redirect counts only in the browser that was sent there', async () => {
      const begun = await fixture.begin(harbour.provider)
      const victim = await fixture.begin(harbour.provider, fixture.newBrowser())
      expect(await fixture.comeBack(victim, backTo(begun))).toMatchObject({ status: 403 })
      expect(await fixture.heardOf(begun)).toEqual({ answer: null, failure: null })
    })
  })

  test('the same subject at two providers is two accounts', async () => {
    const first = await loggedIn()
    const { begun, body } = await granted(quay)
    const id_token = await quay.idToken(claimsFor(begun))
    quay.on('/token', json(quay.tokens({ id_token })))
    const { answer } = await fixture.browser.call('loginWithOAuth', { body })
    expect(v.parse(sessionAnswer, answer).user.id).not.toBe(first.user.id)
    expect((await fixture.accounts()).map(({ identifier }) => identifier).sort()).toEqual(
      [`${harbour.appId}:usr_ada`, `${quay.appId}:usr_ada`].sort(),
    )
  })

  describe('refreshing tokens', () => {
    const over = {
      answer: { code: 'missing_or_invalid_token', details: { provider: harbour.provider } },
    }
    const renew = (token: string, { login }: Begun, provider = harbour.provider) =>
      fixture.browser.call('refreshCrossAppTokens', {
        token,
        body: { provider, refresh_token: 'refresh-1', proof: proofFor(login, harbour) },
      })
    const answers = async (claims: object | null, more: object = {}) =>
      harbour.on(
        '/token',
        json(
          harbour.tokens({
            access_token: 'access-2',
            refresh_token: 'refresh-2',
            ...(claims && { id_token: await harbour.idToken({ aud: fixture.app.id, ...claims }) }),
            ...more,
          }),
        ),
      )

    test('refreshes the user’s tokens with the app’s key and the browser’s proof', async () => {
      const { begun, token } = await loggedIn()
      await answers({})
      expect(await renew(token, begun)).toMatchObject({
        status: 200,
        answer: {
          provider: harbour.provider,
          access_token: 'access-2',
          access_token_expires_in_seconds: 900,
          refresh_token: 'refresh-2',
          scopes: ['openid', 'wallet.read', 'wallet.sign', 'wallet.send'],
        },
      })
      const asked = harbour.askedAt('/token').at(-1)
      expect(Object.fromEntries(asked?.form ?? [])).toMatchObject({
        grant_type: 'refresh_token',
        refresh_token: 'refresh-1',
        client_assertion: expect.any(String),
      })
      expect(asked?.headers.dpop).toEqual(expect.any(String))
    })

    test('rejects tokens of another user and ends the connection', async () => {
      const { begun, token } = await loggedIn()
      await answers({ sub: 'usr_ben' })
      const answered = await renew(token, begun)
      expect(answered).toMatchObject(over)
      expect(JSON.stringify(answered.answer)).not.toContain('access-2')
    })

    test('rejects tokens of another issuer or audience and bearer tokens', async () => {
      const { begun, token } = await loggedIn()
      await answers({ iss: quay.issuer })
      expect(await renew(token, begun)).toMatchObject(refused)
      await answers({ aud: 'somebody-else' })
      expect(await renew(token, begun)).toMatchObject(refused)
      await answers({}, { token_type: 'Bearer' })
      expect(await renew(token, begun)).toMatchObject(refused)
    })

    test('reports a connection that the provider has ended', async () => {
      const { begun, token } = await loggedIn()
      harbour.on('/token', json({ error: 'invalid_grant' }, 400))
      expect(await renew(token, begun)).toMatchObject(over)
    })

    test('calls the provider once for a repeated call', async () => {
      const { begun, token } = await loggedIn()
      await answers({})
      const before = harbour.askedAt('/token').length
      const body = {
        provider: harbour.provider,
        refresh_token: 'refresh-1',
        proof: proofFor(begun.login, harbour),
      }
      const call = () =>
        fixture.browser.call('refreshCrossAppTokens', { token, body, requestId: 'r'.repeat(20) })
      const [first, second] = [await call(), await call()]
      expect(first).toMatchObject({ status: 200 })
      expect(second.answer).toEqual(first.answer)
      expect(harbour.askedAt('/token')).toHaveLength(before + 1)
    })

    // spec W8.31
    test('requires an account at the provider', async () => {
      const { begun, token } = await loggedIn()
      const notConnected = {
        status: 403,
        answer: { code: 'cross_app_connection_not_allowed', error: 'Invalid connected app' },
      }
      expect(await renew(token, begun, quay.provider)).toMatchObject(notConnected)
      const ben = await fixture.newBrowser().login('ben@example.com')
      expect((await renew(ben.token, begun)).status).toBe(401)
      const own = await fixture.browser.login('ben@example.com')
      expect(await renew(own.token, begun)).toMatchObject(notConnected)
      expect(quay.askedAt('/token')).toEqual([])
    })

    test('requires a proof that is valid in a header', async () => {
      const { token } = await loggedIn()
      const body = { provider: harbour.provider, refresh_token: 'refresh-1', proof: 'x\r\ny: z' }
      expect(await fixture.browser.call('refreshCrossAppTokens', { token, body })).toMatchObject({
        status: 422,
        answer: { code: 'invalid_data', details: { path: 'proof' } },
      })
    })

    test('stores the tokens sealed', async () => {
      const { begun, token } = await loggedIn()
      await answers({})
      await renew(token, begun)
      const kept = JSON.stringify(
        await fixture.context.db.selectFrom('request_replays').selectAll().execute(),
      )
      expect(kept).not.toContain('access-2')
      expect(kept).not.toContain('refresh-2')
    })
  })

  describe('a failing revocation', () => {
    test.each([
      ['because it fails', json({ error: 'server_error' }, 500)],
      ['because it sends elsewhere', redirect(quay.origin)],
    ])('%s: the account is unlinked anyway', async (_, answer) => {
      const { token } = await fixture.browser.login()
      const { begun, body } = await granted()
      harbour.on('/token', json(harbour.tokens({ id_token: await harbour.idToken(claimsFor(begun)) })))
      await fixture.browser.call('linkOAuth', { token, body })
      harbour.on('/revocation', answer)
      expect(
        await fixture.browser.call('unlinkOAuth', {
          token,
          body: { provider: harbour.provider, subject: 'usr_ada', refresh_token: 'refresh-1' },
        }),
      ).toMatchObject({ status: 200 })
      expect(harbour.askedAt('/revocation')[0]?.form.get('token')).toBe('refresh-1')
      expect(await fixture.accounts()).toEqual([])
      expect(fixture.logged()).toMatchObject([
        { msg: 'A provider was not told that its token is of no more use', provider: harbour.provider },
      ])
    })
  })

  test('an unknown login redeems nothing', async () => {
    const login = newLogin()
    const body = {
      authorization_code: `${login.handle}.x`,
      state_code: login.state,
      code_verifier: login.verifier,
      provider: harbour.provider,
      proof: proofFor(login, harbour),
    }
    expect(await fixture.browser.call('loginWithOAuth', { body })).toMatchObject({
      status: 422,
      answer: { error: 'Invalid code during cross-app auth flow.' },
    })
  })
})
