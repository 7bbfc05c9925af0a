/**
 * Calls for third-party clients, defined by a standard: with their own methods, body and error formats, and CORS. A row
 * declares the path; its handler returns the complete response.
 */
import { appId } from '@latchkey/protocol'
import type { Context, Hono } from 'hono'
import * as v from 'valibot'
import type { ServerContext } from '../context.ts'
import type { App } from '../ports.ts'
import { createClientAddress } from './addresses/client-address.ts'
import { servesApi } from './addresses/sites.ts'
import { readBody } from './body.ts'
import type { HttpEnv } from './mount.ts'
import type { RateLimit, RateLimitKind } from './rate-limit.ts'
import type { Wait, Waits } from './waits.ts'

/** A call below an app's path, on the dialog hostname and on the app's own API hostname. */
export type OpenCall = {
  method: 'GET' | 'POST' | 'OPTIONS'
  /** The path contains `{appId}`. */
  path: `/${string}`
  paced: RateLimitKind
  answer: (call: OpenCallInput, context: ServerContext) => Promise<Response>
}

export type OpenCallInput = {
  app: App
  /** The called URL without its query. */
  url: string
  /** Consumes the rate limit and throws if it is exhausted. The handler calls it, to format the error itself. */
  pace: () => Promise<void>
  /** Reads the JSON body. Throws if it is longer than `maxBytes`. */
  text: (maxBytes: number) => Promise<string>
  wait: Wait
  c: Context<HttpEnv>
}

export function mountOpenCalls(
  hono: Hono<HttpEnv>,
  context: ServerContext,
  pace: RateLimit,
  waits: Waits,
  calls: readonly OpenCall[],
): void {
  const getAddress = createClientAddress(context.config.trustedProxies)

  for (const { method, path, paced, answer } of calls) {
    const pattern = path.replaceAll(/\{(\w+)\}/g, ':$1')
    hono.on(method, pattern, async (c, next) => {
      const id = c.req.param('appId')
      const app = v.is(appId, id) ? await context.apps.find(id) : undefined
      const site = c.get('site')
      if (app === undefined || site === 'wallet' || !servesApi(site, app, c.req.header('host'))) return next()
      c.set('pattern', pattern)
      c.header('cache-control', 'no-store')
      const address = getAddress(c.env?.incoming?.socket?.remoteAddress, c.req.header('x-forwarded-for'))
      const { customApiUrl } = app.config
      const origin = site === 'dialog' || customApiUrl === null ? context.config.dialogOrigin : customApiUrl
      const call: OpenCallInput = {
        app,
        url: new URL(origin).origin + c.req.path,
        pace: () => pace(paced, address),
        text: (maxBytes) => readBody(c, 'application/json', maxBytes),
        wait: waits(address, c.req.raw.signal),
        c,
      }
      return answer(call, context)
    })
  }
}
