/**
 * One logical call of boundary 3: parsed both ways, with a deadline and retries.
 *
 * A retried call keeps its request id, so that the server gives the stored answer instead of doing it twice.
 * A proof and a deadline belong to one attempt.
 */
import { apiLimits, type ErrorCode, fromWire, LatchkeyError, product, toWire } from '@latchkey/protocol'
import { apiPrefix, apiRoutes, type Route, type RouteBody, type RouteOutput } from '@latchkey/protocol/api'
import * as v from 'valibot'
import type { Clock, Random } from '../ports.ts'
import { wait } from '../ports.ts'
import { dialogVersion } from '../version.ts'
import type { BrowserIds } from './browser-ids.ts'
import { readApiProblem } from './problem.ts'
import type { MakeProof } from './proof.ts'
import type { ServerTime } from './server-time.ts'

export type ApiRoutes = typeof apiRoutes
export type RouteName = keyof ApiRoutes
export type Body<Name extends RouteName> = RouteBody<ApiRoutes[Name]>
export type Output<Name extends RouteName> = RouteOutput<ApiRoutes[Name]>

export type Sending = {
  readonly token: string | null
  /** Path parameters. */
  readonly params?: Readonly<Record<string, string>>
  /** Survives the page; the answer is not awaited by anybody. */
  readonly keepalive?: boolean
  readonly retries?: number
}

export type Transport = {
  readonly send: <Name extends RouteName>(
    name: Name,
    body: Body<Name>,
    sending: Sending,
  ) => Promise<Output<Name>>
}

export type TransportPorts = {
  readonly appId: string
  readonly apiOrigin: string
  readonly credentials: RequestCredentials
  readonly fetch: typeof fetch
  readonly clock: Clock
  readonly serverTime: ServerTime
  readonly random: Random
  readonly ids: BrowserIds
  readonly makeProof: MakeProof
}

/** What starts or renews a session proves the key that the session is bound to. */
const needsProof = (path: string) => path.startsWith('/sessions') || path.endsWith('/authenticate')

type Attempt =
  | { readonly result: 'answered'; readonly data: unknown }
  | { readonly result: 'refused'; readonly error: LatchkeyError; readonly again: 'later' | 'at once' | 'no' }

export function createTransport(ports: TransportPorts): Transport {
  const { clock, random, serverTime } = ports

  async function send(name: RouteName, body: unknown, sending: Sending): Promise<unknown> {
    const route: Route = apiRoutes[name]
    const request = { route, sending, requestId: random.id(), body: readBody(route, body) }
    const retries = sending.retries ?? apiLimits.retries
    let delayMs = apiLimits.firstRetryDelayMs
    let corrected = false
    for (let retried = 0; ; ) {
      const attempt = await attemptOnce(request)
      if (attempt.result === 'answered') return readOutput(route, attempt.data)
      if (attempt.again === 'at once' && !corrected) {
        corrected = true
        continue
      }
      if (attempt.again !== 'later' || retried >= retries) throw attempt.error
      await wait(clock, delayMs)
      delayMs *= apiLimits.retryDelayFactor
      retried += 1
    }
  }

  async function attemptOnce(request: {
    readonly route: Route
    readonly sending: Sending
    readonly requestId: string
    readonly body: string | undefined
  }): Promise<Attempt> {
    const { route, sending, body } = request
    const url = ports.apiOrigin + apiPrefix + fillPath(route.path, sending.params)
    const proven = needsProof(route.path)
    const headers: Record<string, string> = {
      [product.headers.appId]: ports.appId,
      [product.headers.client]: `dialog-app:${dialogVersion}`,
      [product.headers.analyticsId]: ports.ids.analytics,
      [product.headers.requestId]: request.requestId,
      [product.headers.loginBinding]: ports.ids.loginBinding,
      'content-type': 'application/json',
      ...(sending.token !== null && { authorization: `Bearer ${sending.token}` }),
      ...(proven && { DPoP: await ports.makeProof({ method: route.method, url }) }),
    }
    const abort = new AbortController()
    const stopTimer = clock.after(apiLimits.timeoutMs, () => abort.abort())
    try {
      const response = await ports.fetch(url, {
        method: route.method,
        headers,
        ...(body !== undefined && { body }),
        credentials: ports.credentials,
        keepalive: sending.keepalive ?? false,
        cache: 'no-store',
        redirect: 'error',
        signal: abort.signal,
      })
      const text = await response.text()
      const clockWasWrong = serverTime.learn(response.headers.get('date'))
      if (response.ok) return { result: 'answered', data: parseJson(text) }
      const error = readApiProblem(response.status, parseJson(text), response.headers.get('retry-after'))
      const retried = (apiLimits.retriedStatuses as readonly number[]).includes(response.status)
      const staleProof = proven && clockWasWrong && response.status === 401
      return { result: 'refused', error, again: retried ? 'later' : staleProof ? 'at once' : 'no' }
    } catch (cause) {
      const code: ErrorCode = isAbort(cause) ? 'client_request_timeout' : 'server_unreachable'
      return {
        result: 'refused',
        error: new LatchkeyError(code, unanswered[code], { cause }),
        again: 'later',
      }
    } finally {
      stopTimer()
    }
  }

  return { send: (name, body, sending) => send(name, body, sending) as Promise<never> }
}

const unanswered = {
  client_request_timeout: 'The server did not answer in time.',
  server_unreachable: 'The server could not be reached.',
} as const

const isAbort = (cause: unknown) => cause instanceof Error && cause.name === 'AbortError'

/** Checked here too: what the server would refuse is not sent. */
function readBody(route: Route, body: unknown): string | undefined {
  if (!route.body) return undefined
  const parsed = v.safeParse(route.body, body)
  if (!parsed.success) throw mismatch('invalid_data', parsed.issues)
  return JSON.stringify(toWire(route.body, parsed.output))
}

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
