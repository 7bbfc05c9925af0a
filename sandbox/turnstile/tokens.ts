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
  readonly sitekey: string
  readonly hostname: string
  readonly action: string
  readonly cdata: string
}

export type Validation =
  | { readonly type: 'valid'; readonly asked: Asked; readonly issuedAt: number }
  | { readonly type: 'unknown' }
  | { readonly type: 'too late or again' }

export type Tokens = {
  readonly issue: (asked: Asked) => string
  /** Validating again with the same idempotency key gives the same answer. */
  readonly validate: (token: string, idempotencyKey: string | undefined) => Validation
  readonly counts: () => { readonly issued: number; readonly validations: number }
}

export function createTokens({ now }: { readonly now: () => number }): Tokens {
  type Kept = { readonly asked: Asked; readonly issuedAt: number; spentBy?: string }
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
