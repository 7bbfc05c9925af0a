/** Observability of each call: request id, log line, metrics and span. */
import { product } from '@latchkey/protocol'
import type { Context, MiddlewareHandler } from 'hono'
import type { ServerContext } from '../context.ts'
import { randomId } from '../ids.ts'
import { type CurrentCall, runInCall } from '../telemetry/current-call.ts'
import { callBuckets, histogram, isCounting, upDownCounter } from '../telemetry/instruments.ts'
import { endSpan, startTrace } from '../telemetry/spans.ts'
import { siteForHost } from './addresses/sites.ts'
import { toLatchkeyError } from './failures.ts'
import type { HttpEnv } from './mount.ts'
import { isRequestId } from './replay/request-id.ts'

const duration = histogram({
  name: 'http.server.request.duration',
  unit: 's',
  description: 'Duration of calls, by route template and response status',
  attributes: ['http.request.method', 'http.route', 'http.response.status_code', 'url.scheme', 'error.type'],
  buckets: callBuckets,
})
const active = upDownCounter({
  name: 'http.server.active_requests',
  unit: '{request}',
  description: 'Active calls, including open long polls',
  attributes: ['http.request.method', 'url.scheme'],
})

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'CONNECT', 'OPTIONS', 'TRACE', 'PATCH'])
/** Maps unknown methods to `_OTHER`, by the OpenTelemetry conventions. */
const normalizeMethod = (method: string) => (methods.has(method) ? method : '_OTHER')

export function observeCalls({ config, clock, log }: ServerContext): MiddlewareHandler<HttpEnv> {
  /** The public scheme: TLS ends at a proxy in front of this process. */
  const scheme = new URL(config.dialogOrigin).protocol.slice(0, -1)

  return (c, next) => {
    const startedAtMs = clock.nowMs()
    c.set('site', siteForHost(c.req.header('host'), config))
    const requestAttributes = { 'http.request.method': normalizeMethod(c.req.method), 'url.scheme': scheme }
    const span = startTrace(requestAttributes['http.request.method'], {
      kind: 'server',
      attributes: requestAttributes,
    })
    const call: CurrentCall = { requestId: getRequestId(c), app: undefined, span }
    return runInCall(call, async () => {
      // Metrics and traces are usually off; then a call has no overhead.
      const end = isCounting() || span ? measure(c, call, requestAttributes) : undefined
      try {
        await next()
      } finally {
        end?.()
      }
      const status = getStatus(c)
      const ms = clock.nowMs() - startedAtMs
      const answered = { method: c.req.method, pattern: c.get('pattern'), status, ms }
      log[levelFor(answered)]({ ...answered, ...c.get('client') }, 'answered')
    })
  }
}

/** Load balancers poll these several times a second. A process that is not ready logs the reason itself. */
const healthPaths: ReadonlySet<string | undefined> = new Set(['/healthz', '/readyz'])

const levelFor = ({ pattern, status }: { pattern: string | undefined; status: number }) => {
  if (healthPaths.has(pattern)) return 'debug'
  return status >= 500 ? 'warn' : 'info'
}

type RequestAttributes = { 'http.request.method': string; 'url.scheme': string }

/** Starts to measure a call. Returns a function that ends it. */
function measure(c: Context<HttpEnv>, call: CurrentCall, requestAttributes: RequestAttributes): () => void {
  const started = performance.now()
  active.add(requestAttributes, 1)
  return () => {
    active.add(requestAttributes, -1)
    const status = getStatus(c)
    const route = c.get('pattern')
    const getErrorCode = () => (c.error ? toLatchkeyError(c.error).code : String(status))
    const errorType = status < 500 ? undefined : getErrorCode()
    const answered = {
      ...(route !== undefined && { 'http.route': route }),
      'http.response.status_code': status,
    }
    const seconds = (performance.now() - started) / 1_000
    duration.record(seconds, { ...requestAttributes, ...answered, 'error.type': errorType })
    if (!call.span) return
    if (route !== undefined) call.span.updateName(`${requestAttributes['http.request.method']} ${route}`)
    const idAttributes = {
      [`${product.key}.request_id`]: call.requestId,
      ...(call.app !== undefined && { [`${product.key}.app_id`]: call.app }),
    }
    endSpan(call.span, { ...answered, ...idAttributes }, errorType)
  }
}

/** Returns the request id, or a random one. Calls that use the header reject malformed ids themselves. */
function getRequestId(c: Context): string {
  const sent = c.req.header(product.headers.requestId)
  return sent !== undefined && isRequestId(sent) ? sent : randomId()
}

/** Returns the status. If other code responded on the socket directly, Hono's own response is meaningless. */
function getStatus(c: Context<HttpEnv>): number {
  const outgoing = c.env?.outgoing
  return outgoing?.headersSent === true ? outgoing.statusCode : c.res.status
}
