/** The HTTP client for trusted third parties. Addresses from untrusted parties use `ssrf-safe-fetch.ts`. */

import { answerLimits, askLimits } from './limits.ts'
import { measureRequest } from './third-party-metrics.ts'
import { noteResponseTime } from './third-party-time.ts'

export type ThirdPartyRequest = RequestInit & {
  /** Our label for the third party in metrics. */
  party: string
  /** Applies in addition to the caller's signal, and covers the body too. */
  deadlineMs?: number
  maxBytes?: number
}

/**
 * Sends the request and returns the complete response. Throws, and stops reading, if the response is late or too long.
 * Redirects are errors.
 */
export function fetchThirdParty(
  url: string | URL,
  {
    party,
    deadlineMs = askLimits.deadlineMs,
    maxBytes = answerLimits.maxBytes,
    signal,
    ...request
  }: ThirdPartyRequest,
): Promise<Response> {
  return measureRequest(party, request.method ?? 'GET', async () => {
    const tooLate = AbortSignal.timeout(deadlineMs)
    const response = await fetch(url, {
      ...request,
      redirect: 'error',
      signal: signal ? AbortSignal.any([signal, tooLate]) : tooLate,
    })
    noteResponseTime(response.headers)
    const { status, statusText } = response
    const headers = new Headers(response.headers)
    // The body is already decoded, so these headers no longer apply.
    headers.delete('content-encoding')
    headers.delete('content-length')
    const body = response.body && (await readWithin(response.body, maxBytes))
    return new Response(body, { status, statusText, headers })
  })
}

async function readWithin(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let length = 0
  // Leaving the loop closes the connection.
  for await (const chunk of body) {
    length += chunk.byteLength
    if (length > maxBytes) throw new Error(`The response is longer than ${maxBytes} bytes`)
    chunks.push(chunk)
  }
  const bytes = new Uint8Array(length)
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.byteLength
  }
  return bytes
}
