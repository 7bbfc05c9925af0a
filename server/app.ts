/** Everything that the server answers, from a context: what `main.ts` listens with, and what tests call. */
import { isErrorCode, LatchkeyError, product } from '@latchkey/protocol'
import { apiPrefix } from '@latchkey/protocol/api'
import { Hono } from 'hono'
import { analyticsEndpoints } from './analytics/routes.ts'
import { appEndpoints } from './apps/routes.ts'
import type { ServerContext } from './context.ts'
import { readiness } from './health/health.ts'
import { allowFirstPartyPages } from './http/cross-origin.ts'
import type { Endpoint } from './http/endpoint.ts'
import { asLatchkeyError, failureAnswer } from './http/failures.ts'
import { commonHeaders } from './http/headers.ts'
import { type HttpEnv, mountEndpoints } from './http/mount.ts'
import { siteOf } from './http/sites.ts'
import { statusOf } from './http/statuses.ts'
import { randomId } from './ids.ts'
import { keyLimits } from './limits.ts'
import { emailEndpoints } from './login/email/routes.ts'
import { openApi } from './openapi/openapi.ts'
import { mountPages } from './pages/routes.ts'
import { sessionEndpoints } from './sessions/routes.ts'
import { userEndpoints } from './users/routes.ts'
import { walletEndpoints } from './wallets/routes.ts'

export const endpoints: readonly Endpoint[] = [
  ...appEndpoints,
  ...sessionEndpoints,
  ...emailEndpoints,
  ...userEndpoints,
  ...walletEndpoints,
  ...analyticsEndpoints,
]

export type Server = Hono<HttpEnv>

export function createApp(context: ServerContext, isMigrated: () => Promise<boolean>): Server {
  const { config, log, clock } = context
  const hono = new Hono<HttpEnv>()

  hono.use(commonHeaders)
  hono.use(async (http, next) => {
    const startedAt = clock.nowMs()
    http.set('site', siteOf(http.req.header('host'), config))
    await next()
    const ms = clock.nowMs() - startedAt
    const level = http.res.status >= 500 ? 'warn' : 'info'
    log[level](
      { method: http.req.method, pattern: http.get('pattern'), status: http.res.status, ms },
      'answered',
    )
  })

  hono.onError((error, http) => {
    const failure = asLatchkeyError(error)
    if (statusOf(failure.code) < 500) return failureAnswer(http, failure)
    const requestId = randomId()
    log.error({ error, pattern: http.get('pattern'), code: failure.code, requestId }, 'failed')
    return failureAnswer(
      http,
      isErrorCode(failure.code) && failure.details === undefined
        ? new LatchkeyError(failure.code, failure.message, { details: { requestId } })
        : failure,
    )
  })
  hono.notFound((http) => failureAnswer(http, new LatchkeyError('not_found', 'There is nothing here')))

  hono.use(`${apiPrefix}/*`, allowFirstPartyPages(config))
  mountEndpoints(hono, context, endpoints)

  const description = openApi()
  hono.get(`${apiPrefix}/openapi.json`, (http) => {
    http.header('cache-control', 'no-cache')
    return http.json(description)
  })

  hono.get('/.well-known/jwks.json', async (http, next) => {
    if (http.get('site') !== 'dialog') return next()
    http.header('access-control-allow-origin', '*')
    http.header('cross-origin-resource-policy', 'cross-origin')
    http.header('cache-control', `public, max-age=${keyLimits.jwksMaxAgeSeconds}`)
    return http.json(await context.keyring.publicJwks())
  })

  hono.get('/healthz', (http) => http.json({ alive: true, product: product.key }))
  // Pages answer whatever is left, so this stands before them.
  hono.get('/readyz', async (http) => {
    const state = await readiness(context, isMigrated, missingPages)
    return http.json(state, state.ready ? 200 : 503)
  })
  const missingPages = mountPages(hono, context)

  return hono
}
