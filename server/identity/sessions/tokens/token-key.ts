import type { ServerContext } from '../../../kernel/context.ts'
import type { Session } from '../store.ts'
import { unwrapTokenKey } from './refresh-token.ts'

/** A row that was read is checked and then answered from: its key is unwrapped once. */
const unwrapped = new WeakMap<Session, Uint8Array>()

export function tokenKeyOf({ keyring }: Pick<ServerContext, 'keyring'>, session: Session): Uint8Array {
  const known = unwrapped.get(session)
  if (known) return known
  const key = unwrapTokenKey(session.token_key, session.id, keyring)
  unwrapped.set(session, key)
  return key
}
