/** Cloudflare Turnstile: https://developers.cloudflare.com/turnstile/get-started/server-side-validation/ */

import { captchaLimits, exactOrigin, LatchkeyError } from '@latchkey/protocol'
import * as v from 'valibot'
import type { ServerConfig } from '../../kernel/config.ts'
import { environmentPart } from '../../kernel/environment.ts'
import { askOutside } from '../../kernel/outside.ts'
import type { CaptchaAnswer, CaptchaVerifier } from './verifier.ts'

const origin = v.pipe(
  v.string(),
  v.check((value) => exactOrigin(value) === value, 'must be an origin, as https://challenges.cloudflare.com'),
)

export const captchaEnvironment = environmentPart({
  /** Browsers and this server both ask there. */
  TURNSTILE_URL: v.optional(origin, 'https://challenges.cloudflare.com'),
  TURNSTILE_SECRET_KEY: v.optional(v.pipe(v.string(), v.regex(/^\S+$/, 'must be one word'))),
})

export const turnstileOrigin = (config: ServerConfig): string => captchaEnvironment.of(config).TURNSTILE_URL

const verified = v.object({
  success: v.boolean(),
  'error-codes': v.optional(v.array(v.string()), []),
  hostname: v.optional(v.string()),
  action: v.optional(v.string()),
  cdata: v.optional(v.string()),
  metadata: v.optional(v.object({ result_with_testing_key: v.optional(v.boolean()) })),
})
type Verified = v.InferOutput<typeof verified>

/** The token's own fault; any other error is the operator's or Turnstile's. */
const faultsOfToken: ReadonlySet<string> = new Set([
  'missing-input-response',
  'invalid-input-response',
  'timeout-or-duplicate',
])
const tryAgain = 'internal-error'

export function createTurnstileVerifier(turnstile: {
  origin: string
  secret: string
  /** The hostname of the page that shows the widget. */
  hostname: string
}): CaptchaVerifier {
  const { origin, secret, hostname } = turnstile
  return {
    async check({ token, appId, checkId }, signal) {
      // Without the browser's address: it may reach Turnstile over IPv6 and this server over IPv4.
      const response = await askOutside(`${origin}/turnstile/v0/siteverify`, {
        party: 'turnstile',
        method: 'POST',
        headers: { accept: 'application/json' },
        body: new URLSearchParams({ secret, response: token, idempotency_key: checkId }),
        signal,
      })
      const found = v.safeParse(verified, await response.json().catch(() => undefined))
      if (!found.success || found.output['error-codes'].includes(tryAgain)) {
        throw new LatchkeyError('unavailable', 'The captcha could not be checked. Please try again.', {
          cause: `Turnstile gave no answer: status ${response.status}`,
        })
      }
      return answerOf(found.output, { hostname, appId })
    },
  }
}

function answerOf(said: Verified, page: { hostname: string; appId: string }): CaptchaAnswer {
  const codes = said['error-codes']
  if (!said.success) {
    return codes.every((code) => faultsOfToken.has(code))
      ? { type: 'not passed' }
      : { type: 'failed', why: codes.join(', ') }
  }
  // The keys for trying out answer for a page of nobody's: whoever set one of them wants everybody to pass.
  if (said.metadata?.result_with_testing_key) return { type: 'passed' }
  const isOurs =
    said.hostname === page.hostname && said.action === captchaLimits.action && said.cdata === page.appId
  return { type: isOurs ? 'passed' : 'not passed' }
}
