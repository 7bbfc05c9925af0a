/**
 * HTTP requests to the server of this page. They carry sealed shares, which this page cannot open, and wallet
 * tokens.
 *
 * Same origin, no cookies, no redirects. Each attempt has a deadline. A transient failure is retried with the
 * same request ID, so that the server repeats its response instead of the effect. When the caller aborts, the
 * current attempt is aborted and no other follows.
 *
 * `mode` is not set: with 'same-origin' on a page without referrers, Firefox and WebKit send `Origin: null`.
 */
import { apiLimits, fromWire, isErrorCode, LatchkeyError, product, toWire } from '@latchkey/protocol'
import { apiPrefix, type Route, type RouteBody, type RouteOutput } from '@latchkey/protocol/api'
import { base64urlnopad } from '@scure/base'
import * as v from 'valibot'
import type { Clock } from '../clock.ts'
import { parseClaims } from './token-subject.ts'

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
  /** Signs a proof in the vault, with the device key of the token's session. */
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

/** The caller of a request: the token of its step, and a signal that aborts the wait. */
export type ApiCaller = { token: string; signal: AbortSignal }
export type Api = CallApi<ApiCaller>
export type CallApi<Caller> = <const R extends Route>(
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

const retriedStatuses: ReadonlySet<number> = new Set(apiLimits.retriedStatuses)
const errorBodySchema = v.object({
  error: v.optional(v.string()),
  code: v.optional(v.string()),
  details: v.optional(v.unknown()),
})

export function createTransport(ports: TransportPorts): Api {
  return createCall(ports, ({ token, signal }) => ({
    signal,
    authorize: (sent) => createProver(ports, token, sent),
  }))
}

/**
 * The caller of a page without a session. With `keepalive` the browser sends a call even if its page goes
 * away.
 */
export type PublicCaller = { signal: AbortSignal; keepalive?: boolean }
export type PublicApi = CallApi<PublicCaller>

export const createPublicTransport = (ports: Omit<TransportPorts, 'prove'>): PublicApi =>
  createCall(ports, (caller) => ({ ...caller, authorize: async () => async () => ({}) }))

/** Creates the transport of a page with its own session, which adds the proof of each attempt itself. */
export const createProvenTransport = (ports: Omit<TransportPorts, 'prove'>): CallApi<ProvenCaller> =>
  createCall(ports, (caller) => caller)
export type ProvenApi = CallApi<ProvenCaller>

/**
 * Prepares a call that can be sent synchronously later, for example in `pagehide`, where nothing can be
 * awaited.
 */
export async function prepareCall<const R extends Route>(
  ports: Omit<TransportPorts, 'prove'>,
  route: R,
  { signal, authorize }: ProvenCaller,
  body: RouteBody<R>,
): Promise<() => void> {
  const sent = createMessage(ports, route, body)
  const init = createRequest(ports, route, sent)
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
  /** Creates the headers that authorize each attempt. */
  authorize: (sent: Sent) => Promise<(signal: AbortSignal) => Promise<Headers>>
}

function createCall<Caller>(ports: Ports, toProvenCaller: (caller: Caller) => ProvenCaller): CallApi<Caller> {
  async function call(route: Route, { signal, keepalive, authorize }: ProvenCaller, body: unknown) {
    const sent = createMessage(ports, route, body)
    const { url } = sent
    const init = createRequest(ports, route, sent)
    const createHeaders = await authorize(sent)
    const answer = await withRetries(ports, signal, async () => {
      const headers = { ...init.headers, ...(await createHeaders(signal)) }
      return attempt(ports, url, { ...init, headers, ...(keepalive && { keepalive }) }, signal)
    })
    if (!answer.ok) throw toError(answer)
    const output = v.safeParse(route.output, fromWire(route.output, answer.body))
    if (output.success) return output.output
    throw new LatchkeyError('invalid_answer', `The server's response to ${route.path} could not be parsed`)
  }
  return (route, caller, ...[body]) =>
    call(route, toProvenCaller(caller), body) as Promise<RouteOutput<typeof route>>
}

const createMessage = (ports: Ports, route: Route, body: unknown): Sent => ({
  method: route.method,
  url: ports.origin + apiPrefix + route.path,
  text: route.body ? JSON.stringify(toWire(route.body, body)) : '',
  requestId: ports.newRequestId(),
})

type Init = Omit<RequestInit, 'headers'> & { headers: Headers }

function createRequest(ports: Ports, route: Route, { text, requestId }: Sent): Init {
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
 * Creates the function that proves each attempt. A proof expires by the server's time, which is estimated
 * from the token's `iat`, because the token was issued just now.
 */
async function createProver({ prove, clock }: TransportPorts, token: string, { text, ...call }: Sent) {
  const { sub: userId, iat } = parseClaims(token)
  const [tokenHash, bodyHash] = await Promise.all([hashText(token), hashText(text)])
  const startedAtMs = clock.nowMs()
  return async (signal: AbortSignal): Promise<Headers> => {
    const elapsedSeconds = Math.floor((clock.nowMs() - startedAtMs) / 1_000)
    const proof = await prove(
      { ...call, userId, tokenHash, bodyHash, atSeconds: iat + elapsedSeconds },
      signal,
    )
    return { authorization: `Bearer ${token}`, dpop: proof }
  }
}

/** Returns the hash by which a proof binds a token or a body. */
export async function hashText(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return base64urlnopad.encode(new Uint8Array(digest))
}

/**
 * Makes one attempt. Reads the abort reason from its own signal, because engines name that rejection
 * differently.
 */
async function attempt(
  { fetch, clock }: Ports,
  url: string,
  init: RequestInit,
  caller: AbortSignal,
): Promise<Answer> {
  const attemptController = new AbortController()
  const onAbort = () => attemptController.abort(caller.reason)
  const stopDeadline = clock.after(apiLimits.timeoutMs, () => attemptController.abort(timeoutError()))
  caller.addEventListener('abort', onAbort)
  try {
    const response = await fetch(url, { ...init, signal: attemptController.signal })
    const text = await response.text()
    const { ok, status } = response
    return { ok, status, body: parseJson(text), retryAfterSeconds: parseRetryAfter(response) }
  } catch (cause) {
    if (attemptController.signal.aborted) throw attemptController.signal.reason
    throw new LatchkeyError('server_unreachable', 'The server could not be reached', { cause })
  } finally {
    stopDeadline()
    caller.removeEventListener('abort', onAbort)
  }
}

/** Retries with a growing delay. Throws the last failure. */
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
      if (retriesLeft === 0 || !retriedStatuses.has(answer.status)) return answer
    } catch (error) {
      if (retriesLeft === 0 || signal.aborted) throw error
    }
    await pause(delayMs, signal)
    delayMs *= apiLimits.retryDelayFactor
  }
}

const timeoutError = () => new LatchkeyError('client_request_timeout', 'The server did not answer in time')

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Parses the header. It may also carry a date, but the Latchkey server sends seconds. */
function parseRetryAfter({ headers }: Response): number | undefined {
  const text = headers.get('retry-after') ?? ''
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined
}

/**
 * Converts the response to an error. SDKs recognize a rate limit by this message, unless it has its own code.
 */
function toError({ status, body, retryAfterSeconds }: Answer): LatchkeyError {
  const parsed = v.safeParse(errorBodySchema, body)
  const { error, code: errorCode, details } = parsed.success ? parsed.output : {}
  const code = isErrorCode(errorCode) ? errorCode : undefined
  if (status === 429 && (code === undefined || code === 'too_many_requests')) {
    return new LatchkeyError('too_many_requests', 'Too many requests (code 429)', { retryAfterSeconds })
  }
  return new LatchkeyError(code ?? 'error', error ?? `The server answered ${status}`, {
    details,
    retryAfterSeconds,
  })
}
