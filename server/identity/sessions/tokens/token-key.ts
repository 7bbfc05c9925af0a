import type { ServerContext } from '../../../kernel/context.ts'
import type { Session } from '../store.ts'
import { unwrapTokenKey } from './refresh-token.ts'

/** Caches the unwrapped key per row, because verification and response both use it. */
const tokenKeys = new WeakMap<Session, Uint8Array>()

export function getTokenKey({ keyring }: Pick<ServerContext, 'keyring'>, session: Session): Uint8Array {
  const cached = tokenKeys.get(session)
  if (cached) return cached
  const key = unwrapTokenKey(session.token_key, session.id, keyring)
  tokenKeys.set(session, key)
  return key
}
