/**
 * HTTP to the server that served this page. It carries sealed shares and wallet tokens, and can open neither.
 *
 * Same origin, no cookies, no redirects. Each try has a deadline; a try that failed for a passing reason is
 * made again with the same request id, so that the server answers it again instead of doing it twice.
 */
import { apiLimits, fromWire, isErrorCode, LatchkeyError, product, toWire } from '@latchkey/protocol'
import { apiPrefix, type Route, type RouteBody, type RouteOutput } from '@latchkey/protocol/api'
import * as v from 'valibot'

export type TransportPorts = {
  readonly origin: string
  readonly appId: string
  readonly client: string
  readonly clientId?: string | undefined
  readonly analyticsId?: string | undefined
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>
  readonly sleep: (ms: number) => Promise<void>
  readonly deadline: (ms: number) => AbortSignal
  readonly newRequestId: () => string
}

export type Api = <const R extends Route>(
  route: R,
  token: string,
  ...body: RouteBody<R> extends undefined ? [] : [RouteBody<R>]
) => Promise<RouteOutput<R>>

const retried: ReadonlySet<number> = new Set(apiLimits.retriedStatuses)
const errorBodySchema = v.object({ error: v.optional(v.string()), code: v.optional(v.string()) })

export function createTransport(ports: TransportPorts): Api {
  async function call(route: Route, token: string, body?: unknown): Promise<unknown> {
    const url = ports.origin + apiPrefix + route.path
    const init = requestOf(ports, route, token, body)
    const response = await withRetries(ports, () =>
      ports.fetch(url, { ...init, signal: ports.deadline(apiLimits.timeoutMs) }),
    )
    const answer: unknown = await response.json().catch(() => undefined)
    if (!response.ok) throw failureOf(response, answer)
    const output = v.safeParse(route.output, fromWire(route.output, answer))
    if (!output.success)
      throw new LatchkeyError('invalid_answer', `The server's answer to ${route.path} could not be read`)
    return output.output
  }
  return (route, token, ...[body]) => call(route, token, body) as Promise<RouteOutput<typeof route>>
}

function requestOf(ports: TransportPorts, route: Route, token: string, body: unknown): RequestInit {
  const { headers } = product
  return {
    method: route.method,
    mode: 'same-origin',
    credentials: 'omit',
    redirect: 'error',
    cache: 'no-store',
    referrerPolicy: 'no-referrer',
    headers: {
      [headers.appId]: ports.appId,
      [headers.client]: ports.client,
      ...(ports.clientId !== undefined && { [headers.clientId]: ports.clientId }),
      ...(ports.analyticsId !== undefined && { [headers.analyticsId]: ports.analyticsId }),
      ...(route.effect !== 'reads' && { [headers.requestId]: ports.newRequestId() }),
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
    },
    ...(route.body && { body: JSON.stringify(toWire(route.body, body)) }),
  }
}

/** The delay triples. The last failure is the caller's. */
async function withRetries(ports: TransportPorts, attempt: () => Promise<Response>): Promise<Response> {
  let delayMs: number = apiLimits.firstRetryDelayMs
  for (let retriesLeft: number = apiLimits.retries; ; retriesLeft--) {
    try {
      const response = await attempt()
      if (retriesLeft === 0 || !retried.has(response.status)) return response
    } catch (error) {
      if (retriesLeft === 0) throw unreachable(error)
    }
    await ports.sleep(delayMs)
    delayMs *= apiLimits.retryDelayFactor
  }
}

const unreachable = (cause: unknown) =>
  cause instanceof Error && cause.name === 'TimeoutError'
    ? new LatchkeyError('client_request_timeout', 'The server did not answer in time', { cause })
    : new LatchkeyError('server_unreachable', 'The server could not be reached', { cause })

/** A rate limit is known by its message at boundary 2. */
function failureOf(response: Response, answer: unknown): LatchkeyError {
  const body = v.safeParse(errorBodySchema, answer)
  const { error, code } = body.success ? body.output : {}
  if (response.status === 429) {
    return new LatchkeyError('too_many_requests', 'Too many requests (code 429)', {
      details: { retryAfter: response.headers.get('retry-after') },
    })
  }
  return new LatchkeyError(
    isErrorCode(code) ? code : 'error',
    error ?? `The server answered ${response.status}`,
  )
}
