/**
 * The sessions of a user, as the user sees and ends them. A fork belongs to the session that it was created by, and ends
 * with it.
 */
import { LatchkeyError } from '@latchkey/protocol'
import type { OwnSession } from '@latchkey/protocol/api'
import type { DialogToken, ServerContext } from '../../kernel/context.ts'
import { compileQuery, type Placeholder } from '../../kernel/db/compile-query.ts'
import type { Migrations } from '../../kernel/db/migrations/migration.ts'
import type { UserAgentNames } from '../../kernel/http/user-agent.ts'
import { nowSeconds, type Reader, type Trx } from '../../kernel/ports.ts'
import { auditSession } from './audit.ts'
import { requireLivingSession } from './grant.ts'
import { findLivingSessions, findSession, isAlive, revoke, type Session } from './store.ts'

type SessionBrowserRow = {
  session_id: string
  user_id: string
  browser: string | null
  system: string | null
  /** The key of the dialog in this browser. Null for logins before the column existed. */
  key_thumbprint: string | null
  created_at: number
}
const withBrowsers = (reader: Reader) => reader.withTables<{ session_browsers: SessionBrowserRow }>()

export const sessionMigrations: Migrations = {
  '0001-browsers': {
    async up({ schema }) {
      await schema
        .createTable('session_browsers')
        .addColumn('session_id', 'text', (column) => column.primaryKey())
        .addColumn('user_id', 'text', (column) => column.notNull())
        .addColumn('browser', 'text')
        .addColumn('system', 'text')
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .execute()
      await schema.createIndex('session_browsers_by_user').on('session_browsers').column('user_id').execute()
      await schema
        .createIndex('session_browsers_by_age')
        .on('session_browsers')
        .column('created_at')
        .execute()
    },
  },
  '0002-browser-keys': {
    async up({ schema }) {
      await schema.alterTable('session_browsers').addColumn('key_thumbprint', 'text').execute()
    },
  },
  '0003-provider-sessions': {
    async up({ schema }) {
      await schema.alterTable('sessions').addColumn('provider_session', 'text').execute()
      await schema
        .createIndex('sessions_by_provider_session')
        .on('sessions')
        .columns(['provider_session'])
        .execute()
    },
  },
}

export const sessionBrowserLimits = {
  /** The names and keys of browsers are personal data, and are kept for this long. */
  keptSeconds: 90 * 86_400,
  /** Users see when a session was last used to the hour. */
  usedRoundedToSeconds: 3_600,
} as const

const addBrowser = compileQuery((db, value: Placeholder<SessionBrowserRow>) =>
  withBrowsers(db)
    .insertInto('session_browsers')
    .values({
      session_id: value('session_id'),
      user_id: value('user_id'),
      browser: value('browser'),
      system: value('system'),
      key_thumbprint: value('key_thumbprint'),
      created_at: value('created_at'),
    }),
)

/** Stores the names and the key of the browser that logged in. */
export async function storeBrowser(
  trx: Trx,
  { id, user_id: userId, key_thumbprint: key, created_at: createdAt }: Session,
  { browser, system, device }: UserAgentNames,
): Promise<void> {
  await addBrowser(trx, {
    session_id: id,
    user_id: userId,
    browser: browser ?? null,
    system: device ?? system ?? null,
    key_thumbprint: key,
    created_at: createdAt,
  })
}

type UserBrowser = { userId: string; key: string }
const findLoginsOfBrowser = compileQuery((db, value: Placeholder<UserBrowser>) =>
  withBrowsers(db)
    .selectFrom('session_browsers')
    .select('session_id')
    .where('user_id', '=', value('userId'))
    .where('key_thumbprint', '=', value('key'))
    .union(
      db
        .selectFrom('sessions')
        .select('id as session_id')
        .where('user_id', '=', value('userId'))
        .where('key_thumbprint', '=', value('key')),
    )
    .limit(1),
)

/** Returns whether the user has logged in with this browser key in the last 90 days. */
export async function hasUsedBrowser(reader: Reader, browser: UserBrowser): Promise<boolean> {
  return (await findLoginsOfBrowser(reader, browser)).length > 0
}

/** Returns the living sessions of the caller, newest first, without their forks. */
export async function listOwnSessions(
  { db, clock }: Pick<ServerContext, 'db' | 'clock'>,
  caller: DialogToken,
): Promise<OwnSession[]> {
  const { appId, userId, sessionId } = caller
  const sessions = await findLivingSessions(db, { appId, userId }, nowSeconds(clock))
  const browsers = await withBrowsers(db)
    .selectFrom('session_browsers')
    .selectAll()
    .where('user_id', '=', userId)
    .execute()
  const current = sessions.find(({ id }) => id === sessionId)
  return sessions
    .filter(({ id, family_id: familyId }) => id === familyId)
    .map((session) => {
      const names = browsers.find((row) => row.session_id === session.id)
      const family = sessions.filter(({ family_id: familyId }) => familyId === session.id)
      const usedAt = Math.max(...family.map(({ last_used_at: at }) => at))
      return {
        id: session.id,
        browser: names?.browser ?? null,
        system: names?.system ?? null,
        createdAt: session.created_at,
        lastUsedAt: Math.max(
          session.created_at,
          usedAt - (usedAt % sessionBrowserLimits.usedRoundedToSeconds),
        ),
        isCurrent: session.id === current?.family_id,
        opensWallets: session.device !== null,
      }
    })
}

const sessionNotFound = () => new LatchkeyError('not_found', 'The user has no such session')

/** Ends a session of the caller with its forks. Repeating it changes nothing. */
export async function endOwnSession(
  context: ServerContext,
  caller: DialogToken,
  sessionId: string,
): Promise<void> {
  await context.transaction(async (trx) => {
    await requireLivingSession(trx, context, caller.sessionId)
    const session = await findSession(trx, sessionId)
    const isOwn = session?.user_id === caller.userId && session.app_id === caller.appId
    if (!isOwn || session.id !== session.family_id) throw sessionNotFound()
    if (isAlive(session, context.clock)) await endFamily(trx, context, session)
  })
}

/** Ends all sessions of the caller except the one that asks, with its forks. Returns how many ended. */
export async function endOtherSessions(context: ServerContext, caller: DialogToken): Promise<number> {
  const { appId, userId, sessionId } = caller
  return context.transaction(async (trx) => {
    const { family_id: ownFamily } = await requireLivingSession(trx, context, sessionId)
    const sessions = await findLivingSessions(trx, { appId, userId }, nowSeconds(context.clock))
    const others = sessions.filter(({ id, family_id: familyId }) => id === familyId && id !== ownFamily)
    for (const session of others) await endFamily(trx, context, session)
    return others.length
  })
}

async function endFamily(trx: Trx, context: ServerContext, session: Session): Promise<void> {
  await revoke(trx, { type: 'family', familyId: session.id }, nowSeconds(context.clock))
  await auditSession(trx, context, session, 'session.ended_by_user')
}
