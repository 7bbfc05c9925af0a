/** The time in the newest HTTP response of a third party: a second opinion about the clock of this server. */

type Reading = { dateMs: number; receivedAtMs: number }

let newest: Reading | undefined

/** A cached response carries the time at which the cache stored it. */
export function noteResponseTime(headers: Headers): void {
  const dateMs = Date.parse(headers.get('date') ?? '')
  if (Number.isNaN(dateMs) || headers.has('age')) return
  newest = { dateMs, receivedAtMs: performance.now() }
}

/** Undefined before the first response. */
export const thirdPartyNowMs = (): number | undefined =>
  newest && newest.dateMs + performance.now() - newest.receivedAtMs
