/**
 * Every OAuth provider of the product, each host a folder below `/oauth/`:
 * `https://accounts.google.com/o/oauth2/v2/auth` is `/oauth/accounts.google.com/o/oauth2/v2/auth` here.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FaultSwitch } from '../faults.ts'
import { type Call, originOf, type Route, readForm, send, sendJson } from '../http.ts'
import { clientIdOf, isClient } from './clients.ts'
import type { Asked, Grant, Grants } from './grants.ts'
import type { Signer } from './id-tokens.ts'
import { consentPage, postingPage, wrongRequestPage } from './page.ts'
import { person, subjectOf } from './people.ts'
import { type Answer, type Provider, type Trial, trials } from './provider.ts'
import { type ProviderName, providers } from './providers.ts'

const all = Object.entries(providers) as readonly (readonly [ProviderName, Provider])[]
const idTokenSeconds = 3_600

const html = 'text/html; charset=utf-8'
const pagePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; base-uri 'none'; frame-ancestors 'none'"

/** A literal path, as a pattern that the router takes. */
const at = (path: string) => new RegExp(`^/oauth/${path.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`)
/** The path of the authorization server; only GitHub and LinkedIn have one. */
const issuerPaths: Partial<Record<ProviderName, string>> = {
  github: 'github.com/login/oauth',
  linkedin: 'www.linkedin.com/oauth',
}
const issuerOf = (request: IncomingMessage, name: ProviderName) =>
  `${originOf(request)}/oauth/${issuerPaths[name] ?? providers[name].authorize.split('/')[0]}`

const answer = (response: ServerResponse, { status = 200, body, headers = {} }: Answer) =>
  send(response, { status, type: 'application/json', content: JSON.stringify(body), headers })

export const oauthRoutes = (grants: Grants, signer: Signer, faults: FaultSwitch): readonly Route[] => {
  const showPage = async (response: ServerResponse, content: string, status = 200) => {
    const opener = await faults.passed('oauthPage')
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
      const asked = askedIn(name, provider, url.searchParams)
      if (typeof asked === 'string') return showPage(response, wrongRequestPage(asked), 400)
      await showPage(response, consentPage(grants.ask(asked), asked))
    },
  })

  const consent: Route = {
    method: 'POST',
    path: /^\/oauth\/consent$/,
    handle: async ({ request, response }) => {
      const form = (await readForm(request)) ?? new URLSearchParams()
      const asked = grants.answer(form.get('request') ?? '')
      if (asked === undefined) {
        return showPage(response, wrongRequestPage('It was answered already, or is too old.'), 400)
      }
      const fault = await faults.passed('oauth')
      const issuer = issuerOf(request, asked.provider)
      const provider: Provider = providers[asked.provider]
      const back = {
        ...provider.comesBackWith?.(issuer),
        ...answerOf(asked, form, issuer),
        state: asked.state,
      }
      const fields = fault === 'wrong-issuer' ? { ...back, iss: 'https://stranger.example' } : back
      if (provider.responseMode === 'form_post') {
        return showPage(response, postingPage(asked.redirectUri, fields))
      }
      const to = new URL(asked.redirectUri)
      for (const [field, value] of Object.entries(fields)) to.searchParams.set(field, value)
      response.writeHead(302, { location: to.href, 'cache-control': 'no-store' }).end()
    },
  }

  /** The redirect carries the state, and an error or a code. */
  const answerOf = (
    asked: Asked,
    form: URLSearchParams,
    issuer: string,
  ): Readonly<Record<string, string>> => {
    if (form.has('denied')) return providers[asked.provider].denied
    const withoutEmail = form.get('without_email')
    const who = person(withoutEmail ?? form.get('person') ?? 'Ada Lovelace', withoutEmail === null)
    const trial = trials.find((one) => one === form.get('trial'))
    const subject = subjectOf(asked.provider, who)
    const granted = {
      person: who,
      subject,
      clientId: asked.clientId,
      scopes: asked.scopes,
      nonce: asked.nonce,
      accessToken: grants.newToken(),
      issuer,
    }
    const code = grants.grant({ asked, granted, trial })
    const isNewToApple = asked.provider === 'apple' && grants.isFirstTime(asked.clientId, subject)
    return isNewToApple ? { code, user: appleUser(who) } : { code }
  }

  const token = ([name, provider]: (typeof all)[number]): Route => ({
    method: 'POST',
    path: at(provider.token),
    handle: async ({ request, response }) => {
      const fault = await faults.passed('oauth')
      if (fault === 'failing') return answer(response, { status: 500, body: { error: 'server_error' } })
      if (fault === 'garbage') return send(response, { type: html, content: '<h1>Sorry</h1>' })
      const form = (await readForm(request)) ?? new URLSearchParams()
      const issuer = issuerOf(request, name)
      if (!isClient(name, provider, request, form, issuer)) return answer(response, provider.wrongClient)
      if (provider.pkce === 'refused' && form.has('code_verifier')) {
        return answer(response, provider.wrongClient)
      }
      const grant = grants.exchange(form.get('code') ?? '')
      if (grant === undefined || !isFor(grant, name, provider, form))
        return answer(response, provider.wrongCode)
      const early = refusedAtToken(provider, grant.trial)
      if (early) return answer(response, early)
      grants.admit(grant)
      const now = Math.floor(Date.now() / 1_000)
      const idToken = (claims: Readonly<Record<string, unknown>>) =>
        signer.sign(
          {
            iss: issuer,
            aud: grant.granted.clientId,
            iat: now,
            exp: now + idTokenSeconds,
            ...claims,
            ...(fault === 'wrong-nonce' && { nonce: 'of another login' }),
          },
          fault === 'wrong-key',
        )
      const body = provider.tokenAnswer(grant.granted, idToken)
      if (name === 'github' && request.headers.accept !== 'application/json') return sendForm(response, body)
      answer(response, { body })
    },
  })

  const api = (provider: Provider, path: string): Route => ({
    method: 'GET',
    path: at(path),
    handle: async ({ request, response, url }) => {
      const fault = await faults.passed('oauth')
      if (fault === 'failing-api') return answer(response, { status: 500, body: { message: 'Sorry' } })
      // Whoever asked hangs up some time.
      if (fault === 'silent-api') return
      const inQuery = provider.tokenInQuery ? url.searchParams.get('access_token') : null
      const [, inHeader] = /^Bearer (.+)$/.exec(request.headers.authorization ?? '') ?? []
      const grant = grants.bearer(inQuery ?? inHeader ?? '')
      if (!grant) return answer(response, { status: 401, body: { message: 'Bad credentials' } })
      // Its documentation: a call without a name of who calls is refused.
      if (path.startsWith('api.github.com') && !request.headers['user-agent']) {
        return answer(response, {
          status: 403,
          body: { message: 'Request forbidden by administrative rules' },
        })
      }
      if (grant.trial === 'suspended') return answer(response, provider.suspended)
      if (grant.trial === 'rate-limited') return answer(response, provider.rateLimited)
      answer(response, provider.apis[path]?.(grant.granted) ?? { status: 404, body: {} })
    },
  })

  const jwks = (path: string): Route => ({
    method: 'GET',
    path: at(path),
    handle: ({ response }) => sendJson(response, signer.jwks()),
  })

  const look: Route = {
    method: 'GET',
    path: /^\/api\/oauth$/,
    handle: ({ response }) => sendJson(response, grants.counts()),
  }

  return [
    ...all.map(authorize),
    ...all.map(token),
    ...all.flatMap(([, provider]) => Object.keys(provider.apis).map((path) => api(provider, path))),
    ...all.flatMap(([, { jwks: path }]) => (path === undefined ? [] : [jwks(path)])),
    consent,
    look,
    file('submit.js', 'text/javascript; charset=utf-8'),
  ]
}

const file = (name: string, type: string): Route => {
  const content = readFileSync(new URL(`./page/${name}`, import.meta.url))
  return { method: 'GET', path: at(name), handle: ({ response }: Call) => send(response, { type, content }) }
}

/** The request, or what is wrong with it. */
const askedIn = (name: ProviderName, provider: Provider, query: URLSearchParams): Asked | string => {
  const clientId = query.get(provider.clientIdParameter) ?? ''
  const redirectUri = query.get('redirect_uri') ?? ''
  const state = query.get('state') ?? ''
  const scopes = (query.get('scope') ?? '').split(provider.scopeSeparator)
  const codeChallenge = query.get('code_challenge') ?? undefined
  const { also } = provider
  const isAlso = also !== undefined && scopes.length === 1 && scopes[0] === also.scope
  const missing = isAlso ? [] : provider.scopes.filter((scope) => !scopes.includes(scope))
  const wantsForm = provider.responseMode === 'form_post'
  if (clientId !== clientIdOf(name)) return `${provider.clientIdParameter} is not ${clientIdOf(name)}`
  if (!isRegistered(redirectUri, isAlso ? also.callback : name))
    return `redirect_uri is none that was registered: ${redirectUri}`
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

/** The client has one redirect address a provider, on whatever port it runs on this machine. */
const isRegistered = (uri: string, name: string) =>
  new RegExp(
    `^https?://(localhost|[a-z0-9-]+\\.localhost|127\\.0\\.0\\.1)(:\\d+)?/${
      name === 'google-drive' ? 'recovery' : 'oauth'
    }/callback/${name}$`,
  ).test(uri)

/** The code is this client's, for this address, and its verifier came where a challenge did. */
const isFor = ({ asked }: Grant, name: ProviderName, { pkce }: Provider, form: URLSearchParams): boolean => {
  if (form.get('grant_type') !== 'authorization_code') return false
  if (asked.provider !== name || asked.redirectUri !== form.get('redirect_uri')) return false
  if (pkce === 'ignored' || pkce === 'refused') return true
  const verifier = form.get('code_verifier')
  const challenge = verifier === null ? undefined : createHash('sha256').update(verifier).digest('base64url')
  return challenge === asked.codeChallenge
}

/** A provider without an API refuses here, at the token endpoint. */
const refusedAtToken = ({ apis, suspended, rateLimited }: Provider, trial: Trial | undefined) => {
  if (Object.keys(apis).length > 0) return undefined
  if (trial === 'suspended') return suspended
  return trial === 'rate-limited' ? rateLimited : undefined
}

const appleUser = ({ name, email }: { name: string; email: string | null }) => {
  const [firstName, ...rest] = name.split(' ')
  return JSON.stringify({ name: { firstName, lastName: rest.join(' ') }, ...(email !== null && { email }) })
}

/** GitHub's own form, for whoever does not ask for JSON. */
const sendForm = (response: ServerResponse, body: unknown) =>
  send(response, {
    type: 'application/x-www-form-urlencoded; charset=utf-8',
    content: new URLSearchParams(body as Record<string, string>).toString(),
  })
