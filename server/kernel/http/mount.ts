/**
 * Mounts the endpoints. Checks each call in this order: rate limit, origin, media type, app, token, body, proof. Then
 * runs the handler and converts its output to wire names.
 */
import { apiLimits, appId, LatchkeyError, product, toWire } from '@latchkey/protocol'
import { apiPrefix, type Route } from '@latchkey/protocol/api'
import type { Context, Hono } from 'hono'
import * as v from 'valibot'
import type { ServerContext, VerifiedToken } from '../context.ts'
import { withPepperRetry } from '../keys/pepper-names.ts'
import { negotiateLanguage } from '../languages.ts'
import { waitLimits } from '../limits.ts'
import type { App } from '../ports.ts'
import { createClientAddress } from './addresses/client-address.ts'
import { type Site, servesApi } from './addresses/sites.ts'
import { parseFields, parseJson, parseWire, readBody } from './body.ts'
import { assertProven, authenticate, createProofReader, loggedInCaller } from './caller.ts'
import { type Client, parseClient } from './client.ts'
import type { Call, Endpoint, ProvenBrowser, Replay } from './endpoint.ts'
import { readStatement } from './proof/statement.ts'
import type { RateLimit, RateLimitKind } from './rate-limit.ts'
import { answerOnce } from './replay/replay.ts'
import { hashRequest, parseRequestId, type RequestKey } from './replay/request-id.ts'
import { parseUserAgent } from './user-agent.ts'
import type { Waits } from './waits.ts'

export type HttpEnv = {
  Bindings: {
    incoming?: { socket?: { remoteAddress?: string } }
    /** The socket's response, if there is a socket. */
    outgoing?: { headersSent?: boolean; statusCode: number }
  }
  Variables: { site: Site; pattern: string; client?: Client }
}

const rateLimitKinds = {
  reads: 'reads',
  counts: 'counts',
  changes: 'changes',
  'changes, replayed': 'changes',
} as const satisfies Record<Route['effect'], RateLimitKind>

export function mountEndpoints(
  hono: Hono<HttpEnv>,
  context: ServerContext,
  pace: RateLimit,
  waits: Waits,
  endpoints: readonly Endpoint[],
) {
  const getAddress = createClientAddress(context.config.trustedProxies)

  async function answer(c: Context<HttpEnv>, { route, answer: handle }: Endpoint): Promise<Response> {
    c.header('cache-control', 'no-store')
    const address = getAddress(c.env?.incoming?.socket?.remoteAddress, c.req.header('x-forwarded-for'))
    await pace(rateLimitKinds[route.effect], address)
    c.set('client', parseClient(c))
    const isChange = route.effect !== 'reads'
    if (isChange) assertFirstParty(c.req.header('origin'), context)
    const text = route.body ? await readBody(c, 'application/json', route.maxBodyBytes) : ''
    const params = c.req.param()
    const app = await findApp(c, route, context)
    if (!servesApi(c.get('site'), app, c.req.header('host'))) {
      throw new LatchkeyError('not_found', 'There is no such API call on this host')
    }
    const caller = await authenticate(c, route, app, context)
    if (caller?.scope === 'wallet')
      assertFromWalletFrame(c.get('site'), isChange && c.req.header('origin'), context)
    const binding = parseBinding(c)
    const requestId = parseRequestId(c.req.header(product.headers.requestId))
    const body = route.body && parseWire(route.body, parseJson(text))
    const proof = createProofReader({ c, site: c.get('site'), route, app, text, requestId }, context)
    if (caller) assertProven(caller, c, body, proof)
    const statement = () =>
      readStatement(c.req.header(product.headers.device), { appId: app?.id ?? '', dialogKey: proof().key })
    const wait = waits(address, c.req.raw.signal)
    const acceptedLanguage = () => negotiateLanguage(c.req.header('accept-language'))
    const call = {
      app,
      caller,
      loggedIn: () => loggedInCaller({ c, route, app, body, proof }, context),
      proof,
      statement,
      browser: (): ProvenBrowser => {
        const { key } = proof()
        const deviceStatement = statement()
        const device = deviceStatement?.purpose === 'login' ? deviceStatement.device : null
        // If both keys are the same, only the wallet page may have sessions.
        if (device === key)
          throw new LatchkeyError(
            'missing_or_invalid_token',
            'The device key must differ from the dialog key',
          )
        return {
          key,
          device,
          names: parseUserAgent(c.req.header('user-agent')),
          language: acceptedLanguage(),
        }
      },
      params,
      query: route.query && parseWire(route.query, c.req.query()),
      headers: route.headers && parseFields(route.headers, c.req.header()),
      body,
      binding,
      language: caller?.scope === 'wallet' ? caller.language : acceptedLanguage(),
      address,
      wait,
      c,
    } as Call<Route>
    const key: RequestKey | undefined =
      app && requestId !== undefined
        ? {
            appId: app.id,
            requestId,
            requestHash: hashRequest([
              route.method,
              c.req.path,
              text,
              binding,
              caller?.sessionId,
              serializeStep(caller),
            ]),
          }
        : undefined
    const replay: Replay = (steps) => answerOnce(context, key, steps, waitLimits, wait.hold)
    const output = await withPepperRetry(context.keyring, () => handle(call, context, replay))
    return c.json(toWire(route.output, output))
  }

  for (const endpoint of endpoints) {
    const { method, path } = endpoint.route
    const pattern = apiPrefix + path.replaceAll(/\{(\w+)\}/g, ':$1')
    hono.on(method, pattern, (c) => {
      c.set('pattern', pattern)
      return answer(c, endpoint)
    })
  }
}

/**
 * Returns the step of a wallet token. It is part of the request hash, so a release is never replayed to another step.
 */
const serializeStep = (caller: VerifiedToken | undefined) =>
  caller?.scope === 'wallet' ? JSON.stringify(caller.step) : undefined

function assertFirstParty(origin: string | undefined, { config }: ServerContext): void {
  if (origin === undefined) throw new LatchkeyError('missing_origin', 'This call needs an Origin header')
  if (origin !== config.dialogOrigin && origin !== config.walletOrigin) {
    throw new LatchkeyError('invalid_origin', 'Only pages of this server may make this call')
  }
}

/** Requires that a call with a wallet token comes from the wallet frame, on its own hostname or the app's. */
function assertFromWalletFrame(
  site: Site,
  origin: string | undefined | false,
  { config }: ServerContext,
): void {
  if (site === 'dialog') throw new LatchkeyError('not_found', 'There is no such API call on this host')
  if (origin !== false && origin !== config.walletOrigin) {
    throw new LatchkeyError('invalid_origin', 'Only the wallet frame may make this call')
  }
}

async function findApp(c: Context, route: Route, context: ServerContext): Promise<App | undefined> {
  const id = route.appHeader ? c.req.header(product.headers.appId) : c.req.param('appId')
  const app = v.is(appId, id) ? await context.apps.find(id) : undefined
  if (route.appHeader && !app) {
    throw new LatchkeyError('missing_or_invalid_latchkey_app_id', 'There is no app with this id')
  }
  return app
}

function parseBinding(c: Context): string | undefined {
  const binding = c.req.header(product.headers.loginBinding)
  if (binding !== undefined && binding.length > apiLimits.maxStringLength) {
    throw new LatchkeyError('invalid_data', 'Too long', { details: { path: product.headers.loginBinding } })
  }
  return binding
}
