/** The client for the provider's API: creates signing requests and polls for their results. */
import {
  type CreatedCrossAppRequest,
  type CrossAppConnection,
  type CrossAppRequest,
  type CrossAppResult,
  createdCrossAppRequestSchema,
  crossAppLimits,
  crossAppRefusal,
  crossAppResult,
} from '@latchkey/protocol/api'
import * as v from 'valibot'
import type { Clock } from '../../../browser/ports.ts'
import type { Fetch } from '../../../chains/rpc.ts'
import { proofOf } from './proof.ts'
import type { Access } from './tokens.ts'

/** The provider responded with an error. */
export class ProviderRefused extends Error {
  override readonly name = 'ProviderRefused'
  /** The OAuth error code. Undefined if the response could not be parsed. */
  readonly error: string | undefined
  constructor(error: string | undefined, description: string | undefined) {
    super(description ?? error ?? 'The provider refused')
    this.error = error
  }
}

export type ProviderClient = {
  request: (request: CrossAppRequest, access: Access, signal: AbortSignal) => Promise<CreatedCrossAppRequest>
  /** Long-polls the provider for the result. */
  result: (handle: string, access: Access, signal: AbortSignal) => Promise<CrossAppResult>
}

/** Longer than the provider holds a long poll. */
const PATIENCE_MS = crossAppLimits.resultWaitMs * 2
/** Ample for a response, which holds a signature or a handle. */
const MAX_ANSWER_BYTES = 16_384

export function createProviderClient(
  { fetch, clock, nowMs }: { fetch: Fetch; clock: Clock; nowMs: () => number },
  { issuer }: CrossAppConnection,
): ProviderClient {
  async function post(path: string, body: object, { accessToken, keys }: Access, signal: AbortSignal) {
    const url = `${issuer}${path}`
    const proof = await proofOf(keys, { url, nowMs: nowMs(), accessToken })
    const tooLate = new AbortController()
    const stop = clock.after(PATIENCE_MS, () => tooLate.abort())
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `DPoP ${accessToken}`, DPoP: proof },
        body: JSON.stringify(body),
        credentials: 'omit',
        cache: 'no-store',
        redirect: 'error',
        referrerPolicy: 'strict-origin',
        signal: AbortSignal.any([signal, tooLate.signal]),
      })
      const answer = parsed(await boundedText(response))
      if (response.ok) return answer
      const refusal = v.safeParse(crossAppRefusal, answer)
      throw refusal.success
        ? new ProviderRefused(refusal.output.error, refusal.output.error_description)
        : new ProviderRefused(undefined, undefined)
    } finally {
      stop()
    }
  }

  return {
    request: async (request, access, signal) =>
      v.parse(madeSchema, await post('/requests', request, access, signal)),
    result: async (handle, access, signal) =>
      v.parse(crossAppResult, await post('/requests/result', { handle }, access, signal)),
  }
}

const isSafe = (address: string) =>
  URL.canParse(address) && (/^https:/.test(address) || /^http:\/\/([\w-]+\.)*localhost(:|\/|$)/.test(address))
/** Accepts only safe URLs: a window opens `transact_url`, and messages from `window_origin` are trusted. */
const madeSchema = v.pipe(
  createdCrossAppRequestSchema,
  v.check(({ transact_url }) => isSafe(transact_url) && new URL(transact_url).hash === ''),
  v.check(({ window_origin }) => isSafe(window_origin) && new URL(window_origin).origin === window_origin),
)

async function boundedText({ body }: Response): Promise<string> {
  const reader = body?.getReader()
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  for (let part = await reader?.read(); part?.value; part = await reader?.read()) {
    bytes += part.value.length
    if (bytes > MAX_ANSWER_BYTES) {
      reader?.cancel().catch(() => {})
      throw new ProviderRefused(undefined, 'The answer of the provider is too long')
    }
    text += decoder.decode(part.value, { stream: true })
  }
  return text + decoder.decode()
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
