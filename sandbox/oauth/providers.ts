/** The providers, with the endpoints, names and responses of their documentation. */
import { createHash } from 'node:crypto'
import type { Answer, GrantedAccess, Provider } from './provider.ts'

const bearerResponse = ({ accessToken, scopes }: GrantedAccess) => ({
  access_token: accessToken,
  token_type: 'Bearer',
  expires_in: 3_600,
  scope: scopes.join(' '),
})

const refusal = (error: string, error_description: string, status = 400): Answer => ({
  status,
  body: { error, error_description },
})
const wrongGrant = refusal('invalid_grant', 'The authorization code is invalid, expired or used.')
const wrongClient = refusal('invalid_client', 'The client could not be authenticated.', 401)
const accessDenied = { error: 'access_denied', error_description: 'The user denied the request' }
const tooMany: Answer = {
  status: 429,
  body: { error: 'rate_limit_exceeded', error_description: 'Too many requests' },
  headers: { 'retry-after': '7' },
}
const suspended = refusal('access_denied', 'This account has been suspended.', 403)

/** Defaults that most providers share. */
const defaults = {
  clientIdParameter: 'client_id',
  clientAuthentication: 'post',
  scopeSeparator: ' ',
  pkce: 'checked',
  responseMode: 'query',
  denied: accessDenied,
  wrongCode: wrongGrant,
  wrongClient,
  suspended,
  rateLimited: tooMany,
  apis: {},
} as const satisfies Partial<Provider>

/** https://developer.apple.com/documentation/signinwithapplerestapi */
const apple: Provider = {
  ...defaults,
  title: 'Apple',
  authorize: 'appleid.apple.com/auth/authorize',
  token: 'appleid.apple.com/auth/token',
  jwks: 'appleid.apple.com/auth/keys',
  clientAuthentication: 'signed',
  scopes: ['email'],
  responseMode: 'form_post',
  denied: { error: 'user_cancelled_authorize' },
  tokenAnswer: (granted, idToken) => ({
    access_token: granted.accessToken,
    token_type: 'Bearer',
    expires_in: 3_600,
    refresh_token: `r.${granted.accessToken}`,
    id_token: idToken({
      sub: `001999.${granted.subject}.0001`,
      ...(granted.nonce !== undefined && { nonce: granted.nonce, nonce_supported: true }),
      ...(granted.person.email !== null && { email: granted.person.email, email_verified: 'true' }),
    }),
  }),
}

/** https://discord.com/developers/docs/topics/oauth2 */
const discord: Provider = {
  ...defaults,
  title: 'Discord',
  authorize: 'discord.com/oauth2/authorize',
  token: 'discord.com/api/oauth2/token',
  scopes: ['identify', 'email'],
  wrongCode: refusal('invalid_grant', 'Invalid "code" in request.'),
  tokenAnswer: (granted) => ({
    ...bearerResponse(granted),
    expires_in: 604_800,
    refresh_token: `r.${granted.accessToken}`,
  }),
  apis: {
    'discord.com/api/v10/users/@me': ({ subject, person }) => ({
      body: {
        id: subject,
        username: person.username,
        discriminator: '0',
        global_name: person.name,
        avatar: null,
        verified: person.email !== null,
        email: person.email,
      },
    }),
  },
  rateLimited: {
    status: 429,
    body: { message: 'You are being rate limited.', retry_after: 6.57, global: false },
    headers: { 'retry-after': '7' },
  },
}

/**
 * https://docs.github.com/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps; errors have status 200.
 */
const github: Provider = {
  ...defaults,
  title: 'GitHub',
  authorize: 'github.com/login/oauth/authorize',
  token: 'github.com/login/oauth/access_token',
  scopes: ['read:user', 'user:email'],
  redirectParameters: (issuer) => ({ iss: issuer }),
  wrongCode: refusal('bad_verification_code', 'The code passed is incorrect or expired.', 200),
  wrongClient: refusal(
    'incorrect_client_credentials',
    'The client_id and/or client_secret passed are incorrect.',
    200,
  ),
  tokenAnswer: ({ accessToken, scopes }) => ({
    access_token: accessToken,
    token_type: 'bearer',
    scope: scopes.join(','),
  }),
  apis: {
    // The public address of the profile, which may be missing or unverified.
    'api.github.com/user': ({ subject, person }) => ({
      body: { login: person.username, id: Number(subject.slice(0, 9)), name: person.name, email: null },
    }),
    'api.github.com/user/emails': ({ person }) => ({
      body:
        person.email === null
          ? [{ email: 'unverified@example.com', primary: true, verified: false, visibility: null }]
          : [
              { email: 'other@example.com', primary: false, verified: true, visibility: null },
              { email: person.email, primary: true, verified: true, visibility: 'private' },
            ],
    }),
  },
  suspended: { status: 403, body: { message: 'Sorry. Your account was suspended.' } },
  rateLimited: {
    status: 403,
    body: { message: 'API rate limit exceeded for user.' },
    headers: { 'x-ratelimit-remaining': '0', 'retry-after': '7' },
  },
}

/** https://developers.google.com/identity/openid-connect/openid-connect */
const google: Provider = {
  ...defaults,
  title: 'Google',
  authorize: 'accounts.google.com/o/oauth2/v2/auth',
  token: 'oauth2.googleapis.com/token',
  jwks: 'www.googleapis.com/oauth2/v3/certs',
  scopes: ['openid', 'email', 'profile'],
  also: { scope: 'https://www.googleapis.com/auth/drive.appdata', callback: 'google-drive' },
  redirectParameters: (issuer) => ({
    iss: issuer,
    scope: 'email profile openid',
    authuser: '0',
    prompt: 'consent',
  }),
  wrongCode: refusal('invalid_grant', 'Bad Request'),
  tokenAnswer: (granted, idToken) => ({
    ...bearerResponse(granted),
    // Without the `openid` scope there is no id token.
    ...(granted.scopes.includes('openid') && {
      id_token: idToken({
        azp: granted.clientId,
        sub: granted.subject,
        name: granted.person.name,
        ...(granted.nonce !== undefined && { nonce: granted.nonce }),
        ...(granted.person.email !== null && { email: granted.person.email, email_verified: true }),
      }),
    }),
  }),
}

/** https://learn.microsoft.com/linkedin/consumer/integrations/self-serve/sign-in-with-linkedin-v2 */
const linkedin: Provider = {
  ...defaults,
  title: 'LinkedIn',
  authorize: 'www.linkedin.com/oauth/v2/authorization',
  token: 'www.linkedin.com/oauth/v2/accessToken',
  scopes: ['openid', 'profile', 'email'],
  // LinkedIn supports no PKCE for web clients: with a verifier it responds `invalid_client`.
  pkce: 'refused',
  denied: { error: 'user_cancelled_authorize', error_description: 'The user cancelled the authorization' },
  wrongCode: refusal(
    'invalid_request',
    'Unable to retrieve access token: appid/redirect uri/code verifier does not match authorization code. Or authorization code expired. Or external member binding exists',
  ),
  wrongClient: refusal('invalid_client', 'Client authentication failed', 401),
  tokenAnswer: (granted, idToken) => ({
    ...bearerResponse(granted),
    expires_in: 5_184_000,
    scope: granted.scopes.join(','),
    id_token: idToken({ sub: granted.subject, name: granted.person.name }),
  }),
  apis: {
    'api.linkedin.com/v2/userinfo': ({ subject, person }) => ({
      body: {
        sub: subject,
        name: person.name,
        locale: { country: 'US', language: 'en' },
        ...(person.email !== null && { email: person.email, email_verified: true }),
      },
    }),
  },
  rateLimited: {
    status: 429,
    body: { status: 429, serviceErrorCode: 101, message: 'Resource level throttle limit reached' },
  },
}

/** https://developer.spotify.com/documentation/web-api/tutorials/code-flow */
const spotify: Provider = {
  ...defaults,
  title: 'Spotify',
  authorize: 'accounts.spotify.com/authorize',
  token: 'accounts.spotify.com/api/token',
  clientAuthentication: 'basic',
  scopes: ['user-read-email'],
  denied: { error: 'access_denied' },
  wrongCode: refusal('invalid_grant', 'Invalid authorization code'),
  tokenAnswer: (granted) => ({ ...bearerResponse(granted), refresh_token: `r.${granted.accessToken}` }),
  apis: {
    'api.spotify.com/v1/me': ({ subject, person }) => ({
      body: {
        id: subject,
        display_name: person.name,
        type: 'user',
        ...(person.email && { email: person.email }),
      },
    }),
  },
  rateLimited: {
    status: 429,
    body: { error: { status: 429, message: 'API rate limit exceeded' } },
    headers: { 'retry-after': '7' },
  },
}

/** https://developers.facebook.com/docs/instagram-platform/instagram-api-with-instagram-login */
const instagram: Provider = {
  ...defaults,
  title: 'Instagram',
  authorize: 'www.instagram.com/oauth/authorize',
  token: 'api.instagram.com/oauth/access_token',
  scopeSeparator: ',',
  scopes: ['instagram_business_basic'],
  pkce: 'ignored',
  denied: {
    error: 'access_denied',
    error_reason: 'user_denied',
    error_description: 'The user denied your request',
  },
  wrongCode: {
    status: 400,
    body: { error_type: 'OAuthException', code: 400, error_message: 'This authorization code has been used' },
  },
  wrongClient: {
    status: 400,
    body: { error_type: 'OAuthException', code: 101, error_message: 'Invalid Client ID' },
  },
  tokenAnswer: ({ accessToken, subject, scopes }) => ({
    data: [{ access_token: accessToken, user_id: subject, permissions: scopes.join(',') }],
  }),
  tokenInQuery: true,
  apis: {
    'graph.instagram.com/v23.0/me': ({ subject, person }) => ({
      body: { user_id: subject, username: person.username, id: '1' },
    }),
  },
  suspended: {
    status: 400,
    body: { error: { message: 'The account has been suspended', type: 'OAuthException', code: 190 } },
  },
  rateLimited: {
    status: 403,
    body: { error: { message: 'Application request limit reached', type: 'OAuthException', code: 4 } },
  },
}

/** https://docs.x.com/resources/fundamentals/authentication/oauth-2-0 */
const twitter: Provider = {
  ...defaults,
  title: 'Twitter',
  authorize: 'x.com/i/oauth2/authorize',
  token: 'api.x.com/2/oauth2/token',
  clientAuthentication: 'basic',
  scopes: ['users.read', 'tweet.read'],
  pkce: 'required',
  denied: { error: 'access_denied' },
  wrongCode: refusal('invalid_request', 'Value passed for the authorization code was invalid.'),
  wrongClient: refusal('unauthorized_client', 'Missing valid authorization header', 401),
  tokenAnswer: (granted) => ({ ...bearerResponse(granted), token_type: 'bearer', expires_in: 7_200 }),
  apis: {
    'api.x.com/2/users/me': ({ subject, person }) => ({
      body: {
        data: {
          id: subject,
          name: person.name,
          username: person.username,
          profile_image_url: `https://pbs.twimg.com/profile_images/${person.username}_normal.png`,
        },
      },
    }),
  },
  suspended: {
    status: 403,
    body: { title: 'Forbidden', status: 403, detail: 'Your account is suspended.', type: 'about:blank' },
  },
  rateLimited: {
    status: 429,
    body: { title: 'Too Many Requests', status: 429, detail: 'Too Many Requests', type: 'about:blank' },
    headers: { 'x-rate-limit-remaining': '0' },
  },
}

/** https://developers.tiktok.com/doc/login-kit-web; API errors are in `error` beside the data. */
const tiktok: Provider = {
  ...defaults,
  title: 'TikTok',
  authorize: 'www.tiktok.com/v2/auth/authorize/',
  token: 'open.tiktokapis.com/v2/oauth/token/',
  clientIdParameter: 'client_key',
  scopeSeparator: ',',
  scopes: ['user.info.basic', 'user.info.profile'],
  pkce: 'ignored',
  redirectParameters: () => ({ scopes: 'user.info.basic,user.info.profile' }),
  denied: { error: 'access_denied', error_description: 'User denied', error_type: 'access_denied' },
  wrongCode: {
    status: 400,
    body: { error: 'invalid_grant', error_description: 'Authorization code is expired.', log_id: '2026' },
  },
  wrongClient: {
    status: 401,
    body: {
      error: 'invalid_client',
      error_description: 'Client key or secret is incorrect.',
      log_id: '2026',
    },
  },
  tokenAnswer: ({ accessToken, subject, scopes }) => ({
    access_token: accessToken,
    expires_in: 86_400,
    open_id: subject,
    refresh_expires_in: 31_536_000,
    refresh_token: `r.${accessToken}`,
    scope: scopes.join(','),
    token_type: 'Bearer',
  }),
  apis: {
    'open.tiktokapis.com/v2/user/info/': ({ subject, person }) => ({
      body: {
        data: { user: { open_id: subject, display_name: person.name, username: person.username } },
        error: { code: 'ok', message: '', log_id: '2026' },
      },
    }),
  },
  suspended: {
    status: 403,
    body: {
      data: {},
      error: { code: 'access_denied', message: 'This account is suspended', log_id: '2026' },
    },
  },
  rateLimited: {
    status: 429,
    body: { data: {}, error: { code: 'rate_limit_exceeded', message: 'Too many requests', log_id: '2026' } },
  },
}

/** An OpenID provider that operators configure for an app. It follows OpenID Connect Core 1.0 and RFC 9207. */
const acme: Provider = {
  ...defaults,
  title: 'Acme',
  authorize: 'id.acme.example/authorize',
  token: 'id.acme.example/token',
  jwks: 'id.acme.example/jwks',
  callback: 'oidc:acme',
  isDiscoverable: true,
  scopes: ['openid'],
  pkce: 'required',
  redirectParameters: (issuer) => ({ iss: issuer }),
  tokenAnswer: (granted, idToken) => ({
    ...bearerResponse(granted),
    id_token: idToken({
      sub: granted.subject,
      sid: `session-${granted.subject}`,
      auth_time: Math.floor(Date.now() / 1_000),
      groups: ['everyone', granted.person.username],
      name: granted.person.name,
      at_hash: toAccessTokenHash(granted.accessToken),
      ...(granted.nonce !== undefined && { nonce: granted.nonce }),
      ...(granted.person.email !== null && { email: granted.person.email, email_verified: true }),
    }),
  }),
}

/** The left half of the SHA-256 hash (OpenID Connect Core 1.0, 3.1.3.6). */
const toAccessTokenHash = (accessToken: string) =>
  createHash('sha256').update(accessToken).digest().subarray(0, 16).toString('base64url')

export const providers = {
  acme,
  apple,
  discord,
  github,
  google,
  linkedin,
  spotify,
  instagram,
  twitter,
  tiktok,
} as const
export type ProviderName = keyof typeof providers
