import type { ExpressionBuilder } from 'kysely'
import { compileQuery, type Placeholder } from '../../kernel/db/compile-query.ts'
import type { Database, Row } from '../../kernel/db/schema.ts'
import { type Clock, nowSeconds, type Reader } from '../../kernel/ports.ts'
import { firstCounter } from './tokens/rotation.ts'

type SessionTable = {
  id: string
  app_id: string
  user_id: string
  /** Whether a fork may call an endpoint is declared by `forks` in `protocol/api`. */
  kind: 'login' | 'fork'
  /** The root session, with which all others of the family end. Its own id for a root session. */
  family_id: string
  /** 32 random bytes, wrapped. Refresh tokens are HMACs of (session, counter) with this key. */
  token_key: string
  /** The counter of the newest refresh token. */
  counter: number
  /** When `counter` was last incremented, in milliseconds. */
  rotated_at_ms: number
  /** Null for a fork until its one-use token is redeemed. */
  started_at: number | null
  /** The thumbprint of the browser's key, which every refresh and call must prove. Null until the session starts. */
  key_thumbprint: string | null
  /** The thumbprint of the vault's device key. Null if none was bound. Shares are released to this vault only. */
  device: string | null
  /** The linked account used for the login. Null for forks and for sessions older than this column. */
  account_id: string | null
  /** When that account was linked. */
  account_linked_at: number | null
  /** The hash of the OpenID provider's session (`sid`), for back-channel logouts. Null without one. */
  provider_session: string | null
  created_at: number
  last_used_at: number
  expires_at: number
  revoked_at: number | null
}

type SessionCodeTable = {
  code_hash: string
  app_id: string
  session_id: string
  expires_at: number
  /** The session that was started with the code. */
  started_session_id: string | null
}

declare module '../../kernel/db/schema.ts' {
  interface Database {
    sessions: SessionTable
    session_codes: SessionCodeTable
  }
}

export type Session = Row<'sessions'>

/** A session with the state of its root session. It ends when its root does. */
export type SessionInFamily = Session & {
  root_expires_at: number
  root_revoked_at: number | null
}

const sessionInFamily = compileQuery((db, value: Placeholder<{ id: string }>) =>
  db
    .selectFrom('sessions as session')
    .innerJoin('sessions as root', 'root.id', 'session.family_id')
    .selectAll('session')
    .select(['root.expires_at as root_expires_at', 'root.revoked_at as root_revoked_at'])
    .where('session.id', '=', value('id')),
)
export async function findSession(reader: Reader, id: string): Promise<SessionInFamily | undefined> {
  const [session] = await sessionInFamily(reader, { id })
  return session
}

export const isAlive = (session: SessionInFamily, clock: Clock): boolean => {
  const now = nowSeconds(clock)
  return (
    session.revoked_at === null &&
    session.root_revoked_at === null &&
    session.expires_at > now &&
    session.root_expires_at > now
  )
}

export async function findLivingSession(
  reader: Reader,
  id: string,
  clock: Clock,
): Promise<SessionInFamily | undefined> {
  const session = await findSession(reader, id)
  return session && isAlive(session, clock) ? session : undefined
}

/** Returns the living sessions of a user, newest first. */
export const findLivingSessions = (
  reader: Reader,
  { appId, userId }: { appId: string; userId: string },
  nowSeconds: number,
): Promise<readonly SessionInFamily[]> =>
  reader
    .selectFrom('sessions as session')
    .innerJoin('sessions as root', 'root.id', 'session.family_id')
    .selectAll('session')
    .select(['root.expires_at as root_expires_at', 'root.revoked_at as root_revoked_at'])
    .where('session.app_id', '=', appId)
    .where('session.user_id', '=', userId)
    .where('session.revoked_at', 'is', null)
    .where('root.revoked_at', 'is', null)
    .where('session.expires_at', '>', nowSeconds)
    .where('root.expires_at', '>', nowSeconds)
    .orderBy('session.created_at', 'desc')
    .orderBy('session.id')
    .execute()

/** The sessions at an OpenID provider that ended. At least one of the last two is set. */
export type ProviderSessions = {
  appId: string
  account?: { id: string; userId: string }
  providerSession?: string
}

/** Returns the living root sessions. */
export const findSessionsOfProvider = (
  reader: Reader,
  { appId, account, providerSession }: ProviderSessions,
): Promise<Session[]> =>
  reader
    .selectFrom('sessions')
    .selectAll()
    .where('app_id', '=', appId)
    .where('revoked_at', 'is', null)
    .whereRef('id', '=', 'family_id')
    .where((where) =>
      where.and({
        ...(account && { user_id: account.userId, account_id: account.id }),
        ...(providerSession !== undefined && { provider_session: providerSession }),
      }),
    )
    .execute()

const addSession = compileQuery((db, value: Placeholder<Session>) =>
  db.insertInto('sessions').values({
    id: value('id'),
    app_id: value('app_id'),
    user_id: value('user_id'),
    kind: value('kind'),
    family_id: value('family_id'),
    token_key: value('token_key'),
    counter: value('counter'),
    rotated_at_ms: value('rotated_at_ms'),
    started_at: value('started_at'),
    key_thumbprint: value('key_thumbprint'),
    device: value('device'),
    account_id: value('account_id'),
    account_linked_at: value('account_linked_at'),
    provider_session: value('provider_session'),
    created_at: value('created_at'),
    last_used_at: value('last_used_at'),
    expires_at: value('expires_at'),
    revoked_at: value('revoked_at'),
  }),
)
export async function insertSession(reader: Reader, session: Session): Promise<void> {
  await addSession(reader, session)
}

type Advance = {
  id: string
  from: number
  nowMs: number
  nowSeconds: number
  expiresAt: number
}

const advance = compileQuery((db, value: Placeholder<Advance>) =>
  db
    .updateTable('sessions')
    .set((session) => ({
      counter: session('counter', '+', 1),
      rotated_at_ms: value('nowMs'),
      last_used_at: value('nowSeconds'),
      expires_at: value('expiresAt'),
    }))
    .where('id', '=', value('id'))
    .where('counter', '=', value('from'))
    .where('revoked_at', 'is', null)
    .returning('id'),
)
/** Increments the counter by compare-and-set: of several calls with the newest token, one succeeds. */
export async function advanceCounter(reader: Reader, values: Advance): Promise<boolean> {
  const [advanced] = await advance(reader, values)
  return advanced !== undefined
}

/** Starts a waiting fork and binds it to the caller's key. Only the first call succeeds. */
export async function startFork(
  reader: Reader,
  advance: Advance & { keyThumbprint: string },
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

/** Sets the device of a new login session. Only the first call succeeds. */
export async function setDevice(
  reader: Reader,
  { id, device, createdAfter }: { id: string; device: string; createdAfter: number },
): Promise<boolean> {
  const updated = await reader
    .updateTable('sessions')
    .set({ device })
    .where('id', '=', id)
    .where('device', 'is', null)
    .where('kind', '=', 'login')
    .where('created_at', '>=', createdAfter)
    .where('revoked_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return updated !== undefined
}

export type Revocation =
  | { type: 'session'; sessionId: string }
  | { type: 'family'; familyId: string }
  | { type: 'user'; appId: string; userId: string }

/** Revokes sessions. Returns how many were alive. */
export async function revoke(reader: Reader, revocation: Revocation, nowSeconds: number): Promise<number> {
  const rows = await reader
    .updateTable('sessions')
    .set({ revoked_at: nowSeconds })
    .where('revoked_at', 'is', null)
    .where((where) => {
      switch (revocation.type) {
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
  return rows.length
}

export async function revokeEverySession(reader: Reader, nowSeconds: number): Promise<void> {
  await reader
    .updateTable('sessions')
    .set({ revoked_at: nowSeconds })
    .where('revoked_at', 'is', null)
    .execute()
}

type OrphanFilter = {
  userId: string
  keyThumbprint: string
  otherThan: string
  upTo: number
}

/** Matches older logins of the same user and key with an unused first refresh token. */
const matchesOrphans =
  ({ userId, keyThumbprint, otherThan, upTo }: OrphanFilter) =>
  (where: ExpressionBuilder<Database, 'sessions'>) =>
    where.and([
      where('user_id', '=', userId),
      where('key_thumbprint', '=', keyThumbprint),
      where('kind', '=', 'login'),
      where('counter', '=', firstCounter),
      where('created_at', '<=', upTo),
      where('id', '<>', otherThan),
      where('revoked_at', 'is', null),
    ])

const findOrphan = compileQuery((db, value: Placeholder<OrphanFilter>) =>
  db
    .selectFrom('sessions')
    .select('id')
    .where(
      matchesOrphans({
        userId: value('userId'),
        keyThumbprint: value('keyThumbprint'),
        otherThan: value('otherThan'),
        upTo: value('upTo'),
      }),
    )
    .limit(1),
)
export async function hasOrphans(reader: Reader, of: OrphanFilter): Promise<boolean> {
  const [session] = await findOrphan(reader, of)
  return session !== undefined
}

/** Revokes the matching sessions. Returns their ids. */
export async function revokeOrphans(reader: Reader, of: OrphanFilter, nowSeconds: number): Promise<string[]> {
  const rows = await reader
    .updateTable('sessions')
    .set({ revoked_at: nowSeconds })
    .where(matchesOrphans(of))
    .returning('id')
    .execute()
  return rows.map((row) => row.id)
}

export async function insertSessionCode(reader: Reader, code: Row<'session_codes'>): Promise<void> {
  await reader.insertInto('session_codes').values(code).execute()
}

export const findSessionCode = (
  reader: Reader,
  appId: string,
  codeHash: string,
): Promise<Row<'session_codes'> | undefined> =>
  reader
    .selectFrom('session_codes')
    .selectAll()
    .where('code_hash', '=', codeHash)
    .where('app_id', '=', appId)
    .executeTakeFirst()

/** Uses up the code for the caller's new session. Only the first call succeeds. */
export async function useSessionCode(
  reader: Reader,
  use: { codeHash: string; sessionId: string; nowSeconds: number },
): Promise<boolean> {
  const used = await reader
    .updateTable('session_codes')
    .set({ started_session_id: use.sessionId })
    .where('code_hash', '=', use.codeHash)
    .where('started_session_id', 'is', null)
    .where('expires_at', '>', use.nowSeconds)
    .returning('code_hash')
    .executeTakeFirst()
  return used !== undefined
}

export async function removeSessionCodes(reader: Reader, appId: string, userId: string): Promise<void> {
  await reader
    .deleteFrom('session_codes')
    .where('app_id', '=', appId)
    .where('session_id', 'in', (select) =>
      select.selectFrom('sessions').select('id').where('user_id', '=', userId).where('app_id', '=', appId),
    )
    .execute()
}
