/**
 * SSRF-safe HTTP client for addresses that an untrusted party chose. A DNS name may resolve to an internal address at
 * any time, so the check runs in the `lookup` of the connection itself; an earlier check would be subject to DNS
 * rebinding.
 */
import { type LookupAddress, lookup as systemLookup } from 'node:dns'
import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { LookupFunction } from 'node:net'
import { parseAddress } from './http/addresses/networks.ts'
import { answerLimits, askLimits } from './limits.ts'
import { measureRequest } from './third-party-metrics.ts'

export type SsrfSafeRequest = {
  /** Our label for the third party in metrics; all addresses of one purpose share it. */
  party: string
  method?: 'GET' | 'POST'
  headers?: Readonly<Record<string, string>>
  body?: string
  /** Applies in addition to the caller's signal, and covers the body too. */
  deadlineMs?: number
  maxBytes?: number
  /** Returns the status and the headers, and closes the connection without reading the body. */
  ignoresBody?: boolean
  signal?: AbortSignal | undefined
}

/** The request was not sent, or its response was rejected. */
export class SsrfSafeFetchError extends Error {
  override readonly name = 'SsrfSafeFetchError'
}

/** Resolves all addresses of a host name. */
export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>

/** Returns whether the name means this machine. Such names are recognised without a DNS lookup. */
export function isLocalHost(hostname: string): boolean {
  return /^(localhost|[^/]+\.localhost|127\.0\.0\.1|\[::1\])$/.test(hostname)
}

/** Returns whether the address is https (or http on this machine) and contains no credentials. */
export function isAllowedUrl(address: string): boolean {
  const url = URL.parse(address)
  if (url?.username !== '' || url.password !== '') return false
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLocalHost(url.hostname))
}

/** Returns whether the address is https and names neither this machine nor an internal address. */
export function isPublicUrl(address: string): boolean {
  if (!isAllowedUrl(address)) return false
  const { hostname } = new URL(address)
  const literal = parseAddress(hostname)
  return !isLocalHost(hostname) && (literal === undefined || literal.range() === 'unicast')
}

/**
 * Sends the request and returns the complete response. Throws, and stops reading, if the response is late or too long.
 * Does not follow redirects: they throw.
 */
export function ssrfSafeFetch(
  address: string,
  request: SsrfSafeRequest,
  resolve: Resolve = resolveBySystem,
): Promise<Response> {
  return measureRequest(request.party, request.method ?? 'GET', () => sendRequest(address, request, resolve))
}

async function sendRequest(
  address: string,
  {
    method = 'GET',
    headers = {},
    body,
    deadlineMs = askLimits.deadlineMs,
    maxBytes = answerLimits.maxUntrustedBytes,
    ignoresBody = false,
    signal,
  }: SsrfSafeRequest,
  resolve: Resolve,
): Promise<Response> {
  const url = new URL(address)
  if (!isAllowedUrl(address)) throw new SsrfSafeFetchError(`${url.origin} is rejected: it is not https`)
  assertNoInternalLiteral(url)
  const timeout = AbortSignal.timeout(deadlineMs)
  const abortSignal = signal ? AbortSignal.any([signal, timeout]) : timeout
  try {
    const answer = await openRequest(url, {
      method,
      headers,
      body,
      signal: abortSignal,
      lookup: createLookup(url, resolve),
    })
    const { statusCode: status = 0 } = answer
    if (status < 200 || (status >= 300 && status < 400)) {
      answer.destroy()
      throw new SsrfSafeFetchError(`${url.origin} responded with ${status}, and redirects are not followed`)
    }
    if (ignoresBody) answer.destroy()
    const bytes = ignoresBody ? new Uint8Array() : await readWithin(answer, maxBytes)
    abortSignal.throwIfAborted()
    return new Response(bytes.length === 0 || status === 204 ? null : bytes, {
      status,
      headers: toHeaders(answer),
    })
  } catch (error) {
    // Node wraps an abort in its own error; throw the signal's reason instead.
    abortSignal.throwIfAborted()
    throw error
  }
}

type OutgoingRequest = {
  method: string
  headers: Readonly<Record<string, string>>
  body: string | undefined
  signal: AbortSignal
  lookup: LookupFunction
}

function openRequest(
  url: URL,
  { method, headers, body, signal, lookup }: OutgoingRequest,
): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const request = url.protocol === 'https:' ? requestHttps : requestHttp
  // No keep-alive: each request opens a new connection, so that its address is checked.
  const sent = request(url, { method, headers, lookup, signal, agent: false }, resolve)
  sent.on('error', reject)
  sent.end(body)
  return promise
}

async function readWithin(answer: IncomingMessage, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Buffer[] = []
  let length = 0
  // Leaving the loop closes the connection.
  for await (const chunk of answer) {
    const bytes = Buffer.from(chunk)
    length += bytes.length
    if (length > maxBytes) throw new SsrfSafeFetchError(`The response is longer than ${maxBytes} bytes`)
    chunks.push(bytes)
  }
  return Uint8Array.from(Buffer.concat(chunks))
}

const toHeaders = ({ headers }: IncomingMessage): Headers =>
  new Headers(
    Object.entries(headers).flatMap(([name, value]): [string, string][] =>
      typeof value === 'string' ? [[name, value]] : [],
    ),
  )

const internalAddress = (hostname: string) => new SsrfSafeFetchError(`${hostname} is an internal address`)

/** Returns whether the address is a public unicast address: not private, no tunnel, no translated address. */
const isPublic = (address: string) => parseAddress(address)?.range() === 'unicast'
const isLoopback = (address: string) => parseAddress(address)?.range() === 'loopback'

/** Rejects internal IP literals. Node never calls `lookup` for a literal. */
function assertNoInternalLiteral({ hostname }: URL): void {
  const literal = parseAddress(hostname)
  if (literal && !isLocalHost(hostname) && literal.range() !== 'unicast') throw internalAddress(hostname)
}

const createLookup =
  ({ hostname: host }: URL, resolve: Resolve): LookupFunction =>
  (hostname, options, callback) => {
    const isLocal = isLocalHost(host)
    const lookup = isLocal ? Promise.resolve(loopback) : resolve(hostname)
    lookup.then(
      (addresses) => {
        const [first] = addresses
        const areFine = addresses.every(({ address }) => (isLocal ? isLoopback : isPublic)(address))
        if (!first || !areFine) return callback(internalAddress(hostname), '', 0)
        if (options.all) callback(null, [...addresses])
        else callback(null, first.address, first.family)
      },
      (error: unknown) => callback(error instanceof Error ? error : new Error('No such name'), '', 0),
    )
  }

/** RFC 6761, 6.3: these names always resolve to loopback, without asking a DNS resolver. */
const loopback: readonly LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
]

function resolveBySystem(hostname: string): Promise<readonly LookupAddress[]> {
  const { promise, resolve, reject } = Promise.withResolvers<readonly LookupAddress[]>()
  systemLookup(hostname, { all: true }, (error, addresses) => (error ? reject(error) : resolve(addresses)))
  return promise
}
