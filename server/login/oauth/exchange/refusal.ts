/** Refusals of OAuth providers, and the errors for the caller. */
import { LatchkeyError } from '@latchkey/protocol'
import * as v from 'valibot'
import type { ServerContext } from '../../../kernel/context.ts'
import type { OAuthProvider, Refused } from '../provider.ts'

export type ProviderRefusal =
  | { type: 'denied' }
  | { type: 'suspended' }
  | { type: 'wrong code' }
  | { type: 'too many'; retryAfterSeconds: number | null }
  /** The reason, for the operator. It contains no personal data. */
  | { type: 'failed'; why: string }

const refusal = v.object({ error: v.string() })
const tooManyRequests = 429

export function toProviderRefusal(provider: OAuthProvider, refused: Refused): ProviderRefusal {
  const { status, body, headers } = refused
  const error = v.is(refusal, body) ? body.error : undefined
  if (status === tooManyRequests || provider.isRateLimit?.(refused)) {
    const seconds = Number(headers.get('retry-after') ?? Number.NaN)
    return { type: 'too many', retryAfterSeconds: Number.isFinite(seconds) ? seconds : null }
  }
  // No provider has a code for suspended accounts, but all use this word.
  if (/suspended/i.test(JSON.stringify(body) ?? '')) return { type: 'suspended' }
  if (error !== undefined && provider.wrongCodeErrors.includes(error)) return { type: 'wrong code' }
  const errorName = error !== undefined && /^[\w-]{1,64}$/.test(error) ? error : 'none'
  return { type: 'failed', why: `status ${status}, error ${errorName}` }
}

export function refusalError(
  { log }: Pick<ServerContext, 'log'>,
  title: string,
  refusal: ProviderRefusal,
): LatchkeyError {
  switch (refusal.type) {
    case 'denied':
      return new LatchkeyError(
        'oauth_user_denied',
        `Retry and check ${title} to finish connecting your account.`,
      )
    case 'suspended':
      return new LatchkeyError(
        'oauth_account_suspended',
        `Your ${title} account is suspended. Please try another login method.`,
      )
    case 'wrong code':
      return wrongOAuthCode()
    case 'too many':
      return new LatchkeyError(
        'too_many_requests',
        `Request limit reached for ${title}. Please wait a moment and try again.`,
        refusal.retryAfterSeconds === null ? {} : { retryAfterSeconds: refusal.retryAfterSeconds },
      )
    case 'failed':
      log.error({ provider: title, why: refusal.why }, 'An OAuth provider failed')
      return new LatchkeyError('oauth_unexpected', 'Something went wrong. Please try again.')
    default:
      return refusal satisfies never
  }
}

/** Like `refusalError`, for cross-app providers. */
export function walletRefusalError(
  context: Pick<ServerContext, 'log'>,
  title: string,
  refusal: ProviderRefusal,
): LatchkeyError {
  switch (refusal.type) {
    case 'denied':
      return new LatchkeyError('oauth_user_denied', 'User denied confirmation during cross-app auth flow')
    case 'wrong code':
      return wrongWalletCode()
    default:
      return refusalError(context, title, refusal)
  }
}

export const wrongWalletCode = () =>
  new LatchkeyError('invalid_credentials', 'Invalid code during cross-app auth flow.')

/** The same error for wrong, used and expired codes, and for those of another browser. */
export const wrongOAuthCode = () =>
  new LatchkeyError('invalid_credentials', 'Something went wrong. Try again.')
