/** The `{issuer}/requests` endpoints for dialogs of other apps, and the redirect to the wallet page. */
import { LatchkeyError } from '@latchkey/protocol'
import {
  type CreatedCrossAppRequest,
  type CrossAppResult,
  crossAppHandle,
  crossAppLimits,
} from '@latchkey/protocol/api'
import * as v from 'valibot'
import type { ServerContext } from '../../../kernel/context.ts'
import type { OpenCall, OpenCallInput } from '../../../kernel/http/open-calls.ts'
import { pageLimits } from '../../../kernel/limits.ts'
import type { Access } from '../access.ts'
import { connectedAppsPort } from './connected-apps.ts'
import { getRetryAfter, refusal, toRefusal } from './refusals.ts'
import { createRequest, waitForResult } from './requests.ts'

const requests = '/apps/{appId}/openid/requests'
const MAX_RESULT_BYTES = 1_024

const resultBody = v.object({ handle: crossAppHandle })

/**
 * Creates an endpoint for the origins of the token's app. Before the token is verified, CORS allows every registered
 * app.
 */
function call(
  path: `/${string}`,
  maxBytes: number,
  answer: (
    called: OpenCallInput,
    context: ServerContext,
    access: Access,
    text: string,
  ) => Promise<CreatedCrossAppRequest | CrossAppResult>,
): readonly OpenCall[] {
  return [
    {
      method: 'OPTIONS',
      path,
      paced: 'reads',
      async answer({ app, pace, c }, context) {
        await pace()
        const origin = c.req.header('origin')
        const isKnown = origin !== undefined && (await isRegistered(context, app.id, origin))
        if (!isKnown) return c.body(null, 403)
        c.header('access-control-allow-origin', origin)
        c.header('vary', 'origin')
        c.header('access-control-allow-methods', 'POST')
        c.header('access-control-allow-headers', 'authorization, content-type, dpop')
        c.header('access-control-max-age', String(pageLimits.preflightMaxAgeSeconds))
        return c.body(null, 204)
      },
    },
    {
      method: 'POST',
      path,
      paced: 'changes',
      async answer(called, context) {
        const { app, url, pace, c } = called
        const origin = c.req.header('origin')
        let mayRead = false
        try {
          await pace()
          mayRead = origin !== undefined && (await isRegistered(context, app.id, origin))
          const access = await connectedAppsPort.get(context.ports).verifyAccess(context, app, {
            method: 'POST',
            url,
            authorization: c.req.header('authorization'),
            dpop: c.req.header('dpop'),
          })
          if (origin !== undefined && !access.requester.windowOrigins.includes(origin)) {
            mayRead = false
            throw refusal('invalid_token', 'This token belongs to another origin')
          }
          const response = await answer(called, context, access, await called.text(maxBytes))
          if (mayRead) allow(called, origin)
          return c.json(response)
        } catch (error) {
          const refused = toRefusal(error)
          if (refused === undefined) throw error
          if (mayRead) allow(called, origin)
          const retryAfter = getRetryAfter(error)
          if (retryAfter !== undefined) c.header('retry-after', String(Math.ceil(retryAfter)))
          if (refused.status === 401) c.header('www-authenticate', `DPoP error="${refused.error}"`)
          return c.json({ error: refused.error, error_description: refused.message }, refused.status)
        }
      },
    },
  ]
}

function allow({ c }: OpenCallInput, origin: string | undefined): void {
  if (origin === undefined) return
  c.header('access-control-allow-origin', origin)
  c.header('access-control-expose-headers', 'www-authenticate, retry-after, date')
  c.header('vary', 'origin')
}

const isRegistered = async ({ ports, db }: ServerContext, appId: string, origin: string) =>
  (await connectedAppsPort.get(ports).listWindowOrigins(db, appId)).includes(origin)

const handleIn = (text: string): string => {
  const read = v.safeParse(v.pipe(v.string(), v.parseJson(), resultBody), text)
  if (!read.success) throw refusal('invalid_request', 'The handle is missing')
  return read.output.handle
}

export const requestCalls: readonly OpenCall[] = [
  ...call(requests, crossAppLimits.maxRequestBytes, ({ app, c }, context, access, text) =>
    createRequest(context, app, access, text, c.req.raw.signal),
  ),
  ...call(`${requests}/result`, MAX_RESULT_BYTES, ({ app, wait }, context, access, text) =>
    waitForResult(context, app, access, handleIn(text), wait),
  ),
  {
    method: 'GET',
    path: '/oauth/transact/{appId}',
    paced: 'pages',
    async answer({ app, pace, c }, { config }) {
      await pace()
      if (!app.config.crossAppProvider) throw new LatchkeyError('not_found', 'There is nothing here')
      // The page communicates through `window.opener`. Browsers keep the fragment across the redirect.
      c.header('cross-origin-opener-policy', 'unsafe-none')
      return c.redirect(`${config.walletOrigin}/apps/${app.id}/cross-app`, 302)
    },
  },
]
