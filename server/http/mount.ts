/**
 * Puts endpoints on the server, and does for each what its row in `protocol/api` says. In this order: origin,
 * media type, app, pace, token, body, proof; then the area's handler; then the answer in its names on the wire.
 */
import { apiLimits, appId, attemptLimits, LatchkeyError, product, toWire } from '@latchkey/protocol'
import { apiPrefix, type Route } from '@latchkey/protocol/api'
import type { Context, Hono } from 'hono'
import * as v from 'valibot'
import type { App } from '../apps/apps.ts'
import { consume, tooManyRequests } from '../attempts/attempts.ts'
import type { ServerContext } from '../context.ts'
import { nowSeconds } from '../ports.ts'
import { parseJson, parseWire, readBody } from './body.ts'
import { assertProven, callerOf, proofOfCall } from './caller.ts'
import { createClientAddress } from './client-address.ts'
import type { Call, Endpoint, Replay } from './endpoint.ts'
import { answerOnce, hashOfRequest, type Performing, parseRequestId, type ReplayKey } from './replay.ts'
import { isApiOf, type Site } from './sites.ts'

export type HttpEnv = {
  Bindings: { readonly incoming?: { readonly socket?: { readonly remoteAddress?: string } } }
  Variables: { site: Site; pattern: string }
}

export function mountEndpoints(hono: Hono<HttpEnv>, context: ServerContext, endpoints: readonly Endpoint[]) {
  const addressOf = createClientAddress(context.config.trustedProxies)
  const performing: Performing = new Map()

  async function answer(http: Context<HttpEnv>, { route, answer: handle }: Endpoint): Promise<Response> {
    http.header('cache-control', 'no-store')
    const isChange = route.effect !== 'reads'
    if (isChange) assertFirstParty(http.req.header('origin'), context)
    const text = route.body ? await readBody(http) : ''
    const params = http.req.param()
    const app = await appOf(http, route, context)
    if (!isApiOf(http.get('site'), app, http.req.header('host'))) {
      throw new LatchkeyError('not_found', 'There is no such call here')
    }
    const address = addressOf(http.env?.incoming?.socket?.remoteAddress, http.req.header('x-forwarded-for'))
    if (isChange && address !== undefined) await assertPace(context, address)
    const caller = await callerOf(http, route, app, context)
    const binding = bindingOf(http)
    const requestId = parseRequestId(http.req.header(product.headers.requestId))
    const body = route.body && parseWire(route.body, parseJson(text))
    const proof = proofOfCall({ c: http, site: http.get('site'), route, app, text, requestId }, context)
    if (caller) assertProven(caller, http, body, proof)
    const call = {
      app,
      caller,
      proof,
      params,
      query: route.query && parseWire(route.query, http.req.query()),
      body,
      binding,
      address,
      http,
    } as Call<Route>
    const key: ReplayKey | undefined =
      app && requestId !== undefined
        ? {
            appId: app.id,
            requestId,
            requestHash: hashOfRequest([route.method, http.req.path, text, binding, caller?.sessionId]),
          }
        : undefined
    const replay: Replay = (steps) => answerOnce(context, performing, key, steps)
    const output = await handle(call, context, replay)
    return http.json(toWire(route.output, output))
  }

  for (const endpoint of endpoints) {
    const { method, path } = endpoint.route
    const pattern = apiPrefix + path.replaceAll(/\{(\w+)\}/g, ':$1')
    hono.on(method, pattern, (http) => {
      http.set('pattern', pattern)
      return answer(http, endpoint)
    })
  }
}

function assertFirstParty(origin: string | undefined, { config }: ServerContext): void {
  if (origin === undefined) throw new LatchkeyError('missing_origin', 'This call needs an origin')
  if (origin !== config.dialogOrigin && origin !== config.walletOrigin) {
    throw new LatchkeyError('invalid_origin', 'This call is for pages of this server')
  }
}

async function appOf(http: Context, route: Route, context: ServerContext): Promise<App | undefined> {
  const id = route.appHeader ? http.req.header(product.headers.appId) : http.req.param('appId')
  const app = v.is(appId, id) ? await context.apps.find(id) : undefined
  if (route.appHeader && !app) {
    throw new LatchkeyError('missing_or_invalid_latchkey_app_id', 'There is no app with this id')
  }
  return app
}

async function assertPace(context: ServerContext, address: string): Promise<void> {
  const allowance = await consume(context.db, {
    key: `address|${address}`,
    budgets: [
      { limit: attemptLimits.changesPerAddressPerMinute, windowSeconds: attemptLimits.minuteSeconds },
    ],
    nowSeconds: nowSeconds(context.clock),
  })
  if (!allowance.allowed) throw tooManyRequests(allowance.retryAfterSeconds)
}

function bindingOf(http: Context): string | undefined {
  const binding = http.req.header(product.headers.loginBinding)
  if (binding !== undefined && binding.length > apiLimits.maxStringLength) {
    throw new LatchkeyError('invalid_data', 'Too long', { details: { path: product.headers.loginBinding } })
  }
  return binding
}
