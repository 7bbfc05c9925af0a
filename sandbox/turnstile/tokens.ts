/** Turnstile tokens: each is valid for five minutes and one validation. */
import { randomBytes } from 'node:crypto'

/** Cloudflare's test values: https://developers.cloudflare.com/turnstile/troubleshooting/testing/ */
export const testTokens = { dummy: 'XXXX.DUMMY.TOKEN.XXXX' } as const
export const testSecrets = {
  passes: '1x0000000000000000000000000000000AA',
  fails: '2x0000000000000000000000000000000AA',
  spent: '3x0000000000000000000000000000000AA',
} as const
export const testSiteKeys = {
  passes: ['1x00000000000000000000AA', '1x00000000000000000000BB'],
  fails: ['2x00000000000000000000AB', '2x00000000000000000000BB'],
  interactive: ['3x00000000000000000000FF'],
} as const

const tokenMs = 300_000
const maxTokens = 10_000

/** The values with which the page requested the token. */
export type ChallengeRequest = {
  sitekey: string
  hostname: string
  action: string
  cdata: string
}

export type Validation =
  | { type: 'valid'; asked: ChallengeRequest; issuedAt: number }
  | { type: 'unknown' }
  | { type: 'expired-or-used' }

export type Tokens = {
  issue: (asked: ChallengeRequest) => string
  /** Repeating a validation under the same idempotency key returns the same result. */
  validate: (token: string, idempotencyKey: string | undefined) => Validation
  counts: () => { issued: number; validations: number }
}

export function createTokens({ now }: { now: () => number }): Tokens {
  type StoredToken = { asked: ChallengeRequest; issuedAt: number; spentBy?: string }
  const tokens = new Map<string, StoredToken>()
  let issued = 0
  let validations = 0
  return {
    issue(asked) {
      issued += 1
      const token = `0.${randomBytes(48).toString('base64url')}`
      tokens.set(token, { asked, issuedAt: now() })
      const [oldest] = tokens.keys()
      if (tokens.size > maxTokens && oldest !== undefined) tokens.delete(oldest)
      return token
    },
    validate(token, idempotencyKey) {
      validations += 1
      const stored = tokens.get(token)
      if (!stored) return { type: 'unknown' }
      const isAgain = stored.spentBy !== undefined && stored.spentBy !== idempotencyKey
      if (isAgain || now() - stored.issuedAt > tokenMs) return { type: 'expired-or-used' }
      stored.spentBy = idempotencyKey ?? ''
      return { type: 'valid', asked: stored.asked, issuedAt: stored.issuedAt }
    },
    counts: () => ({ issued, validations }),
  }
}
