/** HTTP to a cloud: no cookies, no redirects, a deadline, and one word for whatever goes wrong. */
import { cloudLimits } from '@latchkey/protocol'
import type { CloudFetch } from '../../shares/ports.ts'
import { cloudProblem } from './files.ts'

export type CloudAnswer = { status: number; text: string }

export async function askCloud(
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

/** Gives undefined if the text is no JSON. */
export function jsonIn({ text }: CloudAnswer): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
