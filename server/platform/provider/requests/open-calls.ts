/** `{issuer}/requests`, for the dialogs of other apps, and the way from there to the page of the wallet. */
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
import { refusal, refusalOf, retryAfterOf } from './refusals.ts'
import { createRequest, resultOf } from './requests.ts'
import { whoAsks } from './who-asks.ts'

const requests = '/apps/{appId}/openid/requests'
const MAX_RESULT_BYTES = 1_024

const resultBody = v.object({ handle: crossAppHandle })

/**
 * A call is for the pages of the one app that the token is of; before that is known, for those of any that is
 * registered.
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
          const access = await whoAsks.get(context.ports).accessOf(context, app, {
            method: 'POST',
            url,
            authorization: c.req.header('authorization'),
            dpop: c.req.header('dpop'),
          })
          if (origin !== undefined && !access.requester.windowOrigins.includes(origin)) {
            mayRead = false
            throw refusal('invalid_token', 'This token is for the pages of another app')
          }
          const made = await answer(called, context, access, await called.text(maxBytes))
          if (mayRead) allow(called, origin)
          return c.json(made)
        } catch (error) {
          const refused = refusalOf(error)
          if (refused === undefined) throw error
          if (mayRead) allow(called, origin)
          const retryAfter = retryAfterOf(error)
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
  (await whoAsks.get(ports).windowOriginsOf(db, appId)).includes(origin)

const handleIn = (text: string): string => {
  const read = v.safeParse(v.pipe(v.string(), v.parseJson(), resultBody), text)
  if (!read.success) throw refusal('invalid_request', 'A handle is needed')
  return read.output.handle
}

export const requestCalls: readonly OpenCall[] = [
  ...call(requests, crossAppLimits.maxRequestBytes, ({ app, c }, context, access, text) =>
    createRequest(context, app, access, text, c.req.raw.signal),
  ),
  ...call(`${requests}/result`, MAX_RESULT_BYTES, ({ app, wait }, context, access, text) =>
    resultOf(context, app, access, handleIn(text), wait),
  ),
  {
    method: 'GET',
    path: '/oauth/transact/{appId}',
    paced: 'pages',
    async answer({ app, pace, c }, { config }) {
      await pace()
      if (!app.config.crossAppProvider) throw new LatchkeyError('not_found', 'There is nothing here')
      // What it says goes by `window.opener`; what follows the `#` goes with it.
      c.header('cross-origin-opener-policy', 'unsafe-none')
      return c.redirect(`${config.walletOrigin}/apps/${app.id}/cross-app`, 302)
    },
  },
]
