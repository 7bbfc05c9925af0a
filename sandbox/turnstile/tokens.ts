/** Turnstile tokens: each is valid for five minutes and can be validated once. */
import { randomBytes } from 'node:crypto'

/** The provider's own values for tests: https://developers.cloudflare.com/turnstile/troubleshooting/testing/ */
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
const keptTokens = 10_000

/** The values that the page sent when it asked for the token. */
export type Asked = {
  sitekey: string
  hostname: string
  action: string
  cdata: string
}

export type Validation =
  | { type: 'valid'; asked: Asked; issuedAt: number }
  | { type: 'unknown' }
  | { type: 'too late or again' }

export type Tokens = {
  issue: (asked: Asked) => string
  /** Validating again with the same idempotency key gives the same answer. */
  validate: (token: string, idempotencyKey: string | undefined) => Validation
  counts: () => { issued: number; validations: number }
}

export function createTokens({ now }: { now: () => number }): Tokens {
  type Kept = { asked: Asked; issuedAt: number; spentBy?: string }
  const kept = new Map<string, Kept>()
  let issued = 0
  let validations = 0
  return {
    issue(asked) {
      issued += 1
      const token = `0.${randomBytes(48).toString('base64url')}`
      kept.set(token, { asked, issuedAt: now() })
      const [oldest] = kept.keys()
      if (kept.size > keptTokens && oldest !== undefined) kept.delete(oldest)
      return token
    },
    validate(token, idempotencyKey) {
      validations += 1
      const found = kept.get(token)
      if (!found) return { type: 'unknown' }
      const isAgain = found.spentBy !== undefined && found.spentBy !== idempotencyKey
      if (isAgain || now() - found.issuedAt > tokenMs) return { type: 'too late or again' }
      found.spentBy = idempotencyKey ?? ''
      return { type: 'valid', asked: found.asked, issuedAt: found.issuedAt }
    },
    counts: () => ({ issued, validations }),
  }
}
