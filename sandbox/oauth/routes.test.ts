/** Client rules of each provider. */
import { createHash } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Sandbox, startSandbox } from '../sandbox.ts'

let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await startSandbox({ host: '127.0.0.1', httpPort: 0, smtpPort: 0, chainPort: 'off' })
})
afterAll(() => sandbox.stop())
afterEach(() => setFaults({ oauth: 'none', oauthPage: 'none' }))

const at = (path: string) => `http://127.0.0.1:${new URL(sandbox.httpUrl).port}${path}`
const setFaults = (faults: Readonly<Record<string, string>>) =>
  fetch(at('/api/faults'), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(faults),
  })

const verifier = 'v'.repeat(43)
const challenge = createHash('sha256').update(verifier).digest('base64url')
const redirectTo = (provider: string) => `http://dialog.localhost:4000/oauth/callback/${provider}`

const google = {
  client_id: 'client-of-google',
  redirect_uri: redirectTo('google'),
  response_type: 'code',
  scope: 'openid email profile',
  state: 'a state',
}
const github = {
  client_id: 'client-of-github',
  redirect_uri: redirectTo('github'),
  response_type: 'code',
  scope: 'read:user user:email',
  state: 'a state',
  code_challenge: challenge,
  code_challenge_method: 'S256',
}
const twitter = {
  ...github,
  client_id: 'client-of-twitter',
  redirect_uri: redirectTo('twitter'),
  scope: 'users.read tweet.read',
}
const linkedin = { ...google, client_id: 'client-of-linkedin', redirect_uri: redirectTo('linkedin') }
const tiktok = {
  client_key: 'client-of-tiktok',
  redirect_uri: redirectTo('tiktok'),
  response_type: 'code',
  scope: 'user.info.basic,user.info.profile',
  state: 'a state',
}
const apple = {
  client_id: 'client-of-apple',
  redirect_uri: redirectTo('apple'),
  response_type: 'code',
  response_mode: 'form_post',
  scope: 'email',
  state: 'a state',
}

const endpoints = {
  google: { authorize: 'accounts.google.com/o/oauth2/v2/auth', token: 'oauth2.googleapis.com/token' },
  github: { authorize: 'github.com/login/oauth/authorize', token: 'github.com/login/oauth/access_token' },
  twitter: { authorize: 'x.com/i/oauth2/authorize', token: 'api.x.com/2/oauth2/token' },
  linkedin: {
    authorize: 'www.linkedin.com/oauth/v2/authorization',
    token: 'www.linkedin.com/oauth/v2/accessToken',
  },
  tiktok: { authorize: 'www.tiktok.com/v2/auth/authorize/', token: 'open.tiktokapis.com/v2/oauth/token/' },
  apple: { authorize: 'appleid.apple.com/auth/authorize', token: 'appleid.apple.com/auth/token' },
} as const
type Name = keyof typeof endpoints

const authorize = (provider: Name, query: Readonly<Record<string, string>>) =>
  fetch(`${at('/oauth/')}${endpoints[provider].authorize}?${new URLSearchParams(query)}`)
const parseRequestId = async (shown: Response) =>
  /name="request" value="([^"]+)"/.exec(await shown.text())?.[1] ?? ''
const answerWith = (request: string, choice: Readonly<Record<string, string>>) =>
  fetch(at('/oauth/consent'), {
    method: 'POST',
    body: new URLSearchParams({ request, ...choice }),
    redirect: 'manual',
  })
const consent = async (
  provider: Name,
  query: Readonly<Record<string, string>>,
  choice: Readonly<Record<string, string>> = { person: 'Ada Lovelace' },
) => {
  const answer = await answerWith(await parseRequestId(await authorize(provider, query)), choice)
  return new URL(answer.headers.get('location') ?? 'none:').searchParams
}
const exchange = async (
  provider: Name,
  form: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
) =>
  fetch(`${at('/oauth/')}${endpoints[provider].token}`, {
    method: 'POST',
    headers: { accept: 'application/json', ...headers },
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      redirect_uri: redirectTo(provider),
      ...form,
    }),
  })
const getCredentials = (provider: Name) => ({
  client_id: `client-of-${provider}`,
  client_secret: `secret-of-${provider}`,
})

describe('an authorization request', () => {
  test.each([
    ['google', google, { client_id: 'another' }],
    ['google', google, { redirect_uri: 'https://stranger.example/oauth/callback/google' }],
    ['google', google, { redirect_uri: `${redirectTo('google')}/more` }],
    ['google', google, { redirect_uri: redirectTo('github') }],
    ['google', google, { response_type: 'token' }],
    ['google', google, { state: '' }],
    ['google', google, { scope: 'openid' }],
    ['github', github, { code_challenge_method: 'plain' }],
    ['twitter', twitter, { code_challenge: '' }],
    ['tiktok', tiktok, { client_key: '', client_id: 'client-of-tiktok' }],
    ['tiktok', tiktok, { scope: 'user.info.basic user.info.profile' }],
    ['apple', apple, { response_mode: 'query' }],
  ] as const)('at %s is taken, and refused with %j changed to %j', async (provider, right, change) => {
    expect((await authorize(provider, right)).status).toBe(200)
    const changed = Object.entries({ ...right, ...change }).filter(([, value]) => value !== '')
    expect((await authorize(provider, Object.fromEntries(changed))).status).toBe(400)
  })

  test('accepts an https redirect address, and behind TLS the issuer uses https', async () => {
    const redirect_uri = redirectTo('google').replace('http:', 'https:')
    const shown = await authorize('google', { ...google, redirect_uri })
    const answer = await fetch(at('/oauth/consent'), {
      method: 'POST',
      headers: { 'x-forwarded-proto': 'https' },
      body: new URLSearchParams({ request: await parseRequestId(shown), person: 'Ada Lovelace' }),
      redirect: 'manual',
    })
    const location = new URL(answer.headers.get('location') ?? 'none:')
    expect(location.origin).toBe('https://dialog.localhost:4000')
    expect(location.searchParams.get('iss')).toBe(at('/oauth/accounts.google.com').replace('http:', 'https:'))
  })

  test('is answered once', async () => {
    const request = await parseRequestId(await authorize('google', google))
    expect((await answerWith(request, { person: 'Ada Lovelace' })).status).toBe(302)
    expect((await answerWith(request, { person: 'Ada Lovelace' })).status).toBe(400)
  })

  test("redirects with its state and the provider's parameters", async () => {
    const denied = { denied: 'yes' }
    expect((await consent('google', google)).get('state')).toBe('a state')
    expect((await consent('google', google, denied)).get('error')).toBe('access_denied')
    expect((await consent('linkedin', linkedin, denied)).get('error')).toBe('user_cancelled_authorize')
    expect((await consent('tiktok', tiktok)).get('scopes')).toBe('user.info.basic,user.info.profile')
    expect((await consent('google', google)).get('iss')).toBe(at('/oauth/accounts.google.com'))
  })

  test('serves the consent page with the requested opener policy', async () => {
    expect((await authorize('google', google)).headers.get('cross-origin-opener-policy')).toBeNull()
    await setFaults({ oauthPage: 'same-origin' })
    expect((await authorize('google', google)).headers.get('cross-origin-opener-policy')).toBe('same-origin')
  })
})

describe('an authorization code', () => {
  const codeFrom = async (provider: Name, query: Readonly<Record<string, string>>, choice = {}) =>
    (await consent(provider, query, { person: 'Ada Lovelace', ...choice })).get('code') ?? ''

  test('is valid once, for its redirect address', async () => {
    const right = { ...getCredentials('google'), code: await codeFrom('google', google) }
    expect((await exchange('google', right)).status).toBe(200)
    expect(await (await exchange('google', right)).json()).toMatchObject({ error: 'invalid_grant' })
    const code = await codeFrom('google', google)
    const elsewhere = { ...getCredentials('google'), code, redirect_uri: redirectTo('github') }
    expect((await exchange('google', elsewhere)).status).toBe(400)
  })

  test('requires the verifier of its challenge', async () => {
    const ofGithub = async (more: Readonly<Record<string, string>>) =>
      (
        await exchange('github', {
          ...getCredentials('github'),
          code: await codeFrom('github', github),
          ...more,
        })
      ).json()
    expect(await ofGithub({ code_verifier: verifier })).toMatchObject({ token_type: 'bearer' })
    const refused = { error: 'bad_verification_code' }
    expect(await ofGithub({ code_verifier: 'w'.repeat(43) })).toMatchObject(refused)
    expect(await ofGithub({})).toMatchObject(refused)
  })

  test('is valid at LinkedIn only without a verifier', async () => {
    const right = { ...getCredentials('linkedin'), code: await codeFrom('linkedin', linkedin) }
    const withVerifier = await exchange('linkedin', { ...right, code_verifier: verifier })
    expect([withVerifier.status, await withVerifier.json()]).toMatchObject([401, { error: 'invalid_client' }])
    expect((await exchange('linkedin', right)).status).toBe(200)
  })

  test('requires the client authentication of its provider', async () => {
    const code = await codeFrom('twitter', twitter)
    const form = { code, code_verifier: verifier }
    expect((await exchange('twitter', { ...form, ...getCredentials('twitter') })).status).toBe(401)
    const authorization = `Basic ${btoa('client-of-twitter:secret-of-twitter')}`
    expect((await exchange('twitter', form, { authorization })).status).toBe(200)
    const ofTiktok = { code: await codeFrom('tiktok', tiktok), client_secret: 'secret-of-tiktok' }
    expect((await exchange('tiktok', { ...ofTiktok, client_id: 'client-of-tiktok' })).status).toBe(401)
    expect((await exchange('tiktok', { ...ofTiktok, client_key: 'client-of-tiktok' })).status).toBe(200)
    const ofApple = { client_id: 'client-of-apple', client_secret: 'a.b.c' }
    expect((await exchange('apple', { ...ofApple, code: 'any' })).status).toBe(401)
  })

  test('is rejected after it has expired', async () => {
    const request = await parseRequestId(await authorize('google', google))
    const answer = await answerWith(request, { trial: 'expired-code' })
    const code = new URL(answer.headers.get('location') ?? '').searchParams.get('code') ?? ''
    expect((await exchange('google', { ...getCredentials('google'), code })).status).toBe(400)
  })

  test('returns a form at GitHub unless the client requests JSON', async () => {
    const form = { ...getCredentials('github'), code_verifier: verifier }
    const answer = await exchange(
      'github',
      { ...form, code: await codeFrom('github', github) },
      { accept: '*/*' },
    )
    expect(answer.headers.get('content-type')).toContain('application/x-www-form-urlencoded')
    expect(new URLSearchParams(await answer.text()).get('token_type')).toBe('bearer')
  })
})

test('Apple posts its response, and sends the name only on the first login', async () => {
  const posted = async () =>
    (
      await answerWith(await parseRequestId(await authorize('apple', apple)), { person: 'Newly Known' })
    ).text()
  const first = await posted()
  expect(first).toContain(`<form method="post" action="${redirectTo('apple')}">`)
  expect(first).toContain('name="user"')
  expect(await posted()).not.toContain('name="user"')
})

test('a token opens only the API of its provider', async () => {
  const form = { ...getCredentials('github'), code_verifier: verifier }
  const code = (await consent('github', github)).get('code') ?? ''
  const { access_token } = await (await exchange('github', { ...form, code })).json()
  const user = (token: string, agent = 'a test') =>
    fetch(at('/oauth/api.github.com/user'), {
      headers: { authorization: `Bearer ${token}`, 'user-agent': agent },
    })
  expect(await (await user(access_token)).json()).toMatchObject({ login: 'ada.lovelace', email: null })
  expect((await user('another')).status).toBe(401)
})
