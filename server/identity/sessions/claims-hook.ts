/** The hook `token.claims`: a backend of the operator adds claims to host tokens. `platform/hooks` asks it. */
import type { ServerContext } from '../../kernel/context.ts'
import type { Reader } from '../../kernel/ports.ts'
import { registryKey } from '../../kernel/registry.ts'
import type { Session } from './store.ts'

export type HookClaims = Readonly<Record<string, unknown>>

/** Claims of a session. Without stored ones, `ask` requests them, and must run outside of a connection. */
export type SessionClaims =
  | { type: 'stored'; claims: HookClaims }
  | { type: 'missing'; ask: () => Promise<HookClaims | undefined> }

type ClaimsHook = (
  reader: Reader,
  context: ServerContext,
  session: Pick<Session, 'id' | 'family_id' | 'app_id' | 'user_id'>,
) => Promise<SessionClaims | undefined>

/** Returns undefined if the app has no such hook. */
export const claimsHook = registryKey<ClaimsHook>('the hook of claims')
