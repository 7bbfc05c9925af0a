/** All OAuth providers, with the URLs, names and formats of their documentation. */
import { socialProviderRows } from '@latchkey/protocol'
import * as v from 'valibot'
import {
  flag,
  type KnownProvider,
  type OAuthProvider,
  optionalText,
  type Profile,
  subject,
  verifiedEmail,
} from './provider.ts'

/** Values that most providers share. */
export const defaults = {
  clientIdParameter: 'client_id',
  authentication: 'post',
  scopeSeparator: ' ',
  pkce: true,
  deniedErrors: ['access_denied'],
  wrongCodeErrors: ['invalid_grant'],
} as const satisfies Partial<OAuthProvider>

const openIdClaims = v.object({ sub: subject, name: optionalText, email: optionalText, email_verified: flag })

/** Creates a profile reader for a single response. */
const reader =
  <Schema extends v.GenericSchema>(schema: Schema, profile: (said: v.InferOutput<Schema>) => Profile) =>
  (answers: readonly unknown[]): Profile =>
    profile(v.parse(schema, answers[0]))

/** https://developer.apple.com/documentation/signinwithapplerestapi */
const apple: OAuthProvider = {
  ...defaults,
  issuer: 'https://appleid.apple.com',
  authorization: 'https://appleid.apple.com/auth/authorize',
  token: 'https://appleid.apple.com/auth/token',
  authentication: 'signed',
  scopes: ['email'],
  // Apple requires this mode if a scope is requested.
  parameters: { response_mode: 'form_post' },
  deniedErrors: ['user_cancelled_authorize'],
  profile: {
    from: 'id token',
    jwks: 'https://appleid.apple.com/auth/keys',
    read(claims) {
      const { sub, email, email_verified } = v.parse(openIdClaims, claims)
      return { subject: sub, fields: { email: verifiedEmail(email, email_verified) } }
    },
  },
}

/** https://discord.com/developers/docs/topics/oauth2 */
const discord: OAuthProvider = {
  ...defaults,
  issuer: 'https://discord.com',
  authorization: 'https://discord.com/oauth2/authorize',
  token: 'https://discord.com/api/oauth2/token',
  scopes: ['identify', 'email'],
  profile: {
    from: 'requests',
    urls: ['https://discord.com/api/v10/users/@me'],
    read: reader(
      v.object({ id: subject, username: optionalText, email: optionalText, verified: flag }),
      ({ id, username, email, verified }) => ({
        subject: id,
        fields: { username, email: verifiedEmail(email, verified) },
      }),
    ),
  },
}

const githubUser = v.object({
  id: v.pipe(v.number(), v.safeInteger()),
  login: optionalText,
  name: optionalText,
})
const githubEmails = v.array(v.object({ email: optionalText, primary: flag, verified: flag }))

/** https://docs.github.com/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps */
const github: OAuthProvider = {
  ...defaults,
  issuer: 'https://github.com/login/oauth',
  authorization: 'https://github.com/login/oauth/authorize',
  token: 'https://github.com/login/oauth/access_token',
  scopes: ['read:user', 'user:email'],
  wrongCodeErrors: ['bad_verification_code'],
  isRateLimit: ({ status, headers }) => status === 403 && headers.get('x-ratelimit-remaining') === '0',
  profile: {
    from: 'requests',
    urls: ['https://api.github.com/user', 'https://api.github.com/user/emails'],
    read([user, emails]) {
      const { id, login, name } = v.parse(githubUser, user)
      const primary = v.parse(githubEmails, emails).find((address) => address.primary)
      const email = primary ? verifiedEmail(primary.email, primary.verified) : null
      return { subject: String(id), fields: { username: login, name, email } }
    },
  },
}

/** https://developers.google.com/identity/openid-connect/openid-connect */
const google: OAuthProvider = {
  ...defaults,
  issuer: 'https://accounts.google.com',
  authorization: 'https://accounts.google.com/o/oauth2/v2/auth',
  token: 'https://oauth2.googleapis.com/token',
  scopes: ['openid', 'email', 'profile'],
  profile: {
    from: 'id token',
    jwks: 'https://www.googleapis.com/oauth2/v3/certs',
    read(claims) {
      const { sub, name, email, email_verified } = v.parse(openIdClaims, claims)
      return { subject: sub, fields: { name, email: verifiedEmail(email, email_verified) } }
    },
  },
}

const driveAbout = v.object({ user: v.object({ permissionId: subject }) })

/**
 * The app folder in the user's Google Drive, with the client of the Google login. The user may deny the scope on
 * Google's page; the token then fails on first use.
 * https://developers.google.com/workspace/drive/api/guides/appdata
 */
const googleDrive: OAuthProvider = {
  ...google,
  scopes: ['https://www.googleapis.com/auth/drive.appdata'],
  // Users with several accounts select the one with the folder.
  parameters: { prompt: 'select_account' },
  profile: {
    from: 'requests',
    urls: ['https://www.googleapis.com/drive/v3/about?fields=user(permissionId)'],
    read: reader(driveAbout, ({ user }) => ({ subject: user.permissionId, fields: {} })),
  },
}

/** https://learn.microsoft.com/linkedin/consumer/integrations/self-serve/sign-in-with-linkedin-v2 */
const linkedin: OAuthProvider = {
  ...defaults,
  issuer: 'https://www.linkedin.com/oauth',
  authorization: 'https://www.linkedin.com/oauth/v2/authorization',
  token: 'https://www.linkedin.com/oauth/v2/accessToken',
  scopes: ['openid', 'profile', 'email'],
  // LinkedIn has PKCE for native clients, and rejects a verifier from a client with a secret.
  pkce: false,
  deniedErrors: ['user_cancelled_login', 'user_cancelled_authorize', 'access_denied'],
  wrongCodeErrors: ['invalid_grant', 'invalid_request'],
  profile: {
    from: 'requests',
    urls: ['https://api.linkedin.com/v2/userinfo'],
    read: reader(openIdClaims, ({ sub, name, email, email_verified }) => ({
      subject: sub,
      fields: { name, email: verifiedEmail(email, email_verified) },
    })),
  },
}

/**
 * https://developer.spotify.com/documentation/web-api
 * Spotify does not report whether the address is verified, so it is for display only.
 */
const spotify: OAuthProvider = {
  ...defaults,
  issuer: 'https://accounts.spotify.com',
  authorization: 'https://accounts.spotify.com/authorize',
  token: 'https://accounts.spotify.com/api/token',
  authentication: 'basic',
  scopes: ['user-read-email'],
  profile: {
    from: 'requests',
    urls: ['https://api.spotify.com/v1/me'],
    read: reader(v.object({ id: subject, display_name: optionalText, email: optionalText }), (user) => ({
      subject: user.id,
      // "This email address is unverified": https://developer.spotify.com/documentation/web-api/reference/get-current-users-profile
      fields: { name: user.display_name, email: verifiedEmail(user.email, true), emailVerified: false },
    })),
  },
}

const instagramToken = v.object({
  access_token: v.string(),
  permissions: v.optional(v.union([v.string(), v.array(v.string())]), ''),
})
/** Instagram documents both formats. */
const instagramAnswer = v.union([
  v.pipe(
    v.object({ data: v.tuple([instagramToken]) }),
    v.transform(({ data }) => data[0]),
  ),
  instagramToken,
])
const instagramRefusal = v.object({ error_type: v.string(), error_message: v.string() })
const instagramFailure = v.object({ error: v.object({ code: v.number() }) })
/** https://developers.facebook.com/docs/graph-api/overview/rate-limiting */
const graphRateLimits: readonly number[] = [4, 17, 32, 613]

/** https://developers.facebook.com/docs/instagram-platform/instagram-api-with-instagram-login */
const instagram: OAuthProvider = {
  ...defaults,
  issuer: 'https://www.instagram.com',
  authorization: 'https://www.instagram.com/oauth/authorize',
  token: 'https://api.instagram.com/oauth/access_token',
  scopes: ['instagram_business_basic'],
  scopeSeparator: ',',
  pkce: false,
  tokenAnswer(body) {
    if (v.is(instagramAnswer, body)) {
      const { access_token, permissions } = v.parse(instagramAnswer, body)
      return { access_token, token_type: 'bearer', scope: String(permissions) }
    }
    if (!v.is(instagramRefusal, body)) return body
    const isOfCode = body.error_message.includes('authorization code')
    return { error: isOfCode ? 'invalid_grant' : 'invalid_client', error_description: body.error_message }
  },
  isRateLimit: ({ body }) => v.is(instagramFailure, body) && graphRateLimits.includes(body.error.code),
  profile: {
    from: 'requests',
    urls: ['https://graph.instagram.com/v23.0/me?fields=user_id,username'],
    tokenIn: 'query',
    read: reader(v.object({ user_id: subject, username: optionalText }), ({ user_id, username }) => ({
      subject: user_id,
      fields: { username },
    })),
  },
}

/** https://docs.x.com/resources/fundamentals/authentication/oauth-2-0 */
const twitter: OAuthProvider = {
  ...defaults,
  issuer: 'https://x.com',
  authorization: 'https://x.com/i/oauth2/authorize',
  token: 'https://api.x.com/2/oauth2/token',
  authentication: 'basic',
  // `/2/users/me` requires both scopes.
  scopes: ['users.read', 'tweet.read'],
  wrongCodeErrors: ['invalid_grant', 'invalid_request'],
  profile: {
    from: 'requests',
    urls: ['https://api.x.com/2/users/me?user.fields=profile_image_url'],
    read: reader(
      v.object({
        data: v.object({
          id: subject,
          username: optionalText,
          name: optionalText,
          profile_image_url: optionalText,
        }),
      }),
      ({ data: { id, username, name, profile_image_url } }) => ({
        subject: id,
        fields: { username, name, profilePictureUrl: profile_image_url },
      }),
    ),
  },
}

const tiktokRefreshToken = v.looseObject({ refresh_expires_in: v.number() })

/** https://developers.tiktok.com/doc/login-kit-web */
const tiktok: OAuthProvider = {
  ...defaults,
  issuer: 'https://www.tiktok.com',
  authorization: 'https://www.tiktok.com/v2/auth/authorize/',
  token: 'https://open.tiktokapis.com/v2/oauth/token/',
  clientIdParameter: 'client_key',
  scopes: ['user.info.basic', 'user.info.profile'],
  scopeSeparator: ',',
  // TikTok has PKCE for mobile and desktop clients only.
  pkce: false,
  tokenAnswer: (body) =>
    v.is(tiktokRefreshToken, body) ? { ...body, refresh_token_expires_in: body.refresh_expires_in } : body,
  profile: {
    from: 'requests',
    urls: ['https://open.tiktokapis.com/v2/user/info/?fields=open_id,display_name,username'],
    read: reader(
      v.object({
        data: v.object({
          user: v.object({ open_id: subject, username: optionalText, display_name: optionalText }),
        }),
      }),
      ({ data: { user } }) => ({
        subject: user.open_id,
        fields: { username: user.username, name: user.display_name },
      }),
    ),
  },
}

export const providers: Readonly<Record<KnownProvider, OAuthProvider>> = {
  apple,
  discord,
  github,
  google,
  'google-drive': googleDrive,
  linkedin,
  spotify,
  instagram,
  twitter,
  tiktok,
}

/** Returns the provider's display name. */
export const getTitle = (provider: KnownProvider): string =>
  provider === 'google-drive' ? 'Google Drive' : socialProviderRows[provider].title
