import type { Row } from '../db/schema.ts'
import { type Clock, nowSeconds, type Reader } from '../ports.ts'

export type Session = Row<'sessions'>
export type NewSession = Session

/** A session with what it depends on: it is over when the session it was forked from is. */
export type SessionInFamily = Session & {
  readonly root_expires_at: number
  readonly root_revoked_at: number | null
}

export const findSession = (reader: Reader, id: string): Promise<SessionInFamily | undefined> =>
  reader
    .selectFrom('sessions as session')
    .innerJoin('sessions as root', 'root.id', 'session.family_id')
    .selectAll('session')
    .select(['root.expires_at as root_expires_at', 'root.revoked_at as root_revoked_at'])
    .where('session.id', '=', id)
    .executeTakeFirst()

export const isAlive = (session: SessionInFamily, clock: Clock): boolean => {
  const now = nowSeconds(clock)
  return (
    session.revoked_at === null &&
    session.root_revoked_at === null &&
    session.expires_at > now &&
    session.root_expires_at > now
  )
}

export const insertSession = async (reader: Reader, session: NewSession): Promise<void> => {
  await reader.insertInto('sessions').values(session).execute()
}

type Advance = {
  readonly id: string
  readonly from: number
  readonly nowMs: number
  readonly nowSeconds: number
  readonly expiresAt: number
}

/** Compare and set: of several that come with the same newest token, one gets through. */
export async function advanceCounter(reader: Reader, advance: Advance): Promise<boolean> {
  const updated = await reader
    .updateTable('sessions')
    .set({
      counter: advance.from + 1,
      rotated_at_ms: advance.nowMs,
      last_used_at: advance.nowSeconds,
      expires_at: advance.expiresAt,
    })
    .where('id', '=', advance.id)
    .where('counter', '=', advance.from)
    .where('revoked_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return updated !== undefined
}

/** A forked token is used up by this statement, whoever runs it first. */
export async function startFork(
  reader: Reader,
  advance: Advance & { readonly keyThumbprint: string | null },
): Promise<boolean> {
  const updated = await reader
    .updateTable('sessions')
    .set({
      counter: advance.from + 1,
      rotated_at_ms: advance.nowMs,
      started_at: advance.nowSeconds,
      last_used_at: advance.nowSeconds,
      expires_at: advance.expiresAt,
      key_thumbprint: advance.keyThumbprint,
    })
    .where('id', '=', advance.id)
    .where('counter', '=', advance.from)
    .where('started_at', 'is', null)
    .where('revoked_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return updated !== undefined
}

export type Revocation =
  | { readonly what: 'session'; readonly sessionId: string }
  | { readonly what: 'family'; readonly familyId: string }
  | { readonly what: 'user'; readonly appId: string; readonly userId: string }

/** The ids that were alive until now. */
export async function revoke(reader: Reader, revocation: Revocation, nowSeconds: number): Promise<string[]> {
  const rows = await reader
    .updateTable('sessions')
    .set({ revoked_at: nowSeconds })
    .where('revoked_at', 'is', null)
    .where((where) => {
      switch (revocation.what) {
        case 'session':
          return where('id', '=', revocation.sessionId)
        case 'family':
          return where('family_id', '=', revocation.familyId)
        case 'user':
          return where.and({ user_id: revocation.userId, app_id: revocation.appId })
        default:
          return revocation satisfies never
      }
    })
    .returning('id')
    .execute()
  return rows.map((row) => row.id)
}

export async function insertSessionCode(reader: Reader, code: Row<'session_codes'>): Promise<void> {
  await reader.insertInto('session_codes').values(code).execute()
}

/** The session that made the code; used up by this statement. */
export async function useSessionCode(
  reader: Reader,
  code: { readonly appId: string; readonly codeHash: string; readonly nowSeconds: number },
): Promise<string | undefined> {
  const used = await reader
    .updateTable('session_codes')
    .set({ used_at: code.nowSeconds })
    .where('code_hash', '=', code.codeHash)
    .where('app_id', '=', code.appId)
    .where('used_at', 'is', null)
    .where('expires_at', '>', code.nowSeconds)
    .returning('session_id')
    .executeTakeFirst()
  return used?.session_id
}

export async function sessionCodeWasUsed(reader: Reader, appId: string, codeHash: string): Promise<boolean> {
  const row = await reader
    .selectFrom('session_codes')
    .select('used_at')
    .where('code_hash', '=', codeHash)
    .where('app_id', '=', appId)
    .executeTakeFirst()
  return row !== undefined && row.used_at !== null
}
