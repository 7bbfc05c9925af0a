/**
 * Calls of programs that are not ours, by a standard that says how they are asked and refused: other methods than pages
 * have, bodies and failures in a form of their own, answers that pages of other origins may read. A row says where it
 * is; what it answers is whole.
 */
import { appId } from '@latchkey/protocol'
import type { Context, Hono } from 'hono'
import * as v from 'valibot'
import type { ServerContext } from '../context.ts'
import type { App } from '../ports.ts'
import { createClientAddress } from './addresses/client-address.ts'
import { isApiOf } from './addresses/sites.ts'
import { readBody } from './body.ts'
import type { HttpEnv } from './mount.ts'
import type { Pace, Paced } from './pace.ts'
import type { Wait, Waits } from './waits.ts'

/** Below an app, on the hostname of the dialog and on the one that is the app's own. */
export type OpenCall = {
  method: 'GET' | 'POST' | 'OPTIONS'
  /** The path contains `{appId}`. */
  path: `/${string}`
  paced: Paced
  answer: (call: CalledOpenly, context: ServerContext) => Promise<Response>
}

export type CalledOpenly = {
  app: App
  /** The whole address that was called, without a query. */
  url: string
  /** Throws where its network has no room left; the row says when, so that a refusal has its form. */
  pace: () => Promise<void>
  /** The JSON that came, as long as it is no longer than that. */
  text: (maxBytes: number) => Promise<string>
  wait: Wait
  c: Context<HttpEnv>
}

export function mountOpenCalls(
  hono: Hono<HttpEnv>,
  context: ServerContext,
  pace: Pace,
  waits: Waits,
  calls: readonly OpenCall[],
): void {
  const addressOf = createClientAddress(context.config.trustedProxies)

  for (const { method, path, paced, answer } of calls) {
    const pattern = path.replaceAll(/\{(\w+)\}/g, ':$1')
    hono.on(method, pattern, async (c, next) => {
      const id = c.req.param('appId')
      const app = v.is(appId, id) ? await context.apps.find(id) : undefined
      const site = c.get('site')
      if (app === undefined || site === 'wallet' || !isApiOf(site, app, c.req.header('host'))) return next()
      c.set('pattern', pattern)
      c.header('cache-control', 'no-store')
      const address = addressOf(c.env?.incoming?.socket?.remoteAddress, c.req.header('x-forwarded-for'))
      const { customApiUrl } = app.config
      const origin = site === 'dialog' || customApiUrl === null ? context.config.dialogOrigin : customApiUrl
      const call: CalledOpenly = {
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
