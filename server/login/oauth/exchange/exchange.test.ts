/** Tests the exchange with the sandbox's providers over real sockets. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { startSandbox } from '../../../testing/sandbox.ts'
import { createChallenge } from '../../window/window.ts'
import { readOAuthSettings } from '../environment.ts'
import type { SocialProvider } from '../provider.ts'
import { type Choice, configAtSandbox, consentAt, everyProvider } from '../testing/at-sandbox.ts'
import { createProviderClients, type Exchanged } from './exchange.ts'

const sandbox = await startSandbox()
afterEach(() => setFault('none'))

const setFault = (oauth: string) =>
  fetch(`${sandbox}/api/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ oauth }),
  })

const secrets = { state: 'state'.repeat(10), verifier: 'verifier'.repeat(6), nonce: 'nonce'.repeat(9) }
const ada = { person: 'Ada Lovelace' }

const clientOf = (provider: SocialProvider, changes: Readonly<Record<string, string>> = {}) => {
  const client = createProviderClients(readOAuthSettings(configAtSandbox(sandbox, changes))).get(provider)
  if (!client) throw new Error('There is one')
  return client
}
const redirectUri = (provider: string) => `http://dialog.localhost:4000/oauth/callback/${provider}`
const { verifier: _kept, ...named } = secrets
const leg = { ...named, challenge: createChallenge(secrets.verifier) }
const soon = () => AbortSignal.timeout(10_000)

async function login(
  provider: SocialProvider,
  choice: Choice = ada,
  client = clientOf(provider),
): Promise<Exchanged> {
  const back = await consentAt(client.authorizationUrl(redirectUri(provider), leg), choice)
  const returned = new URLSearchParams(back.fields)
  const read = client.read(returned, secrets.state)
  if (read.type !== 'code') return read
  return client.exchange(returned, redirectUri(provider), secrets, soon())
}

describe('the account', () => {
  // The fields of each are those of the wire: spec L1.8
  test.each([
    ['apple', { email: 'ada.lovelace@example.com' }],
    ['discord', { username: 'ada.lovelace', email: 'ada.lovelace@example.com' }],
    ['github', { username: 'ada.lovelace', name: 'Ada Lovelace', email: 'ada.lovelace@example.com' }],
    ['google', { name: 'Ada Lovelace', email: 'ada.lovelace@example.com' }],
    ['linkedin', { name: 'Ada Lovelace', email: 'ada.lovelace@example.com' }],
    ['spotify', { name: 'Ada Lovelace', email: 'ada.lovelace@example.com', emailVerified: false }],
    ['instagram', { username: 'ada.lovelace' }],
    [
      'twitter',
      {
        username: 'ada.lovelace',
        name: 'Ada Lovelace',
        profilePictureUrl: 'https://pbs.twimg.com/profile_images/ada.lovelace_normal.png',
      },
    ],
    ['tiktok', { username: 'ada.lovelace', name: 'Ada Lovelace' }],
  ] as const)('of %s has its fields, and the same subject each time', async (provider, fields) => {
    const first = await login(provider)
    expect(first).toMatchObject({ type: 'proven', profile: { fields } })
    const second = await login(provider)
    expect(second).toMatchObject({ type: 'proven', profile: first.type === 'proven' && first.profile })
  })

  test.each(['apple', 'discord', 'github', 'google', 'linkedin', 'spotify'] as const)(
    'an account of %s has no address if there is none or it is unverified',
    async (provider) => {
      expect(await login(provider, { without_email: 'Cleo Noether' })).toMatchObject({
        type: 'proven',
        profile: { fields: { email: null } },
      })
    },
  )
})

// spec L3.8
test.each([
  [
    'google',
    { accessTokenExpiresInSeconds: 3_600, refreshToken: null, scopes: ['openid', 'email', 'profile'] },
  ],
  ['github', { accessTokenExpiresInSeconds: null, refreshToken: null, scopes: ['read:user', 'user:email'] }],
  [
    'tiktok',
    {
      accessTokenExpiresInSeconds: 86_400,
      refreshToken: expect.stringMatching(/^r\./),
      refreshTokenExpiresInSeconds: 31_536_000,
      scopes: ['user.info.basic', 'user.info.profile'],
    },
  ],
  ['instagram', { accessTokenExpiresInSeconds: null, scopes: ['instagram_business_basic'] }],
] as const)('the tokens of %s are told as it gave them', async (provider, tokens) => {
  expect(await login(provider)).toMatchObject({ tokens })
})

describe('refusals', () => {
  test.each(everyProvider)('%s reports that the user denied', async (provider) => {
    expect(await login(provider, { denied: 'yes' })).toEqual({ type: 'denied' })
  })

  test.each(everyProvider)('%s reports a suspended account', async (provider) => {
    expect(await login(provider, { trial: 'suspended' })).toEqual({ type: 'suspended' })
  })

  test.each(everyProvider)('%s reports an expired code', async (provider) => {
    expect(await login(provider, { trial: 'expired-code' })).toEqual({ type: 'wrong code' })
  })

  test.each(everyProvider)('%s reports a rate limit', async (provider) => {
    const says = ['linkedin', 'instagram', 'twitter', 'tiktok'].includes(provider) ? null : 7
    expect(await login(provider, { trial: 'rate-limited' })).toEqual({
      type: 'too many',
      retryAfterSeconds: says,
    })
  })

  test.each(everyProvider)(
    '%s fails if its token endpoint fails or returns an invalid response',
    async (provider) => {
      await setFault('failing')
      expect(await login(provider)).toEqual({ type: 'failed', why: 'status 500, error server_error' })
      await setFault('garbage')
      expect(await login(provider)).toMatchObject({ type: 'failed' })
    },
  )

  test.each(everyProvider.filter((provider) => provider !== 'apple' && provider !== 'google'))(
    '%s fails if its profile API fails',
    async (provider) => {
      await setFault('failing-api')
      expect(await login(provider)).toEqual({ type: 'failed', why: 'status 500, error none' })
    },
  )

  test('a wrong client secret is a failure', async () => {
    const client = clientOf('github', { OAUTH_GITHUB: 'client-of-github:another' })
    expect(await login('github', ada, client)).toEqual({
      type: 'failed',
      why: 'status 200, error incorrect_client_credentials',
    })
  })
})

describe('mismatches', () => {
  const returnedFrom = async (provider: SocialProvider, client = clientOf(provider)) =>
    new URLSearchParams((await consentAt(client.authorizationUrl(redirectUri(provider), leg), ada)).fields)

  test.each(everyProvider)('%s: a wrong state is rejected', async (provider) => {
    const client = clientOf(provider)
    const returned = await returnedFrom(provider, client)
    expect(client.read(returned, secrets.state)).toEqual({ type: 'code' })
    expect(client.read(returned, `${secrets.state}x`)).toMatchObject({ type: 'failed' })
  })

  test.each(everyProvider)('%s: a wrong issuer is rejected', async (provider) => {
    await setFault('wrong-issuer')
    expect(await login(provider)).toMatchObject({ type: 'failed' })
  })

  test.each(['apple', 'google'] as const)(
    '%s: an id token of another login is rejected',
    async (provider) => {
      await setFault('wrong-nonce')
      expect(await login(provider)).toMatchObject({ type: 'failed' })
    },
  )

  test.each(['apple', 'google'] as const)(
    '%s: an id token with a foreign signature is rejected',
    async (provider) => {
      await setFault('wrong-key')
      expect(await login(provider)).toMatchObject({ type: 'failed' })
    },
  )

  test.each(['apple', 'discord', 'github', 'google', 'spotify', 'twitter'] as const)(
    '%s: a wrong verifier is rejected',
    async (provider) => {
      const client = clientOf(provider)
      const returned = await returnedFrom(provider, client)
      const other = { ...secrets, verifier: 'another'.repeat(7) }
      expect(await client.exchange(returned, redirectUri(provider), other, soon())).toEqual({
        type: 'wrong code',
      })
    },
  )

  test('a used code is rejected', async () => {
    const client = clientOf('google')
    const returned = await returnedFrom('google', client)
    const exchange = () => client.exchange(returned, redirectUri('google'), secrets, soon())
    expect(await exchange()).toMatchObject({ type: 'proven' })
    expect(await exchange()).toEqual({ type: 'wrong code' })
  })
})

test.each([
  ['google', 'stall'],
  ['discord', 'silent-api'],
] as const)(
  '%s rejects if the provider does not respond in time (%s), because the outcome is unknown',
  async (provider, fault) => {
    const client = clientOf(provider)
    const back = await consentAt(client.authorizationUrl(redirectUri(provider), leg), ada)
    await setFault(fault)
    await expect(
      client.exchange(
        new URLSearchParams(back.fields),
        redirectUri(provider),
        secrets,
        AbortSignal.timeout(300),
      ),
    ).rejects.toThrow()
  },
)

// The pair of RFC 7636, appendix B
test('the challenge sent to a provider matches the verifier', async () => {
  const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
  const url = new URL(
    clientOf('twitter').authorizationUrl(redirectUri('twitter'), {
      ...leg,
      challenge: createChallenge(verifier),
    }),
  )
  expect(url.searchParams.get('code_challenge')).toBe('E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM')
  expect(url.searchParams.get('code_challenge_method')).toBe('S256')
})

test('uses the real provider URLs without a sandbox', async () => {
  const known = createProviderClients({
    ...readOAuthSettings(configAtSandbox(sandbox)),
    providersUrl: undefined,
  })
  const hosts = await Promise.all(
    everyProvider.map(async (provider) => {
      const url = known.get(provider)?.authorizationUrl(redirectUri(provider), leg)
      return url?.split('?')[0]
    }),
  )
  expect(hosts).toEqual([
    'https://appleid.apple.com/auth/authorize',
    'https://discord.com/oauth2/authorize',
    'https://github.com/login/oauth/authorize',
    'https://accounts.google.com/o/oauth2/v2/auth',
    'https://www.linkedin.com/oauth/v2/authorization',
    'https://accounts.spotify.com/authorize',
    'https://www.instagram.com/oauth/authorize',
    'https://x.com/i/oauth2/authorize',
    'https://www.tiktok.com/v2/auth/authorize/',
  ])
})

test('a suspended account is reported as such, even with access_denied', () => {
  const back = (error_description: string) =>
    clientOf('discord').read(
      new URLSearchParams({ state: secrets.state, error: 'access_denied', error_description }),
      secrets.state,
    )
  expect(back('This account is suspended')).toEqual({ type: 'suspended' })
  expect(back('The person said no')).toEqual({ type: 'denied' })
})

describe('an id token', () => {
  afterEach(() => {
    vi.restoreAllMocks()
    vi.useRealTimers()
  })

  test.each([
    [29, 'proven'],
    [32, 'failed'],
  ])('an id token that expired %d s ago makes the login %s', async (agoSeconds, type) => {
    const asked = globalThis.fetch
    vi.spyOn(globalThis, 'fetch').mockImplementation(async (address, init) => {
      const answer = await asked(address, init)
      if (!String(address).endsWith('/token')) return answer
      const { id_token = '' } = await answer.clone().json()
      const { exp } = JSON.parse(Buffer.from(id_token.split('.')[1], 'base64url').toString())
      vi.useFakeTimers({ toFake: ['Date'], now: (exp + agoSeconds) * 1_000 })
      return answer
    })
    expect(await login('google')).toMatchObject({ type })
  })
})

describe('redirected profile requests', () => {
  const profile = JSON.stringify({ id: '1', username: 'ada', verified: true })

  /** A provider that answers, or redirects elsewhere. */
  async function discordThat(status: 200 | 307) {
    const server = createServer((request, response) => {
      if (request.url?.endsWith('/token')) {
        response.writeHead(200, { 'content-type': 'application/json' })
        return response.end(JSON.stringify({ access_token: 'token', token_type: 'bearer' }))
      }
      const isElsewhere = request.url === '/elsewhere'
      response.writeHead(isElsewhere ? 200 : status, { location: '/elsewhere' })
      response.end(isElsewhere || status === 200 ? profile : '')
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const at = server.address()
    const url = `http://127.0.0.1:${typeof at === 'object' && at ? at.port : 0}/oauth`
    const client = clientOf('discord', { OAUTH_PROVIDERS_URL: url })
    const returned = new URLSearchParams({ code: 'code', state: secrets.state })
    try {
      return await client.exchange(returned, redirectUri('discord'), secrets, soon())
    } finally {
      server.close()
    }
  }

  test('a redirected profile request is a failure', async () => {
    expect(await discordThat(307)).toMatchObject({ type: 'failed' })
    expect(await discordThat(200)).toMatchObject({ type: 'proven', profile: { subject: '1' } })
  })
})
