/**
 * Cloudflare Turnstile: the script with `window.turnstile`, the widget in its own frame, and the `siteverify`
 * API.
 */
import { readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FaultSwitch } from '../faults.ts'
import { type Route, readForm, readJson, send, sendJson } from '../http.ts'
import { type ChallengeRequest, type Tokens, testSecrets, testSiteKeys, testTokens } from './tokens.ts'

const file = (name: string) => readFileSync(new URL(`page/${name}`, import.meta.url), 'utf8')

const widgetPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'"

const getTextFields = (value: unknown): Readonly<Record<string, string>> =>
  typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value).filter(([, field]) => typeof field === 'string'))
    : {}

const has = (keys: readonly string[], key: string) => keys.includes(key)

export const turnstileRoutes = (tokens: Tokens, faults: FaultSwitch): readonly Route[] => {
  const script: Route = {
    method: 'GET',
    path: /^\/turnstile\/v0\/api\.js$/,
    handle({ response }) {
      if (faults.current().turnstileWidget === 'blocked')
        return sendJson(response, { error: 'Not found' }, 404)
      const headers = { 'cross-origin-resource-policy': 'cross-origin' }
      send(response, { type: 'text/javascript; charset=utf-8', content: file('api.js'), headers })
    },
  }

  const pageFiles = [
    { path: /^\/turnstile\/widget$/, name: 'widget.html', type: 'text/html; charset=utf-8' },
    { path: /^\/turnstile\/widget\.js$/, name: 'widget.js', type: 'text/javascript; charset=utf-8' },
    { path: /^\/turnstile\/widget\.css$/, name: 'widget.css', type: 'text/css; charset=utf-8' },
  ].map(
    ({ path, name, type }): Route => ({
      method: 'GET',
      path,
      handle: ({ response }) =>
        send(response, { type, content: file(name), headers: { 'content-security-policy': widgetPolicy } }),
    }),
  )

  /** Returns the outcome of the widget's challenge. */
  const challenge: Route = {
    method: 'POST',
    path: /^\/turnstile\/challenge$/,
    async handle({ request, response }) {
      const {
        sitekey = '',
        hostname = '',
        action = '',
        cdata = '',
        pressed,
      } = getTextFields(await readJson(request))
      const fault = await faults.afterStall('turnstileWidget')
      if (fault === 'fails' || has(testSiteKeys.fails, sitekey)) {
        return sendJson(response, { outcome: 'failed', code: '300030' })
      }
      const isInteractive = fault === 'interactive' || has(testSiteKeys.interactive, sitekey)
      if (isInteractive && pressed === undefined) return sendJson(response, { outcome: 'interactive' })
      const isForTests = has([...testSiteKeys.passes, ...testSiteKeys.interactive], sitekey)
      const challengeRequest: ChallengeRequest = { sitekey, hostname, action, cdata }
      sendJson(response, {
        outcome: 'passed',
        token: isForTests ? testTokens.dummy : tokens.issue(challengeRequest),
      })
    },
  }

  const siteverify: Route = {
    method: 'POST',
    path: /^\/turnstile\/v0\/siteverify$/,
    async handle({ request, response }) {
      const fault = await faults.afterStall('turnstile')
      const { secret, response: token, idempotency_key: key } = await parseBody(request)
      if (fault === 'failing') return refuse(response, 'internal-error')
      if (secret === undefined) return refuse(response, 'missing-input-secret')
      if (fault === 'wrong-secret' || !/^[0-3]x\S+$/.test(secret))
        return refuse(response, 'invalid-input-secret')
      if (token === undefined) return refuse(response, 'missing-input-response')
      if (fault === 'spent' || secret === testSecrets.spent) return refuse(response, 'timeout-or-duplicate')
      if (secret === testSecrets.fails) return refuse(response, 'invalid-input-response')
      if (secret === testSecrets.passes) {
        return succeed(response, Date.now(), {
          hostname: 'example.com',
          action: 'test',
          cdata: '',
          metadata: { interactive: false, result_with_testing_key: true },
        })
      }
      const validation = tokens.validate(token, key)
      if (validation.type === 'unknown') return refuse(response, 'invalid-input-response')
      if (validation.type === 'expired-or-used') return refuse(response, 'timeout-or-duplicate')
      const { hostname, action, cdata } = validation.asked
      succeed(response, validation.issuedAt, { hostname, action, cdata, metadata: { interactive: false } })
    },
  }

  const inspect: Route = {
    method: 'GET',
    path: /^\/api\/turnstile$/,
    handle: ({ response }) => sendJson(response, tokens.counts()),
  }

  return [script, ...pageFiles, challenge, siteverify, inspect]
}

/** Reads a JSON or form body; `siteverify` accepts both. */
const parseBody = async (request: IncomingMessage) => {
  const isForm = request.headers['content-type']?.startsWith('application/x-www-form-urlencoded') ?? false
  if (!isForm) return getTextFields(await readJson(request))
  return getTextFields(Object.fromEntries((await readForm(request)) ?? []))
}

const refuse = (response: ServerResponse, code: string) =>
  sendJson(response, { success: false, 'error-codes': [code], messages: [] })

const succeed = (response: ServerResponse, issuedAt: number, fields: object) =>
  sendJson(response, {
    success: true,
    'error-codes': [],
    challenge_ts: new Date(issuedAt).toISOString(),
    ...fields,
  })
