/** The time of the latest third-party response, as a second opinion about the server's clock. */

type Reading = { dateMs: number; receivedAtMs: number }

let newest: Reading | undefined

/** Records the `date` header. Ignores cached responses, which have the date of the cache. */
export function noteResponseTime(headers: Headers): void {
  const dateMs = Date.parse(headers.get('date') ?? '')
  if (Number.isNaN(dateMs) || headers.has('age')) return
  newest = { dateMs, receivedAtMs: performance.now() }
}

/** Returns undefined before the first response. */
export const thirdPartyNowMs = (): number | undefined =>
  newest && newest.dateMs + performance.now() - newest.receivedAtMs
