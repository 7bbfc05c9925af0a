import { serverLimits } from '@latchkey/protocol'
import type { ServerContext } from '../../kernel/context.ts'
import type { ProvenBrowser } from '../../kernel/http/endpoint.ts'
import { randomId } from '../../kernel/ids.ts'
import { nowSeconds } from '../../kernel/ports.ts'
import type { Session } from './store.ts'
import { newTokenKey, wrapTokenKey } from './tokens/refresh-token.ts'
import { firstCounter, forkedTokenCounter } from './tokens/rotation.ts'

/** The account that was used for the login, when it was linked, and the session at its OpenID provider. */
export type LoginAccount = { id: string; linkedAt: number; providerSession?: string | null | undefined }

export type SessionOrigin =
  | ({ kind: 'login'; account?: LoginAccount | undefined } & ProvenBrowser)
  /** A fork that has no key yet, because its one-use token was not redeemed. */
  | { kind: 'waiting-fork'; familyId: string }
  | { kind: 'fork'; familyId: string; provenKey: string }

export function newSession(
  context: Pick<ServerContext, 'clock' | 'keyring'>,
  owner: { appId: string; userId: string },
  origin: SessionOrigin,
): Session {
  const id = `ses_${randomId()}`
  const now = nowSeconds(context.clock)
  const waits = origin.kind === 'waiting-fork'
  const account = origin.kind === 'login' ? origin.account : undefined
  return {
    id,
    app_id: owner.appId,
    user_id: owner.userId,
    kind: origin.kind === 'login' ? 'login' : 'fork',
    family_id: origin.kind === 'login' ? id : origin.familyId,
    token_key: wrapTokenKey(newTokenKey(), id, context.keyring),
    counter: waits ? forkedTokenCounter : firstCounter,
    rotated_at_ms: context.clock.nowMs(),
    started_at: waits ? null : now,
    key_thumbprint: getKey(origin),
    device: origin.kind === 'login' ? origin.device : null,
    account_id: account?.id ?? null,
    account_linked_at: account?.linkedAt ?? null,
    provider_session: account?.providerSession ?? null,
    created_at: now,
    last_used_at: now,
    expires_at: waits ? now + serverLimits.oneUseCodeSeconds : slidingExpiry(now),
    revoked_at: null,
  }
}

function getKey(origin: SessionOrigin): string | null {
  switch (origin.kind) {
    case 'login':
      return origin.key
    case 'fork':
      return origin.provenKey
    case 'waiting-fork':
      return null
    default:
      return origin satisfies never
  }
}

export const slidingExpiry = (nowSeconds: number) => nowSeconds + serverLimits.refreshTokenSeconds
