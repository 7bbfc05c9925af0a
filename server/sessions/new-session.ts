import { sessionLimits } from '@latchkey/protocol'
import type { ServerContext } from '../context.ts'
import { randomId } from '../ids.ts'
import { nowSeconds } from '../ports.ts'
import { newTokenKey, tokenKeyPepper, wrapTokenKey } from './refresh-token.ts'
import { firstCounter, forkedTokenCounter } from './rotation.ts'
import type { Session } from './store.ts'

export type SessionOrigin =
  | { readonly kind: 'login' }
  /** Waits for its one-use token. */
  | { readonly kind: 'forked'; readonly familyId: string }
  /** Has the limits of a fork, and has started. */
  | { readonly kind: 'code'; readonly familyId: string }

export function newSession(
  context: Pick<ServerContext, 'clock' | 'keyring'>,
  owner: { readonly appId: string; readonly userId: string },
  origin: SessionOrigin,
  /** The key that every refresh must prove, or null for a client that has none. */
  keyThumbprint: string | null,
): Session {
  const id = `ses_${randomId()}`
  const now = nowSeconds(context.clock)
  const waits = origin.kind === 'forked'
  return {
    id,
    app_id: owner.appId,
    user_id: owner.userId,
    kind: origin.kind === 'login' ? 'login' : 'fork',
    family_id: origin.kind === 'login' ? id : origin.familyId,
    token_key: wrapTokenKey(newTokenKey(), id, context.keyring.pepper(tokenKeyPepper)),
    counter: waits ? forkedTokenCounter : firstCounter,
    rotated_at_ms: context.clock.nowMs(),
    started_at: waits ? null : now,
    key_thumbprint: keyThumbprint,
    created_at: now,
    last_used_at: now,
    expires_at: slidingExpiry(now),
    revoked_at: null,
  }
}

export const slidingExpiry = (nowSeconds: number) => nowSeconds + sessionLimits.refreshTokenSeconds
