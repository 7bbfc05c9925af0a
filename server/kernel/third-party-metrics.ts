/** Metrics and traces for HTTP requests to third parties: duration, status and error type. */
import { callBuckets, histogram } from './telemetry/instruments.ts'
import { endSpan, startSpan } from './telemetry/spans.ts'

const duration = histogram({
  name: 'http.client.request.duration',
  unit: 's',
  description: 'Response times of third parties, by our label',
  attributes: ['http.request.method', 'server.address', 'http.response.status_code', 'error.type'],
  buckets: callBuckets,
})

/**
 * `party` is the server's own label for the third party. A host name from operators or users must not become a label.
 */
export async function measureRequest(
  party: string,
  method: string,
  ask: () => Promise<Response>,
): Promise<Response> {
  const attributes = { 'http.request.method': method, 'server.address': party }
  const started = performance.now()
  const span = startSpan(`${method} ${party}`, { kind: 'client', attributes })
  const end = (status: number | undefined, errorType: string | undefined) => {
    const answered = { 'http.response.status_code': status }
    duration.record((performance.now() - started) / 1_000, {
      ...attributes,
      ...answered,
      'error.type': errorType,
    })
    endSpan(span, status === undefined ? {} : answered, errorType)
  }
  try {
    const response = await ask()
    end(response.status, response.status >= 400 ? String(response.status) : undefined)
    return response
  } catch (error) {
    end(undefined, getErrorType(error))
    throw error
  }
}

/**
 * Returns the system error code, such as ECONNREFUSED, or the error name. Messages are excluded: they may contain
 * addresses.
 */
export function getErrorType(error: unknown): string {
  for (let at = error; at instanceof Error; at = at.cause) {
    if ('code' in at && typeof at.code === 'string' && /^[A-Z][A-Z0-9_]{1,40}$/.test(at.code)) return at.code
  }
  return error instanceof Error ? error.name : '_OTHER'
}
