/** How this server asks others over HTTP: nothing else in it does, but for `ask-stranger.ts`. */
import { measured } from './asked.ts'
import { answerLimits, askLimits } from './limits.ts'
import { noteResponseTime } from './third-party-time.ts'

export type OutsideRequest = RequestInit & {
  /** Our name of whom we ask, by which an operator sees how they answer. */
  party: string
  /** The deadline applies in addition to the caller's signal, and covers the body too. */
  deadlineMs?: number
  maxBytes?: number
}

/**
 * The whole answer, as long as it comes in time and is no longer than it may be: else this throws, and nothing more of
 * it is read. A redirect is a failure.
 */
export function askOutside(
  url: string | URL,
  {
    party,
    deadlineMs = askLimits.deadlineMs,
    maxBytes = answerLimits.maxBytes,
    signal,
    ...request
  }: OutsideRequest,
): Promise<Response> {
  return measured(party, request.method ?? 'GET', async () => {
    const tooLate = AbortSignal.timeout(deadlineMs)
    const response = await fetch(url, {
      ...request,
      redirect: 'error',
      signal: signal ? AbortSignal.any([signal, tooLate]) : tooLate,
    })
    noteResponseTime(response.headers)
    const { status, statusText } = response
    const headers = new Headers(response.headers)
    // What was decoded on the way is neither compressed nor of that length any more.
    headers.delete('content-encoding')
    headers.delete('content-length')
    const body = response.body && (await bytesWithin(response.body, maxBytes))
    return new Response(body, { status, statusText, headers })
  })
}

async function bytesWithin(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let length = 0
  // Leaving the loop closes the connection.
  for await (const chunk of body) {
    length += chunk.byteLength
    if (length > maxBytes) throw new Error(`The answer has more than ${maxBytes} bytes`)
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
