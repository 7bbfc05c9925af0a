/**
 * A logical API call (boundary 3), validated in both directions, with a deadline and retries.
 *
 * A retry keeps its request id as idempotency key, so that the server returns the stored response. Proof and deadline
 * belong to one attempt. An aborted caller ends the call.
 */
import { apiLimits, type ErrorCode, fromWire, LatchkeyError, product, toWire } from '@latchkey/protocol'
import {
  analyticsRoutes,
  apiPrefix,
  appRoutes,
  type Route,
  type RouteBody,
  type RouteOutput,
} from '@latchkey/protocol/api'
import * as v from 'valibot'
import type { Clock, Network, Random } from '../browser/ports.ts'
import { dialogVersion } from '../browser/version.ts'
import { type Cancellable, orAborted, toAbortError } from '../browser/waiting.ts'
import type { Language } from '../i18n/languages.ts'
import type { BrowserIds } from './browser-ids.ts'
import { readApiProblem } from './problem.ts'
import type { Presented, ProofMaker } from './proof.ts'
import { type Attempt, type RetryOptions, withRetries } from './retries.ts'
import type { ServerTime } from './server-time.ts'

export type CallOptions = Cancellable & {
  /** Receives offline changes. With it, the call waits for the network instead of failing. */
  onNetwork?: RetryOptions['onNetwork']
  /** Extra headers of this call. */
  headers?: Readonly<Record<string, string>> | undefined
  query?: Readonly<Record<string, string>> | undefined
  params?: Readonly<Record<string, string>> | undefined
  /** The number of retries; callers that poll need none. */
  retries?: number | undefined
}

export type SendOptions = CallOptions & {
  token: string | null
  /** Outlives the page; the response is not awaited. */
  keepalive?: boolean
  /** Lets a running attempt finish after the caller aborted, without further attempts. */
  heardOut?: boolean
}

export type Transport = {
  /** Sends a call. Calls are named by their route, so that a page bundles only the routes that it uses. */
  send: <R extends Route>(route: R, body: RouteBody<R>, sending: SendOptions) => Promise<RouteOutput<R>>
}

export type TransportPorts = {
  appId: string
  apiOrigin: string
  credentials: RequestCredentials
  fetch: typeof fetch
  clock: Clock
  network: Network
  serverTime: ServerTime
  random: Random
  ids: BrowserIds
  /** The dialog's language, in which the server sends mails. */
  language: () => Language
  proofs: ProofMaker
  /** The counter of the refresh cookie, in cookie mode. */
  cookieCounter: () => number | undefined
}

/** A call with the data that all attempts share. */
type OutgoingCall = {
  route: Route
  url: string
  requestId: string
  data: unknown
  body: string | undefined
  sending: SendOptions
}

export function createTransport(ports: TransportPorts): Transport {
  const { clock, proofs, serverTime } = ports

  async function send(route: Route, body: unknown, sending: SendOptions): Promise<unknown> {
    const data = readBody(route, body)
    const outgoing: OutgoingCall = {
      route,
      url: ports.apiOrigin + apiPrefix + fillPath(route.path, sending.params) + toQueryString(sending),
      requestId: ports.random.id(),
      data,
      body: writeBody(route, data),
      sending,
    }
    // A logout removes the marker at once, so the counter is read before.
    let cookieCounter = ports.cookieCounter()
    const answer = await withRetries(
      ports,
      {
        retries: sending.retries ?? apiLimits.retries,
        signal: sending.signal,
        onNetwork: sending.onNetwork,
      },
      async () => {
        cookieCounter = ports.cookieCounter() ?? cookieCounter
        const attempt = await attemptOnce(outgoing, cookieCounter)
        const serverCounter = attempt.result === 'refused' && readCounter(attempt.error)
        if (!serverCounter || serverCounter === cookieCounter) return attempt
        cookieCounter = serverCounter
        return { ...attempt, again: 'at once' } as Attempt
      },
    )
    return readOutput(route, answer)
  }

  async function attemptOnce(outgoing: OutgoingCall, cookieCounter: number | undefined): Promise<Attempt> {
    const { route, sending } = outgoing
    const signal = sending.heardOut ? undefined : sending.signal
    const { token, proof } = await orAborted(prove(outgoing, cookieCounter), signal)
    const tooLate = new AbortController()
    const stopTimer = clock.after(apiLimits.timeoutMs, () => tooLate.abort())
    try {
      const response = await ports.fetch(outgoing.url, {
        method: route.method,
        headers: createHeaders(outgoing, token, proof),
        ...(outgoing.body !== undefined && { body: outgoing.body }),
        credentials: ports.credentials,
        keepalive: sending.keepalive ?? false,
        cache: 'no-store',
        redirect: 'error',
        signal: signal ? AbortSignal.any([tooLate.signal, signal]) : tooLate.signal,
      })
      const text = await response.text()
      const clockWasWrong = serverTime.learn(response.headers.get('date'))
      if (response.ok) return { result: 'answered', data: parseJson(text) }
      const staleProof = proof !== undefined && clockWasWrong && response.status === 401
      return {
        result: 'refused',
        error: readApiProblem(response.status, parseJson(text), response.headers.get('retry-after')),
        again: isRetried(response.status) ? 'later' : staleProof ? 'at once' : 'no',
      }
    } catch (cause) {
      if (signal?.aborted) throw toAbortError(signal)
      const code = tooLate.signal.aborted ? 'client_request_timeout' : 'server_unreachable'
      const error = new LatchkeyError(code, unanswered[code], { cause })
      return { result: 'refused', error, again: 'later' }
    } finally {
      stopTimer()
    }
  }

  async function prove(outgoing: OutgoingCall, cookieCounter: number | undefined) {
    const { route, url, requestId, data, body, sending } = outgoing
    const { token } = sending
    const proving = getProofPolicy(route, token)
    if (proving === 'never') return { token, proof: undefined }
    if (proving === 'if prepared' && !proofs.isPrepared()) return { token: null, proof: undefined }
    const presented = getPresentedToken(route, { body: data, token, cookieCounter })
    const proof = await proofs.make({ method: route.method, url, requestId, body, presented })
    return { token, proof }
  }

  const createHeaders = (
    { requestId, sending }: OutgoingCall,
    token: string | null,
    proof: string | undefined,
  ) => ({
    [product.headers.appId]: ports.appId,
    [product.headers.client]: `dialog-app:${dialogVersion}`,
    [product.headers.analyticsId]: ports.ids.analytics,
    [product.headers.requestId]: requestId,
    [product.headers.loginBinding]: ports.ids.loginBinding,
    'content-type': 'application/json',
    'accept-language': ports.language(),
    ...sending.headers,
    ...(token !== null && { authorization: `Bearer ${token}` }),
    ...(proof !== undefined && { DPoP: proof }),
  })

  return { send: (route, body, sending) => send(route, body, sending) as Promise<never> }
}

/** Reads the refresh counter from a refusal, for a marker cookie on another hostname. */
function readCounter({ details }: LatchkeyError): number | undefined {
  const counter: unknown = Object(Object(details).details).refreshCounter
  return typeof counter === 'number' ? counter : undefined
}

const toQueryString = ({ query }: SendOptions) => (query ? `?${new URLSearchParams(query)}` : '')

const unanswered = {
  client_request_timeout: 'The server did not answer in time.',
  server_unreachable: 'The server could not be reached.',
} as const

const isRetried = (status: number) => (apiLimits.retriedStatuses as readonly number[]).includes(status)

/** Validates the body before sending it. The wire names come from the shared mapping. */
function readBody(route: Route, body: unknown): unknown {
  if (!route.body) return undefined
  const parsed = v.safeParse(route.body, body)
  if (!parsed.success) throw mismatch('invalid_data', parsed.issues)
  return parsed.output
}

const writeBody = (route: Route, body: unknown): string | undefined =>
  route.body && JSON.stringify(toWire(route.body, body))

function readOutput(route: Route, data: unknown): unknown {
  const parsed = v.safeParse(route.output, fromWire(route.output, data))
  if (!parsed.success) throw mismatch('invalid_answer', parsed.issues)
  return parsed.output
}

function mismatch(code: ErrorCode, [issue]: readonly v.BaseIssue<unknown>[]) {
  const path = issue ? v.getDotPath(issue) : null
  return new LatchkeyError(code, issue?.message ?? 'Invalid data', { details: { path } })
}

const fillPath = (path: string, params: Readonly<Record<string, string>> = {}) =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * Whether a call carries a proof of this browser's key. `if prepared`: sent anonymously without a loaded key, because
 * it is not worth waiting for one.
 */
type Proving = 'always' | 'if prepared' | 'never'

/** Routes that need no token, so they are never refused for a missing proof. */
const anonymous: ReadonlySet<Route> = new Set<Route>([analyticsRoutes.analyticsEvent, appRoutes.appConfig])

/** A call with a token needs a proof, and so does a call that starts or refreshes a session. */
function getProofPolicy(route: Route, token: string | null): Proving {
  if (token !== null) return anonymous.has(route) ? 'if prepared' : 'always'
  return takesRefreshToken(route) || hasField(route.output, 'refreshToken') ? 'always' : 'never'
}

/** A refresh token is more valuable than the access token, so the proof is bound to it. */
function getPresentedToken(
  route: Route,
  call: { body: unknown; token: string | null; cookieCounter: number | undefined },
): Presented {
  const refreshToken: unknown = Reflect.get(Object(call.body), 'refreshToken')
  if (typeof refreshToken === 'string') return { token: refreshToken, cookieCounter: undefined }
  return { token: call.token, cookieCounter: takesRefreshToken(route) ? call.cookieCounter : undefined }
}

const takesRefreshToken = ({ body }: Route) => body !== undefined && hasField(body, 'refreshToken')

const hasField = (schema: object, field: string) =>
  'entries' in schema && Object.hasOwn(Object(schema.entries), field)
