/**
 * How this server asks somebody whose address an operator named and who is trusted with nothing. Whoever has that name
 * may say tomorrow that it is an address behind our own walls, so it is the connection that is refused one: a look at
 * the name before would be of another moment.
 */
import { type LookupAddress, lookup as systemLookup } from 'node:dns'
import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { LookupFunction } from 'node:net'
import { measured } from './asked.ts'
import { parseAddress } from './http/addresses/networks.ts'
import { answerLimits, askLimits } from './limits.ts'

export type StrangerRequest = {
  /** Our name of whom we ask: that of all who are asked for the same thing. */
  party: string
  method?: 'GET' | 'POST'
  headers?: Readonly<Record<string, string>>
  body?: string
  /** The deadline applies in addition to the caller's signal, and covers the body too. */
  deadlineMs?: number
  maxBytes?: number
  signal?: AbortSignal | undefined
}

/** Whatever it was that they answered, it is taken from nobody; or nobody was asked. */
export class StrangerRefusal extends Error {
  override readonly name = 'StrangerRefusal'
}

/** All addresses of a name. */
export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>

/** Names of this very machine are for whoever tries two servers on it; they are known without being looked up. */
export function isLocalHost(hostname: string): boolean {
  return /^(localhost|[^/]+\.localhost|127\.0\.0\.1|\[::1\])$/.test(hostname)
}

/** Https, but on this machine. */
export function isAskable(address: string): boolean {
  const url = URL.parse(address)
  if (url?.username !== '' || url.password !== '') return false
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLocalHost(url.hostname))
}

/**
 * The whole answer, as long as it comes in time and is no longer than it may be: else this throws, and nothing more of
 * it is read. A redirect is a failure.
 */
export function askStranger(
  address: string,
  request: StrangerRequest,
  resolve: Resolve = resolveBySystem,
): Promise<Response> {
  return measured(request.party, request.method ?? 'GET', () => answerTo(address, request, resolve))
}

async function answerTo(
  address: string,
  {
    method = 'GET',
    headers = {},
    body,
    deadlineMs = askLimits.deadlineMs,
    maxBytes = answerLimits.maxStrangerBytes,
    signal,
  }: StrangerRequest,
  resolve: Resolve,
): Promise<Response> {
  const url = new URL(address)
  if (!isAskable(address)) throw new StrangerRefusal(`${url.origin} is not asked: it is not https`)
  assertNoInnerLiteral(url)
  const tooLate = AbortSignal.timeout(deadlineMs)
  const ends = signal ? AbortSignal.any([signal, tooLate]) : tooLate
  try {
    const answer = await answerOf(url, { method, headers, body, ends, lookup: lookupWithin(url, resolve) })
    const { statusCode: status = 0 } = answer
    if (status < 200 || (status >= 300 && status < 400)) {
      answer.destroy()
      throw new StrangerRefusal(`${url.origin} answers with ${status}, which is not followed`)
    }
    const bytes = await bytesWithin(answer, maxBytes)
    ends.throwIfAborted()
    return new Response(bytes.length === 0 || status === 204 ? null : bytes, {
      status,
      headers: singleHeaders(answer),
    })
  } catch (error) {
    // Node tells what was cut off in words of its own.
    ends.throwIfAborted()
    throw error
  }
}

type Sent = {
  method: string
  headers: Readonly<Record<string, string>>
  body: string | undefined
  ends: AbortSignal
  lookup: LookupFunction
}

function answerOf(url: URL, { method, headers, body, ends, lookup }: Sent): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const request = url.protocol === 'https:' ? requestHttps : requestHttp
  // No connection is taken over from another call: each is made to an address that was looked at.
  const sent = request(url, { method, headers, lookup, signal: ends, agent: false }, resolve)
  sent.on('error', reject)
  sent.end(body)
  return promise
}

async function bytesWithin(answer: IncomingMessage, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Buffer[] = []
  let length = 0
  // Leaving the loop closes the connection.
  for await (const chunk of answer) {
    const bytes = Buffer.from(chunk)
    length += bytes.length
    if (length > maxBytes) throw new StrangerRefusal(`The answer has more than ${maxBytes} bytes`)
    chunks.push(bytes)
  }
  return Uint8Array.from(Buffer.concat(chunks))
}

const singleHeaders = ({ headers }: IncomingMessage): Headers =>
  new Headers(
    Object.entries(headers).flatMap(([name, value]): [string, string][] =>
      typeof value === 'string' ? [[name, value]] : [],
    ),
  )

const innerAddress = (hostname: string) =>
  new StrangerRefusal(`${hostname} is an address of an inner network`)

/** Whether it is one of the Internet: no range of its own, no tunnel, no translation of another address. */
const isPublic = (address: string) => parseAddress(address)?.range() === 'unicast'
const isLoopback = (address: string) => parseAddress(address)?.range() === 'loopback'

/** An address in the place of a name is never looked up. */
function assertNoInnerLiteral({ hostname }: URL): void {
  const literal = parseAddress(hostname)
  if (literal && !isLocalHost(hostname) && literal.range() !== 'unicast') throw innerAddress(hostname)
}

const lookupWithin =
  ({ hostname: host }: URL, resolve: Resolve): LookupFunction =>
  (hostname, options, callback) => {
    const isLocal = isLocalHost(host)
    const found = isLocal ? Promise.resolve(loopback) : resolve(hostname)
    found.then(
      (addresses) => {
        const [first] = addresses
        const areFine = addresses.every(({ address }) => (isLocal ? isLoopback : isPublic)(address))
        if (!first || !areFine) return callback(innerAddress(hostname), '', 0)
        if (options.all) callback(null, [...addresses])
        else callback(null, first.address, first.family)
      },
      (error: unknown) => callback(error instanceof Error ? error : new Error('No such name'), '', 0),
    )
  }

/** RFC 6761, 6.3: these names are this machine, whatever a resolver knows of them. */
const loopback: readonly LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
]

function resolveBySystem(hostname: string): Promise<readonly LookupAddress[]> {
  const { promise, resolve, reject } = Promise.withResolvers<readonly LookupAddress[]>()
  systemLookup(hostname, { all: true }, (error, addresses) => (error ? reject(error) : resolve(addresses)))
  return promise
}
