import type { MfaMethodType } from '@latchkey/protocol'
import type { Reader } from '../../kernel/ports.ts'

type Login = {
  /** When what it was logged in with came to its user; undefined for a session that does not say. */
  readonly since: number | undefined
  /** The user began with it. */
  readonly isFirst: boolean
}

export async function loginOf(reader: Reader, sessionId: string): Promise<Login | undefined> {
  const session = await reader
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select(['sessions.account_linked_at', 'users.created_at'])
    .where('sessions.id', '=', sessionId)
    .executeTakeFirst()
  if (!session) return undefined
  const since = session.account_linked_at ?? undefined
  return { since, isFirst: since === session.created_at }
}

/** A list of passkeys that was changed is a new one. */
export async function factorsOf(
  reader: Reader,
  userId: string,
): Promise<readonly { readonly method: MfaMethodType; readonly since: number }[]> {
  const rows = await reader
    .selectFrom('mfa_methods')
    .select(['method', 'enrolled_at', 'changed_at'])
    .where('user_id', '=', userId)
    .where('status', '=', 'enrolled')
    .execute()
  return rows.flatMap(({ method, enrolled_at, changed_at }) =>
    enrolled_at === null ? [] : [{ method, since: Math.max(enrolled_at, changed_at ?? 0) }],
  )
}
