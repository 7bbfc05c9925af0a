/**
 * Every OAuth provider of the product, with one folder per host below `/oauth/`.
 * `https://accounts.google.com/o/oauth2/v2/auth` is `/oauth/accounts.google.com/o/oauth2/v2/auth` here.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FaultSwitch } from '../faults.ts'
import { type Call, getOrigin, type Route, readForm, readJson, send, sendJson } from '../http.ts'
import { getClientId, isClient } from './clients.ts'
import type { AuthorizationRequest, Grant, Grants } from './grants.ts'
import type { Signer } from './id-tokens.ts'
import { consentPage, formPostPage, wrongRequestPage } from './page.ts'
import { createPerson, getSubject } from './people.ts'
import { type Answer, type Provider, type Trial, trials } from './provider.ts'
import { type ProviderName, providers } from './providers.ts'

const all = Object.entries(providers) as readonly (readonly [ProviderName, Provider])[]
const idTokenSeconds = 3_600

const html = 'text/html; charset=utf-8'
const pagePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; base-uri 'none'; frame-ancestors 'none'"

/** Returns a route pattern for a literal path. */
const at = (path: string) => new RegExp(`^/oauth/${path.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`)
/** The issuer's path, which only GitHub and LinkedIn have. */
const issuerPaths: Partial<Record<ProviderName, string>> = {
  github: 'github.com/login/oauth',
  linkedin: 'www.linkedin.com/oauth',
}
const getIssuer = (request: IncomingMessage, name: ProviderName) =>
  `${getOrigin(request)}/oauth/${issuerPaths[name] ?? providers[name].authorize.split('/')[0]}`

const answer = (response: ServerResponse, { status = 200, body, headers = {} }: Answer) =>
  send(response, { status, type: 'application/json', content: JSON.stringify(body), headers })

export const oauthRoutes = (grants: Grants, signer: Signer, faults: FaultSwitch): readonly Route[] => {
  const showPage = async (response: ServerResponse, content: string, status = 200) => {
    const opener = await faults.afterStall('oauthPage')
    const headers = {
      'content-security-policy': pagePolicy,
      ...(opener !== 'none' && { 'cross-origin-opener-policy': opener }),
    }
    send(response, { status, type: html, content, headers })
  }

  const authorize = ([name, provider]: (typeof all)[number]): Route => ({
    method: 'GET',
    path: at(provider.authorize),
    handle: async ({ response, url }) => {
      const authorization = parseAuthorization(name, provider, url.searchParams)
      if (typeof authorization === 'string') return showPage(response, wrongRequestPage(authorization), 400)
      await showPage(response, consentPage(grants.addRequest(authorization), authorization))
    },
  })

  const consent: Route = {
    method: 'POST',
    path: /^\/oauth\/consent$/,
    handle: async ({ request, response }) => {
      const form = (await readForm(request)) ?? new URLSearchParams()
      const authorization = grants.takeRequest(form.get('request') ?? '')
      if (authorization === undefined) {
        return showPage(response, wrongRequestPage('This request was already answered, or has expired.'), 400)
      }
      const fault = await faults.afterStall('oauth')
      const issuer = getIssuer(request, authorization.provider)
      const provider: Provider = providers[authorization.provider]
      const back = {
        ...provider.redirectParameters?.(issuer),
        ...createRedirectFields(authorization, form, issuer),
        state: authorization.state,
      }
      const fields = fault === 'wrong-issuer' ? { ...back, iss: 'https://stranger.example' } : back
      if (provider.responseMode === 'form_post') {
        return showPage(response, formPostPage(authorization.redirectUri, fields))
      }
      const to = new URL(authorization.redirectUri)
      for (const [field, value] of Object.entries(fields)) to.searchParams.set(field, value)
      response.writeHead(302, { location: to.href, 'cache-control': 'no-store' }).end()
    },
  }

  /** Returns the redirect parameters: the state, and an error or a code. */
  const createRedirectFields = (
    authorization: AuthorizationRequest,
    form: URLSearchParams,
    issuer: string,
  ): Readonly<Record<string, string>> => {
    if (form.has('denied')) return providers[authorization.provider].denied
    const withoutEmail = form.get('without_email')
    const user = createPerson(withoutEmail ?? form.get('person') ?? 'Ada Lovelace', withoutEmail === null)
    const trial = trials.find((one) => one === form.get('trial'))
    const subject = getSubject(authorization.provider, user)
    const access = {
      person: user,
      subject,
      clientId: authorization.clientId,
      scopes: authorization.scopes,
      nonce: authorization.nonce,
      accessToken: grants.newToken(),
      issuer,
    }
    const code = grants.grant({ authorization, access, trial })
    const isNewToApple =
      authorization.provider === 'apple' && grants.isFirstTime(authorization.clientId, subject)
    return isNewToApple ? { code, user: appleUser(user) } : { code }
  }

  const token = ([name, provider]: (typeof all)[number]): Route => ({
    method: 'POST',
    path: at(provider.token),
    handle: async ({ request, response }) => {
      const fault = await faults.afterStall('oauth')
      if (fault === 'failing') return answer(response, { status: 500, body: { error: 'server_error' } })
      if (fault === 'garbage') return send(response, { type: html, content: '<h1>Sorry</h1>' })
      const form = (await readForm(request)) ?? new URLSearchParams()
      const issuer = getIssuer(request, name)
      if (!isClient(name, provider, request, form, issuer)) return answer(response, provider.wrongClient)
      if (provider.pkce === 'refused' && form.has('code_verifier')) {
        return answer(response, provider.wrongClient)
      }
      const grant = grants.exchange(form.get('code') ?? '')
      if (grant === undefined || !isFor(grant, name, provider, form))
        return answer(response, provider.wrongCode)
      const early = getTokenRefusal(provider, grant.trial)
      if (early) return answer(response, early)
      grants.storeToken(grant)
      const now = Math.floor(Date.now() / 1_000)
      const idToken = (claims: Readonly<Record<string, unknown>>) =>
        signer.sign(
          {
            iss: issuer,
            aud: grant.access.clientId,
            iat: now,
            exp: now + idTokenSeconds,
            ...claims,
            ...(fault === 'wrong-nonce' && { nonce: 'of another login' }),
          },
          fault === 'wrong-key',
        )
      const body = provider.tokenAnswer(grant.access, idToken)
      if (name === 'github' && request.headers.accept !== 'application/json') return sendForm(response, body)
      answer(response, { body })
    },
  })

  const api = (provider: Provider, path: string): Route => ({
    method: 'GET',
    path: at(path),
    handle: async ({ request, response, url }) => {
      const fault = await faults.afterStall('oauth')
      if (fault === 'failing-api') return answer(response, { status: 500, body: { message: 'Sorry' } })
      // Never responds; the caller times out.
      if (fault === 'silent-api') return
      const inQuery = provider.tokenInQuery ? url.searchParams.get('access_token') : null
      const [, inHeader] = /^Bearer (.+)$/.exec(request.headers.authorization ?? '') ?? []
      const grant = grants.findByToken(inQuery ?? inHeader ?? '')
      if (!grant) return answer(response, { status: 401, body: { message: 'Bad credentials' } })
      // GitHub rejects calls without a user agent.
      if (path.startsWith('api.github.com') && !request.headers['user-agent']) {
        return answer(response, {
          status: 403,
          body: { message: 'Request forbidden by administrative rules' },
        })
      }
      if (grant.trial === 'suspended') return answer(response, provider.suspended)
      if (grant.trial === 'rate-limited') return answer(response, provider.rateLimited)
      answer(response, provider.apis[path]?.(grant.access) ?? { status: 404, body: {} })
    },
  })

  const jwks = (path: string): Route => ({
    method: 'GET',
    path: at(path),
    handle: ({ response }) => sendJson(response, signer.jwks()),
  })

  const discovery = ([name, provider]: (typeof all)[number]): Route => ({
    method: 'GET',
    path: at(`${provider.authorize.split('/')[0]}/.well-known/openid-configuration`),
    handle({ request, response }) {
      const issuer = getIssuer(request, name)
      const folder = `${getOrigin(request)}/oauth`
      sendJson(response, {
        issuer,
        authorization_endpoint: `${folder}/${provider.authorize}`,
        token_endpoint: `${folder}/${provider.token}`,
        jwks_uri: `${folder}/${provider.jwks}`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
        token_endpoint_auth_methods_supported: ['client_secret_post'],
        code_challenge_methods_supported: ['S256'],
        authorization_response_iss_parameter_supported: true,
        backchannel_logout_supported: true,
        backchannel_logout_session_supported: true,
      })
    },
  })

  /** Signs a logout token, which a test sends to the back channel. */
  const logoutToken: Route = {
    method: 'POST',
    path: /^\/api\/oauth\/logout-tokens$/,
    handle: async ({ request, response }) => {
      const claims = await readJson(request)
      const now = Math.floor(Date.now() / 1_000)
      const token = signer.sign({
        iss: getIssuer(request, 'acme'),
        aud: getClientId('acme'),
        iat: now,
        exp: now + 120,
        jti: grants.newToken(),
        events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
        ...(typeof claims === 'object' && claims),
      })
      sendJson(response, { token })
    },
  }

  const inspect: Route = {
    method: 'GET',
    path: /^\/api\/oauth$/,
    handle: ({ response }) => sendJson(response, grants.counts()),
  }

  return [
    ...all.map(authorize),
    ...all.map(token),
    ...all.flatMap(([, provider]) => Object.keys(provider.apis).map((path) => api(provider, path))),
    ...all.flatMap(([, { jwks: path }]) => (path === undefined ? [] : [jwks(path)])),
    ...all.filter(([, { isDiscoverable }]) => isDiscoverable).map(discovery),
    consent,
    logoutToken,
    inspect,
    file('submit.js', 'text/javascript; charset=utf-8'),
  ]
}

const file = (name: string, type: string): Route => {
  const content = readFileSync(new URL(`./page/${name}`, import.meta.url))
  return { method: 'GET', path: at(name), handle: ({ response }: Call) => send(response, { type, content }) }
}

/** Returns the request, or the reason why it is invalid. */
const parseAuthorization = (
  name: ProviderName,
  provider: Provider,
  query: URLSearchParams,
): AuthorizationRequest | string => {
  const clientId = query.get(provider.clientIdParameter) ?? ''
  const redirectUri = query.get('redirect_uri') ?? ''
  const state = query.get('state') ?? ''
  const scopes = (query.get('scope') ?? '').split(provider.scopeSeparator)
  const codeChallenge = query.get('code_challenge') ?? undefined
  const { also } = provider
  const isAlso = also !== undefined && scopes.length === 1 && scopes[0] === also.scope
  const missing = isAlso ? [] : provider.scopes.filter((scope) => !scopes.includes(scope))
  const wantsForm = provider.responseMode === 'form_post'
  if (clientId !== getClientId(name)) return `${provider.clientIdParameter} is not ${getClientId(name)}`
  if (!isRegistered(redirectUri, isAlso ? also.callback : (provider.callback ?? name)))
    return `redirect_uri is not registered: ${redirectUri}`
  if (query.get('response_type') !== 'code') return 'response_type is not code'
  if (state === '') return 'state is missing'
  if (missing.length > 0) return `scope lacks ${missing.join(' ')}`
  if (wantsForm !== (query.get('response_mode') === 'form_post')) return 'response_mode is wrong'
  if (provider.pkce === 'required' && codeChallenge === undefined) return 'code_challenge is missing'
  if (codeChallenge !== undefined && query.get('code_challenge_method') !== 'S256') {
    return 'code_challenge_method is not S256'
  }
  const nonce = query.get('nonce') ?? undefined
  return { provider: name, clientId, redirectUri, state, scopes, nonce, codeChallenge }
}

/** The redirect paths of clients, unless it is `/oauth/callback/<name>`. */
const redirectPaths: Readonly<Record<string, string>> = {
  'google-drive': 'recovery/callback/google-drive',
  // Operators of the dashboard use the client of the users.
  'oidc:acme': '(?:oauth/callback/oidc:acme|sign-in/oidc)',
}
/** Redirect addresses are registered for any port of this machine. */
const isRegistered = (uri: string, name: string) =>
  new RegExp(
    `^https?://(localhost|[a-z0-9-]+\\.localhost|127\\.0\\.0\\.1)(:\\d+)?/${
      redirectPaths[name] ?? `oauth/callback/${name}`
    }$`,
  ).test(uri)

/**
 * Checks that the code belongs to this client and redirect address, and that the verifier matches its
 * challenge.
 */
const isFor = (
  { authorization: asked }: Grant,
  name: ProviderName,
  { pkce }: Provider,
  form: URLSearchParams,
): boolean => {
  if (form.get('grant_type') !== 'authorization_code') return false
  if (asked.provider !== name || asked.redirectUri !== form.get('redirect_uri')) return false
  if (pkce === 'ignored' || pkce === 'refused') return true
  const verifier = form.get('code_verifier')
  const challenge = verifier === null ? undefined : createHash('sha256').update(verifier).digest('base64url')
  return challenge === asked.codeChallenge
}

/** Returns the refusal of a provider without an API, which the token endpoint has to send. */
const getTokenRefusal = ({ apis, suspended, rateLimited }: Provider, trial: Trial | undefined) => {
  if (Object.keys(apis).length > 0) return undefined
  if (trial === 'suspended') return suspended
  return trial === 'rate-limited' ? rateLimited : undefined
}

const appleUser = ({ name, email }: { name: string; email: string | null }) => {
  const [firstName, ...rest] = name.split(' ')
  return JSON.stringify({ name: { firstName, lastName: rest.join(' ') }, ...(email !== null && { email }) })
}

/** GitHub sends a form unless the client requests JSON. */
const sendForm = (response: ServerResponse, body: unknown) =>
  send(response, {
    type: 'application/x-www-form-urlencoded; charset=utf-8',
    content: new URLSearchParams(body as Record<string, string>).toString(),
  })
