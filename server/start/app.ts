/** The Hono application of a server, for `main.ts` and for tests. */
import { isErrorCode, LatchkeyError, product } from '@latchkey/protocol'
import { apiPrefix } from '@latchkey/protocol/api'
import { Hono } from 'hono'
import type { Capability } from '../kernel/capability.ts'
import type { ServerContext } from '../kernel/context.ts'
import { isTextRefused } from '../kernel/db/failures.ts'
import { allowFirstPartyPages } from '../kernel/http/addresses/cross-origin.ts'
import { checkForwarding } from '../kernel/http/addresses/forwarding.ts'
import { errorResponse, toLatchkeyError } from '../kernel/http/failures.ts'
import { type HttpEnv, mountEndpoints } from '../kernel/http/mount.ts'
import { observeCalls } from '../kernel/http/observe-calls.ts'
import { mountOpenCalls } from '../kernel/http/open-calls.ts'
import { commonHeaders } from '../kernel/http/pages/headers.ts'
import { mountCapabilityPages } from '../kernel/http/pages/mount-pages.ts'
import { createRateLimit } from '../kernel/http/rate-limit.ts'
import { statusForCode } from '../kernel/http/statuses.ts'
import { createWaits } from '../kernel/http/waits.ts'
import { randomId } from '../kernel/ids.ts'
import { currentCall } from '../kernel/telemetry/current-call.ts'
import { mountPages } from '../pages/pages/routes.ts'
import { capabilities } from './capabilities.ts'
import { cacheReadiness, type ProcessState } from './health/health.ts'

export type Server = Hono<HttpEnv>

export function createApp(
  context: ServerContext,
  process: ProcessState,
  list: Capability[] = capabilities,
): Server {
  const { config, log } = context
  const hono = new Hono<HttpEnv>()

  hono.use(commonHeaders)
  hono.use(observeCalls(context))
  hono.use(checkForwarding(context))

  hono.onError((error, c) => {
    const failure = toLatchkeyError(error)
    // Returned as invalid data, but a missing schema check is also our bug. The value itself is not logged.
    if (isTextRefused(error)) log.warn({ pattern: c.get('pattern') }, 'No schema refused a text with a NUL')
    if (statusForCode(failure.code) < 500) return errorResponse(c, failure)
    const requestId = currentCall()?.requestId ?? randomId()
    log.error({ error, pattern: c.get('pattern'), code: failure.code, ...c.get('client') }, 'failed')
    return errorResponse(
      c,
      isErrorCode(failure.code) && failure.details === undefined
        ? new LatchkeyError(failure.code, failure.message, { details: { requestId } })
        : failure,
    )
  })
  hono.notFound((c) => errorResponse(c, new LatchkeyError('not_found', 'There is nothing here')))

  hono.use(`${apiPrefix}/*`, allowFirstPartyPages(config))
  const pace = createRateLimit(context)
  const waits = createWaits(pace)
  mountEndpoints(
    hono,
    context,
    pace,
    waits,
    list.flatMap(({ endpoints = [] }) => endpoints),
  )
  mountCapabilityPages(
    hono,
    context,
    pace,
    waits,
    list.flatMap(({ pages = [] }) => pages),
  )
  mountOpenCalls(
    hono,
    context,
    pace,
    waits,
    list.flatMap(({ openCalls = [] }) => openCalls),
  )

  hono.get('/healthz', (c) => {
    c.set('pattern', '/healthz')
    return c.json({ alive: true, product: product.key })
  })
  // Must be registered before the pages, which handle all remaining paths.
  hono.get('/readyz', async (c) => {
    c.set('pattern', '/readyz')
    const state = await ready()
    return c.json(state, state.ready ? 200 : 503)
  })
  const missingPages = mountPages(hono, context, pace)
  const ready = cacheReadiness(context, process, missingPages)
  process.watch?.(ready)

  return hono
}
