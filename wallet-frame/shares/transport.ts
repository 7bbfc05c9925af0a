/**
 * HTTP to the server that served this page. It carries sealed shares and wallet tokens, and can open neither.
 *
 * Own origin, no cookies, no redirects. Each try has a deadline; a try that failed for a passing reason is made
 * again with the same request id, so that the server answers it again instead of doing it twice. When the caller
 * is gone, the try under way is given up and no other is made.
 *
 * `mode` is left alone: with 'same-origin' under a page without referrers, Firefox and WebKit send `Origin: null`.
 */
import { apiLimits, fromWire, isErrorCode, LatchkeyError, product, toWire } from '@latchkey/protocol'
import { apiPrefix, type Route, type RouteBody, type RouteOutput } from '@latchkey/protocol/api'
import { base64urlnopad } from '@scure/base'
import * as v from 'valibot'
import type { Clock } from '../clock.ts'
import { claimsOf } from './token-subject.ts'

export type TransportPorts = {
  origin: string
  appId: string
  client: string
  clientId?: string | undefined
  analyticsId?: string | undefined
  fetch: (url: string, init: RequestInit) => Promise<Response>
  clock: Clock
  pause: (ms: number, signal: AbortSignal) => Promise<void>
  newRequestId: () => string
  /** Signed in the vault, by the device of the session that the token is of. */
  prove: Prove
}

export type Prove = (
  call: {
    userId: string
    method: string
    url: string
    requestId: string
    tokenHash: string
    bodyHash: string
    atSeconds: number
  },
  signal: AbortSignal,
) => Promise<string>

/** The caller of a request: the token of its step, and a signal that ends when nobody waits any more. */
export type ApiCaller = { token: string; signal: AbortSignal }
export type Api = Calling<ApiCaller>
export type Calling<Caller> = <const R extends Route>(
  route: R,
  caller: Caller,
  ...body: RouteBody<R> extends undefined ? [] : [RouteBody<R>]
) => Promise<RouteOutput<R>>

type Answer = {
  ok: boolean
  status: number
  body: unknown
  retryAfterSeconds: number | undefined
}

const retried: ReadonlySet<number> = new Set(apiLimits.retriedStatuses)
const errorBodySchema = v.object({
  error: v.optional(v.string()),
  code: v.optional(v.string()),
  details: v.optional(v.unknown()),
})

export function createTransport(ports: TransportPorts): Api {
  return calling(ports, ({ token, signal }) => ({
    signal,
    authorize: (sent) => proverOf(ports, token, sent),
  }))
}

/** The caller of a page without a session. With `keepalive` the browser sends a call even if its page goes away. */
export type PublicCaller = { signal: AbortSignal; keepalive?: boolean }
export type PublicApi = Calling<PublicCaller>

export const createPublicTransport = (ports: Omit<TransportPorts, 'prove'>): PublicApi =>
  calling(ports, (caller) => ({ ...caller, authorize: async () => async () => ({}) }))

/** The transport of a page with a session of its own, which brings the proof of each try itself. */
export const createProvenTransport = (ports: Omit<TransportPorts, 'prove'>): Calling<ProvenCaller> =>
  calling(ports, (caller) => caller)
export type ProvenApi = Calling<ProvenCaller>

/** Written down now and sent later at once, as when its page goes away: nothing can be waited for there. */
export async function writeCall<const R extends Route>(
  ports: Omit<TransportPorts, 'prove'>,
  route: R,
  { signal, authorize }: ProvenCaller,
  body: RouteBody<R>,
): Promise<() => void> {
  const sent = sentOf(ports, route, body)
  const init = requestOf(ports, route, sent)
  const headers = { ...init.headers, ...(await (await authorize(sent))(signal)) }
  return () => void ports.fetch(sent.url, { ...init, headers, keepalive: true }).catch(() => {})
}

type Ports = Omit<TransportPorts, 'prove'>
type Headers = Readonly<Record<string, string>>
export type Sent = {
  method: string
  url: string
  text: string
  requestId: string
}
export type ProvenCaller = PublicCaller & {
  /** Makes the headers that authorize each try. */
  authorize: (sent: Sent) => Promise<(signal: AbortSignal) => Promise<Headers>>
}

function calling<Caller>(ports: Ports, calledBy: (caller: Caller) => ProvenCaller): Calling<Caller> {
  async function call(route: Route, { signal, keepalive, authorize }: ProvenCaller, body: unknown) {
    const sent = sentOf(ports, route, body)
    const { url } = sent
    const init = requestOf(ports, route, sent)
    const headersOfTry = await authorize(sent)
    const answer = await withRetries(ports, signal, async () => {
      const headers = { ...init.headers, ...(await headersOfTry(signal)) }
      return attempt(ports, url, { ...init, headers, ...(keepalive && { keepalive }) }, signal)
    })
    if (!answer.ok) throw failureOf(answer)
    const output = v.safeParse(route.output, fromWire(route.output, answer.body))
    if (output.success) return output.output
    throw new LatchkeyError('invalid_answer', `The server's answer to ${route.path} could not be read`)
  }
  return (route, caller, ...[body]) =>
    call(route, calledBy(caller), body) as Promise<RouteOutput<typeof route>>
}

const sentOf = (ports: Ports, route: Route, body: unknown): Sent => ({
  method: route.method,
  url: ports.origin + apiPrefix + route.path,
  text: route.body ? JSON.stringify(toWire(route.body, body)) : '',
  requestId: ports.newRequestId(),
})

type Init = Omit<RequestInit, 'headers'> & { headers: Headers }

function requestOf(ports: Ports, route: Route, { text, requestId }: Sent): Init {
  const { headers } = product
  return {
    method: route.method,
    credentials: 'omit',
    redirect: 'error',
    cache: 'no-store',
    headers: {
      [headers.appId]: ports.appId,
      [headers.client]: ports.client,
      ...(ports.clientId !== undefined && { [headers.clientId]: ports.clientId }),
      ...(ports.analyticsId !== undefined && { [headers.analyticsId]: ports.analyticsId }),
      ...(route.effect !== 'reads' && { [headers.requestId]: requestId }),
      'content-type': 'application/json',
    },
    ...(route.body && { body: text }),
  }
}

/**
 * A proof is of one try. It ages by the server's time, of which a page knows what its token says: it was made just now.
 */
async function proverOf({ prove, clock }: TransportPorts, token: string, { text, ...call }: Sent) {
  const { sub: userId, iat } = claimsOf(token)
  const [tokenHash, bodyHash] = await Promise.all([hashOf(token), hashOf(text)])
  const startedAtMs = clock.nowMs()
  return async (signal: AbortSignal): Promise<Headers> => {
    const passed = Math.floor((clock.nowMs() - startedAtMs) / 1_000)
    const proof = await prove({ ...call, userId, tokenHash, bodyHash, atSeconds: iat + passed }, signal)
    return { authorization: `Bearer ${token}`, dpop: proof }
  }
}

/** The hash by which a proof names a token and a body. */
export async function hashOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return base64urlnopad.encode(new Uint8Array(digest))
}

/**
 * Whether a try was given up, and why, is read from our own signal: engines name that rejection differently.
 */
async function attempt(
  { fetch, clock }: Ports,
  url: string,
  init: RequestInit,
  caller: AbortSignal,
): Promise<Answer> {
  const given = new AbortController()
  const onAbort = () => given.abort(caller.reason)
  const stopDeadline = clock.after(apiLimits.timeoutMs, () => given.abort(tooLate()))
  caller.addEventListener('abort', onAbort)
  try {
    const response = await fetch(url, { ...init, signal: given.signal })
    const text = await response.text()
    const { ok, status } = response
    return { ok, status, body: parseJson(text), retryAfterSeconds: retryAfter(response) }
  } catch (cause) {
    if (given.signal.aborted) throw given.signal.reason
    throw new LatchkeyError('server_unreachable', 'The server could not be reached', { cause })
  } finally {
    stopDeadline()
    caller.removeEventListener('abort', onAbort)
  }
}

/** The delay triples. The last failure is the caller's. */
async function withRetries(
  { pause }: Ports,
  signal: AbortSignal,
  tryOnce: () => Promise<Answer>,
): Promise<Answer> {
  let delayMs: number = apiLimits.firstRetryDelayMs
  for (let retriesLeft: number = apiLimits.retries; ; retriesLeft--) {
    signal.throwIfAborted()
    try {
      const answer = await tryOnce()
      if (retriesLeft === 0 || !retried.has(answer.status)) return answer
    } catch (error) {
      if (retriesLeft === 0 || signal.aborted) throw error
    }
    await pause(delayMs, signal)
    delayMs *= apiLimits.retryDelayFactor
  }
}

const tooLate = () => new LatchkeyError('client_request_timeout', 'The server did not answer in time')

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The header may also carry a date; our server sends seconds. */
function retryAfter({ headers }: Response): number | undefined {
  const text = headers.get('retry-after') ?? ''
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined
}

/** A rate limit is known by its message at boundary 2, unless it has a name of its own. */
function failureOf({ status, body, retryAfterSeconds }: Answer): LatchkeyError {
  const parsed = v.safeParse(errorBodySchema, body)
  const { error, code: said, details } = parsed.success ? parsed.output : {}
  const code = isErrorCode(said) ? said : undefined
  if (status === 429 && (code === undefined || code === 'too_many_requests')) {
    return new LatchkeyError('too_many_requests', 'Too many requests (code 429)', { retryAfterSeconds })
  }
  return new LatchkeyError(code ?? 'error', error ?? `The server answered ${status}`, {
    details,
    retryAfterSeconds,
  })
}
