/** Cloudflare Turnstile: https://developers.cloudflare.com/turnstile/get-started/server-side-validation/ */

import { captchaLimits, exactOrigin, LatchkeyError } from '@latchkey/protocol'
import * as v from 'valibot'
import type { ServerConfig } from '../../kernel/config.ts'
import { environmentPart } from '../../kernel/environment.ts'
import { fetchThirdParty } from '../../kernel/third-party-fetch.ts'
import type { CaptchaResult, CaptchaVerifier } from './verifier.ts'

const origin = v.pipe(
  v.string(),
  v.check(
    (value) => exactOrigin(value) === value,
    'must be an origin, for example https://challenges.cloudflare.com',
  ),
)

export const captchaEnvironment = environmentPart(
  {
    /** Used by browsers and by this server. */
    TURNSTILE_URL: v.optional(origin, 'https://challenges.cloudflare.com'),
    TURNSTILE_SECRET_KEY: v.optional(v.pipe(v.string(), v.regex(/^\S+$/, 'must be one word'))),
  },
  {
    TURNSTILE_URL: 'The origin of Turnstile, for browsers and for the server.',
    TURNSTILE_SECRET_KEY: {
      meaning: 'The secret key of Turnstile, for apps with a captcha.',
      isSecret: true,
    },
  },
)

export const turnstileOrigin = (config: ServerConfig): string => captchaEnvironment.read(config).TURNSTILE_URL

const verificationSchema = v.object({
  success: v.boolean(),
  'error-codes': v.optional(v.array(v.string()), []),
  hostname: v.optional(v.string()),
  action: v.optional(v.string()),
  cdata: v.optional(v.string()),
  metadata: v.optional(v.object({ result_with_testing_key: v.optional(v.boolean()) })),
})
type Verification = v.InferOutput<typeof verificationSchema>

/** Error codes that the token caused. All other codes are configuration errors or Turnstile failures. */
const tokenErrorCodes: ReadonlySet<string> = new Set([
  'missing-input-response',
  'invalid-input-response',
  'timeout-or-duplicate',
])
const internalError = 'internal-error'

export function createTurnstileVerifier(turnstile: {
  origin: string
  secret: string
  /** The hostname of the page that shows the widget. */
  hostname: string
}): CaptchaVerifier {
  const { origin, secret, hostname } = turnstile
  return {
    async check({ token, appId, checkId }, signal) {
      // The browser's IP address is not sent: it may reach Turnstile over IPv6 and this server over IPv4.
      const response = await fetchThirdParty(`${origin}/turnstile/v0/siteverify`, {
        party: 'turnstile',
        method: 'POST',
        headers: { accept: 'application/json' },
        body: new URLSearchParams({ secret, response: token, idempotency_key: checkId }),
        signal,
      })
      const parsed = v.safeParse(verificationSchema, await response.json().catch(() => undefined))
      if (!parsed.success || parsed.output['error-codes'].includes(internalError)) {
        throw new LatchkeyError('unavailable', 'The captcha could not be checked. Please try again.', {
          cause: `Turnstile returned no result: status ${response.status}`,
        })
      }
      return toCaptchaResult(parsed.output, { hostname, appId })
    },
  }
}

function toCaptchaResult(
  verification: Verification,
  page: { hostname: string; appId: string },
): CaptchaResult {
  const codes = verification['error-codes']
  if (!verification.success) {
    return codes.every((code) => tokenErrorCodes.has(code))
      ? { type: 'not-passed' }
      : { type: 'failed', why: codes.join(', ') }
  }
  // Turnstile's test keys return a dummy hostname, and their purpose is that every challenge passes.
  if (verification.metadata?.result_with_testing_key) return { type: 'passed' }
  const isOurs =
    verification.hostname === page.hostname &&
    verification.action === captchaLimits.action &&
    verification.cdata === page.appId
  return { type: isOurs ? 'passed' : 'not-passed' }
}
