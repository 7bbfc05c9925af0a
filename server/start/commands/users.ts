/** `latchkey users`: finds and shows users, and ends their sessions. Each use is recorded in the audit log. */
import { AppRefusal, requireApp } from '../../identity/apps/manage.ts'
import { recordAudit } from '../../identity/audit/audit.ts'
import { endSessionsByOperator, findLivingSessions } from '../../identity/sessions/sessions.ts'
import {
  describeMissingUser,
  type FoundUser,
  findAccounts,
  findOneUser,
  findUsers,
  parseUserReference,
  requireUser,
} from '../../identity/users/users.ts'
import { nowSeconds } from '../../kernel/ports.ts'
import { type Command, runTool, type Tool, type ToolContext } from './command.ts'
import { type CommandSpec, parseCommand, UsageError } from './spec.ts'
import { usersSpec } from './specs/users.ts'
import { table } from './table.ts'

const iso = (seconds: number) => new Date(seconds * 1_000).toISOString().replace('.000Z', 'Z')

type Values = { app: string | undefined; session: string | undefined; json: boolean }
type Action = (reference: string, values: Values, context: ToolContext) => Promise<void>

const actions = {
  async find(reference, { app, json }, { database, clock, print }) {
    const parsed = parseUserReference(reference)
    const matches = await findUsers(database.db, parsed, app)
    await database.transaction(async (trx) => {
      for (const user of matches) await recordAudit(trx, clock, createViewEntry(user, 'find'))
      if (matches.length > 0) return
      const entry = { event: 'user.viewed_by_operator', appId: app ?? null, userId: null, sessionId: null }
      await recordAudit(trx, clock, { ...entry, details: { command: 'find', found: 0 } })
    })
    if (matches.length === 0) throw new AppRefusal(describeMissingUser(parsed, [], app))
    if (json) {
      for (const user of matches) print(JSON.stringify(jsonOfUser(user)))
      return
    }
    const rows = matches.map(({ appId, userId, createdAt, deletedAt }) => [
      appId,
      userId,
      iso(createdAt),
      deletedAt === null ? '' : `deleted ${iso(deletedAt)}`,
    ])
    for (const line of table([['APP', 'USER', 'CREATED', ''], ...rows])) print(line)
  },

  async show(reference, { app, json }, context) {
    const { database, print } = context
    const user = await oneUser(reference, app, context, 'show')
    const { db } = database
    const record = await requireUser(db, user.appId, user.userId)
    const accounts = await findAccounts(db, user.userId)
    const sessions = await findLivingSessions(db, user, nowSeconds(context.clock))
    const wallets = record.linkedAccounts.flatMap((account) =>
      account.type === 'wallet' && account.connectorType === 'embedded' ? [account] : [],
    )
    if (json) {
      return print(JSON.stringify({ ...jsonOfUser(user), ...record, sessions: sessions.length }, null, 2))
    }
    const lines = [
      ['user', user.userId],
      ['app', user.appId],
      ['created', iso(user.createdAt)],
      ...accounts.map((account) => [
        'account',
        `${account.type}:${account.identifier}  since ${iso(account.first_verified_at)}, last ${iso(account.latest_verified_at)}`,
      ]),
      ...wallets.map((wallet) => [
        'wallet',
        `${wallet.chainType} ${wallet.address}  since ${iso(wallet.firstVerifiedAt ?? 0)}`,
      ]),
      ...record.mfaMethods.map(({ type, verifiedAt }) => [
        'verification',
        `${type}  since ${iso(verifiedAt)}`,
      ]),
      ['sessions', String(sessions.length)],
    ]
    for (const line of table(lines)) print(line)
  },

  async sessions(reference, { app, json }, context) {
    const user = await oneUser(reference, app, context, 'sessions')
    const sessions = await findLivingSessions(context.database.db, user, nowSeconds(context.clock))
    if (json) {
      for (const { id, kind, family_id, created_at, last_used_at, expires_at } of sessions) {
        const times = { created: iso(created_at), used: iso(last_used_at), expires: iso(expires_at) }
        context.print(
          JSON.stringify({ session: id, kind, parent: family_id === id ? null : family_id, ...times }),
        )
      }
      return
    }
    if (sessions.length === 0) return context.print(`User ${user.userId} has no session.`)
    const rows = sessions.map((session) => [
      session.id,
      session.kind,
      ...[session.created_at, session.last_used_at, session.expires_at].map(iso),
    ])
    for (const line of table([['SESSION', 'KIND', 'CREATED', 'LAST USED', 'EXPIRES'], ...rows]))
      context.print(line)
  },

  async revoke(reference, { app, session }, context) {
    const { database, clock, print } = context
    const user = await requireOne(reference, app, context)
    const owner = { appId: user.appId, userId: user.userId }
    const ended = await database.transaction((trx) => endSessionsByOperator(trx, { clock }, owner, session))
    if (session !== undefined && ended === 0)
      throw new AppRefusal(`User ${user.userId} has no session ${session}.`)
    print(`Ended ${ended} sessions of user ${user.userId}.`)
  },
} satisfies Record<string, Action>

async function requireOne(
  reference: string,
  app: string | undefined,
  { database }: ToolContext,
): Promise<FoundUser> {
  const match = await findOneUser(database.db, reference, app)
  if (match.type === 'refused') throw new AppRefusal(match.lines.join('\n'))
  return match.user
}

async function oneUser(
  reference: string,
  app: string | undefined,
  context: ToolContext,
  command: string,
): Promise<FoundUser> {
  const user = await requireOne(reference, app, context)
  await context.database.transaction((trx) => recordAudit(trx, context.clock, createViewEntry(user, command)))
  return user
}

const createViewEntry = ({ appId, userId }: FoundUser, command: string) => ({
  event: 'user.viewed_by_operator',
  appId,
  userId,
  sessionId: null,
  details: { command },
})

const jsonOfUser = ({ appId, userId, createdAt, deletedAt }: FoundUser) => ({
  app: appId,
  user: userId,
  created: iso(createdAt),
  deleted: deletedAt === null ? null : iso(deletedAt),
})

const createCommand =
  ({ options = {} }: CommandSpec, action: Action): Command =>
  async (args, context) => {
    const { values, positionals } = parseCommand({ options }, args)
    const [reference, ...more] = positionals
    if (reference === undefined || more.length > 0) throw new UsageError()
    const app = typeof values.app === 'string' ? values.app : undefined
    const session = typeof values.session === 'string' ? values.session : undefined
    if (app !== undefined) await requireApp(context.database.db, app)
    await action(reference, { app, session, json: values.json === true }, context)
  }

export const usersTool: Tool = {
  name: 'users',
  spec: usersSpec,
  commands: Object.fromEntries(
    (Object.keys(actions) as (keyof typeof actions)[]).map((name) => [
      name,
      createCommand(usersSpec.commands[name], actions[name]),
    ]),
  ),
  isRefusal: (error) => error instanceof AppRefusal,
}

export const run = (args: readonly string[]): Promise<void> => runTool(usersTool, args)
