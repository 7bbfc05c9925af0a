/**
 * HTTP requests to a cloud: no cookies, no redirects, a deadline, and one error code for all network
 * failures.
 */
import { cloudLimits } from '@latchkey/protocol'
import type { CloudFetch } from '../../shares/ports.ts'
import { cloudProblem } from './files.ts'

export type CloudAnswer = { status: number; text: string }

export async function fetchFromCloud(
  fetch: CloudFetch,
  url: URL,
  init: RequestInit,
  signal: AbortSignal,
): Promise<CloudAnswer> {
  const deadline = AbortSignal.timeout(cloudLimits.timeoutMs)
  try {
    const response = await fetch(url.href, {
      ...init,
      credentials: 'omit',
      redirect: 'error',
      cache: 'no-store',
      signal: AbortSignal.any([signal, deadline]),
    })
    return { status: response.status, text: await response.text() }
  } catch (cause) {
    signal.throwIfAborted()
    throw cloudProblem('cloud_unreachable', cause)
  }
}

/** Returns undefined if the text is not JSON. */
export function parseJson({ text }: CloudAnswer): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
