/** Cross-app logins on two servers, of which one is the real provider. */
import { randomUUID } from 'node:crypto'
import { createdCrossAppRequestSchema } from '@latchkey/protocol/api'
import * as v from 'valibot'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sessionAnswer } from '../../identity/sessions/testing/browser.ts'
import { forDefaultEngine } from '../../kernel/db/test-engines.ts'
import { browserWindow, newHandle } from '../window/testing/browser-window.ts'
import { type CrossAppFixture, crossAppFixture, newLogin, proofFor, withTokens } from './testing/fixture.ts'
import { type RealProvider, startRealProvider } from './testing/provider.ts'

let started: RealProvider | undefined
const theirs = () => started ?? expect.unreachable('not started')
beforeAll(async () => {
  started = await startRealProvider()
})
afterAll(() => started?.stop())

forDefaultEngine((database) => {
  let fixture: CrossAppFixture
  beforeEach(async () => {
    fixture = await crossAppFixture(database())
    const { lines } = await fixture.operator('add', theirs().issuer)
    expect(await theirs().letIn(lines.at(-1) ?? '')).toMatchObject({ type: 'done' })
  })

  /** Runs the login up to the redemption. */
  async function granted(from = fixture.browser) {
    const begun = await fixture.begin(theirs().provider, from)
    const back = await theirs().decide(begun.url)
    expect(await fixture.comeBack(begun, back.searchParams)).toMatchObject({ status: 200 })
    return { begun, back, body: await fixture.redemption(begun, theirs()) }
  }
  const loggedIn = async () => {
    const { begun, body } = await granted()
    const { answer } = await fixture.browser.call('loginWithOAuth', { body })
    return { begun, session: v.parse(sessionAnswer, answer), ...v.parse(withTokens, answer) }
  }
  const refresh = (token: string, begun: Parameters<typeof proofFor>[0], refreshToken: string) =>
    fixture.browser.call('refreshCrossAppTokens', {
      token,
      body: {
        provider: theirs().provider,
        refresh_token: refreshToken,
        proof: proofFor(begun, theirs()),
      },
    })

  // spec W7.11
  test('sends the window to the provider with all parameters of the login', async () => {
    const { login, url } = await fixture.begin(theirs().provider)
    expect(url.href).toMatch(`${theirs().issuer}/auth?`)
    expect(Object.fromEntries(url.searchParams)).toEqual({
      client_id: fixture.app.id,
      redirect_uri: `http://dialog.localhost:4000/oauth/callback/${theirs().provider}`,
      response_type: 'code',
      scope: 'openid wallet.read wallet.sign wallet.send',
      state: expect.stringMatching(/.{60}/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
      dpop_jkt: login.key.thumbprint,
    })
  })

  // spec L1.9
  test('logs a user in with the wallet and the provider’s tokens', async () => {
    const { session, oauth_tokens } = await loggedIn()
    const { owner, provider } = theirs()
    expect(session.user).toMatchObject({
      linked_accounts: [
        {
          type: 'cross_app',
          provider_app_id: theirs().appId,
          subject: owner.session.user.id,
          embedded_wallets: [{ address: owner.address }],
          smart_wallets: [],
        },
      ],
    })
    expect(oauth_tokens).toMatchObject({
      provider,
      access_token_expires_in_seconds: 900,
      scopes: ['openid', 'wallet.read', 'wallet.sign', 'wallet.send'],
    })
    expect(await fixture.audited('session.started')).toMatchObject([{ details: { method: 'cross_app' } }])
  })

  test.each([true, false])(
    'returns the tokens regardless of the app’s setting for other tokens: %j',
    async (areHandedOut) => {
      await fixture.handOutTokens(areHandedOut)
      const { body } = await granted()
      const { answer } = await fixture.browser.call('loginWithOAuth', { body })
      expect(v.is(withTokens, answer)).toBe(true)
    },
  )

  // spec W7.12, W7.13, L1.9
  test('links the wallet, and reconnects any number of times', async () => {
    const { token, user } = await fixture.browser.login()
    fixture.context.clock.advanceSeconds(1)
    const first = await fixture.browser.call('linkOAuth', { token, body: (await granted()).body })
    expect(first).toMatchObject({
      status: 200,
      answer: {
        id: user.id,
        linked_accounts: [{ type: 'email' }, { type: 'cross_app', provider_app_id: theirs().appId }],
        oauth_tokens: { access_token: expect.any(String) },
      },
    })
    const again = await fixture.browser.call('linkOAuth', { token, body: (await granted()).body })
    expect(again).toMatchObject({ status: 200, answer: { linked_accounts: [{}, { type: 'cross_app' }] } })
    expect(v.parse(withTokens, again.answer).oauth_tokens.access_token).not.toBe(
      v.parse(withTokens, first.answer).oauth_tokens.access_token,
    )
    expect(await fixture.accounts()).toHaveLength(1)
  })

  test('refuses another user’s account, and a second account at the same provider', async () => {
    await loggedIn()
    const ben = fixture.newBrowser()
    const { token } = await ben.login('ben@example.com')
    expect(await ben.call('linkOAuth', { token, body: (await granted(ben)).body })).toMatchObject({
      status: 400,
      answer: { code: 'linked_to_another_user' },
    })
    const provider = theirs()
    const carla = provider.newBrowser()
    // The provider's database outlives this server's.
    const somebody = () => `${randomUUID()}@example.com`
    const session = await provider.newSession(somebody(), carla)
    const begun = await fixture.begin(provider.provider, ben)
    const back = await provider.decide(begun.url, 'allow', {}, session)
    await fixture.comeBack(begun, back.searchParams)
    const body = await fixture.redemption(begun, provider)
    expect(await ben.call('linkOAuth', { token, body })).toMatchObject({ status: 200 })
    const dan = await provider.newSession(somebody(), provider.newBrowser())
    const second = await fixture.begin(provider.provider, ben)
    await fixture.comeBack(second, (await provider.decide(second.url, 'allow', {}, dan)).searchParams)
    expect(
      await ben.call('linkOAuth', { token, body: await fixture.redemption(second, provider) }),
    ).toMatchObject({ status: 400, answer: { code: 'cannot_link_more_of_type' } })
  })

  // spec W8.33
  test('reports a denied login', async () => {
    const begun = await fixture.begin(theirs().provider)
    const back = await theirs().decide(begun.url, 'deny')
    expect(back.searchParams.get('error')).toBe('access_denied')
    await fixture.comeBack(begun, back.searchParams)
    expect(await fixture.resultFor(begun.login)).toMatchObject({
      answer: { status: 'failed', error: 'oauth_user_denied' },
    })
  })

  // spec W7.15, W7.16
  test('the provider accepts the token with its key, and the window goes to the provider’s page', async () => {
    const { begun, session, oauth_tokens } = await loggedIn()
    const { issuer, context, owner, provider, send } = theirs()
    const url = `${issuer}/requests`
    const dpop = begun.login.key.prove({
      url,
      atSeconds: Math.floor(context.clock.nowMs() / 1_000),
      token: oauth_tokens.access_token,
    })
    const asked = await send(
      url,
      'POST',
      {
        'content-type': 'application/json',
        origin: 'http://dialog.localhost:4000',
        authorization: `DPoP ${oauth_tokens.access_token}`,
        dpop,
      },
      JSON.stringify({ method: 'personal_sign', params: ['0x48656c6c6f', owner.address] }),
    )
    expect(asked).toMatchObject({
      status: 200,
      headers: { 'access-control-allow-origin': 'http://dialog.localhost:4000' },
    })
    const { handle, transact_url } = v.parse(createdCrossAppRequestSchema, JSON.parse(asked.text))
    const made = newHandle()
    const address = `${transact_url}#${handle}`
    expect(
      await fixture.browser.call('openCrossAppWindow', {
        token: session.token,
        body: { relay: made.relay, provider, transact_url: address },
      }),
    ).toMatchObject({ status: 200 })
    const { location } = await browserWindow(fixture.server).start('cross-app', made)
    expect(location).toBe(address)
    const led = await send(transact_url)
    expect(led.headers.location).toBe(`${context.config.walletOrigin}/apps/${theirs().appId}/cross-app`)
  })

  test('refreshes the tokens with the key that they are bound to only', async () => {
    const { begun, session, oauth_tokens } = await loggedIn()
    const renewed = await refresh(session.token, begun.login, oauth_tokens.refresh_token)
    expect(renewed).toMatchObject({
      status: 200,
      answer: { provider: theirs().provider, access_token_expires_in_seconds: 900 },
    })
    const { refresh_token: next } = v.parse(withTokens.entries.oauth_tokens, renewed.answer)
    expect(next).not.toBe(oauth_tokens.refresh_token)
    const other = await refresh(session.token, newLogin(), next)
    expect(other.status).toBeGreaterThanOrEqual(400)
  })

  test('reports an expired refresh token of a provider', async () => {
    const { begun, session } = await loggedIn()
    expect(await refresh(session.token, begun.login, 'none')).toMatchObject({
      answer: {
        code: 'missing_or_invalid_token',
        error: 'The connection to this app is over',
        details: { provider: theirs().provider },
      },
    })
  })

  describe('ending a connection', () => {
    test('unlinking an account revokes its token at the provider', async () => {
      const { token } = await fixture.browser.login()
      const { body } = await granted()
      const linked = v.parse(withTokens, (await fixture.browser.call('linkOAuth', { token, body })).answer)
      const { refresh_token } = linked.oauth_tokens
      expect(await theirs().tellOf(refresh_token)).toContain('active true')
      const { provider, owner } = theirs()
      expect(
        await fixture.browser.call('unlinkOAuth', {
          token,
          body: { provider, subject: owner.session.user.id, refresh_token },
        }),
      ).toMatchObject({ status: 200, answer: { linked_accounts: [{ type: 'email' }] } })
      expect(await theirs().tellOf(refresh_token)).toContain('active false')
      expect(await fixture.accounts()).toEqual([])
    })

    // spec W8.31
    test('removing a provider disables logins with it', async () => {
      const { begun, session, oauth_tokens } = await loggedIn()
      const { body } = await granted()
      await fixture.operator('remove', theirs().appId)
      const refused = {
        status: 403,
        answer: { code: 'cross_app_connection_not_allowed', error: 'Invalid connected app' },
      }
      expect(await fixture.browser.call('loginWithOAuth', { body })).toMatchObject(refused)
      expect(await fixture.init(newLogin(), theirs().provider)).toMatchObject(refused)
      expect(await refresh(session.token, begun.login, oauth_tokens.refresh_token)).toMatchObject(refused)
    })

    test('changing the client key at the provider ends the tokens', async () => {
      await fixture.operator('remove', theirs().appId)
      await fixture.operator('add', theirs().issuer)
      // The provider still has the previous key.
      const { body } = await granted()
      expect(await fixture.browser.call('loginWithOAuth', { body })).toMatchObject({
        status: 400,
        answer: { code: 'oauth_unexpected' },
      })
      expect(await fixture.accounts()).toEqual([])
    })
  })

  // spec W8.32
  describe('a code', () => {
    const wrongCode = {
      status: 422,
      answer: { code: 'invalid_credentials', error: 'Invalid code during cross-app auth flow.' },
    }
    const login = (body: object, from = fixture.browser) => from.call('loginWithOAuth', { body })

    test('a code can be used once', async () => {
      const { body } = await granted()
      expect(await login(body)).toMatchObject({ status: 200 })
      expect(await login(body)).toMatchObject(wrongCode)
    })

    test('a code is valid in its browser, app and provider only, and unmodified', async () => {
      const { body } = await granted()
      const otherApp = fixture.newBrowser(await fixture.newApp())
      for (const [change, from] of [
        [{}, fixture.newBrowser()],
        [{}, otherApp],
        [{ provider: `latchkey:${'x'.repeat(25)}` }, fixture.browser],
        [{ authorization_code: `${body.authorization_code}x` }, fixture.browser],
        [{ authorization_code: 'none' }, fixture.browser],
      ] as const) {
        expect(await login({ ...body, ...change }, from), JSON.stringify(change)).toMatchObject(wrongCode)
      }
      const { provider: _none, ...unnamed } = body
      expect(await login(unnamed)).toMatchObject({ status: 422, answer: { code: 'invalid_credentials' } })
      // spec W5.13
      expect(await login({ ...body, state_code: newLogin().state })).toMatchObject({
        answer: { code: 'pkce_state_code_mismatch' },
      })
      expect(await login({ ...body, code_verifier: newLogin().verifier })).toMatchObject({
        answer: { code: 'invalid_pkce_parameters' },
      })
      // None of them consumed it.
      expect(await login(body)).toMatchObject({ status: 200 })
    })

    test('a code requires a proof with the key of the login', async () => {
      const { body } = await granted()
      for (const proof of [undefined, 'none', proofFor(newLogin(), theirs())]) {
        expect(await login({ ...body, proof })).toMatchObject({
          status: 422,
          answer: { code: 'invalid_data', details: { path: 'proof' } },
        })
      }
      expect(await login(body)).toMatchObject({ status: 200 })
    })

    // spec W5.14
    test.each(['', 'code=x', 'iss=x'])(
      'a missing code or one without its state is rejected: %j',
      async (query) => {
        const begun = await fixture.begin(theirs().provider)
        expect((await fixture.comeBack(begun, query)).status).toBeGreaterThanOrEqual(400)
        expect(await fixture.heardOf(begun)).toEqual({ answer: null, failure: null })
      },
    )

    test('a code of another provider of this app is rejected', async () => {
      const begun = await fixture.begin(theirs().provider)
      const back = await theirs().decide(begun.url)
      const elsewhere = await begun.window.open(`/oauth/callback/google?${back.searchParams}`)
      expect(elsewhere.status).toBe(400)
      expect(await fixture.heardOf(begun)).toEqual({ answer: null, failure: null })
    })
  })

  test('a login without a key for its tokens is refused', async () => {
    const { proof_key: _none, ...body } = fixture.initBody(newLogin(), theirs().provider)
    expect(await fixture.browser.call('startOAuth', { body })).toMatchObject({
      status: 422,
      answer: { code: 'invalid_data', details: { path: 'proof_key' } },
    })
  })

  // spec W8.31
  test('a provider of one app is unknown in another', async () => {
    const other = fixture.newBrowser(await fixture.newApp())
    expect(await fixture.init(newLogin(), theirs().provider, other)).toMatchObject({
      status: 403,
      answer: { code: 'cross_app_connection_not_allowed', error: 'Invalid connected app' },
    })
  })
})
