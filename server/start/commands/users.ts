/** `latchkey users`: support commands. Each use is recorded in the audit log. */
import { toWire } from '@latchkey/protocol'
import { adminExportRoutes } from '@latchkey/protocol/admin'
import { blockUser, unblockUser } from '../../account/blocking/blocking.ts'
import { deleteUser } from '../../account/deletion/deletion.ts'
import { resetMethods } from '../../account/verification/verification.ts'
import { normalizeIdentifier } from '../../identity/apps/apps.ts'
import { AppRefusal, requireApp } from '../../identity/apps/manage.ts'
import { recordAudit } from '../../identity/audit/audit.ts'
import { endSessionsByOperator, findLivingSessions } from '../../identity/sessions/sessions.ts'
import {
  createExpectedUser,
  describeMissingUser,
  type FoundUser,
  findAccounts,
  findOneUser,
  findUserRecord,
  findUsers,
  isUser,
  parseUserReference,
  setExternalId,
} from '../../identity/users/users.ts'
import { createForget } from '../../kernel/capability.ts'
import { AdminError } from '../../kernel/http/admin-endpoint.ts'
import { nowSeconds, type Trx } from '../../kernel/ports.ts'
import { appendAdminAudit, parsePosition } from '../../platform/admin/admin.ts'
import { readExportBatches } from '../../platform/admin/exports/exports.ts'
import { capabilities } from '../capabilities.ts'
import { type Command, runTool, type Tool, type ToolContext } from './command.ts'
import { type CommandSpec, parseCommand, UsageError } from './spec.ts'
import { usersSpec } from './specs/users.ts'
import { table } from './table.ts'

const iso = (seconds: number) => new Date(seconds * 1_000).toISOString().replace('.000Z', 'Z')

type Values = {
  app: string | undefined
  session: string | undefined
  reason: string | undefined
  yes: boolean
  json: boolean
}
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
    const rows = matches.map((user) => [
      user.appId,
      user.userId,
      iso(user.createdAt),
      user.deletedAt !== null
        ? `deleted ${iso(user.deletedAt)}`
        : user.blockedAt !== null
          ? `blocked ${iso(user.blockedAt)}`
          : '',
    ])
    for (const line of table([['APP', 'USER', 'CREATED', ''], ...rows])) print(line)
  },

  async show(reference, { app, json }, context) {
    const { database, print } = context
    const user = await oneUser(reference, app, context, 'show')
    const { db } = database
    const record = await findUserRecord(db, user.appId, user.userId)
    if (record === undefined) throw noSuchUser(user)
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
      ...(user.blockedAt === null
        ? []
        : [['blocked', [iso(user.blockedAt), user.blockReason ?? []].flat().join('  ')]]),
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

  async revoke(reference, { app, session, json }, context) {
    const user = await requireOne(reference, app, context)
    const ended = await change(context, user, (trx) =>
      endSessionsByOperator(trx, context, toOwner(user), session),
    )
    if (session !== undefined && ended === 0)
      throw new AppRefusal(`User ${user.userId} has no session ${session}.`)
    report(context, json, user, { sessions: ended }, `Ended ${ended} sessions of user ${user.userId}.`)
  },

  async block(reference, { app, reason, yes, json }, context) {
    if (reason !== undefined && (reason.trim() === '' || reason.length > maxReasonLength)) {
      throw new AppRefusal(`--reason needs 1 to ${maxReasonLength} characters.`)
    }
    const user = await requireOne(reference, app, context)
    await confirmChange(context, user, yes, {
      question: 'This ends all sessions of the user and refuses their logins',
      unchanged: 'Nobody is blocked',
    })
    const ended = await change(context, user, (trx) =>
      blockUser(trx, context, toOwner(user), reason?.trim() ?? null),
    )
    if (ended === undefined) throw new AppRefusal(`User ${user.userId} is blocked already.`)
    const text = `Blocked user ${user.userId} and ended ${ended} sessions.`
    report(context, json, user, { sessions: ended }, text)
  },

  async unblock(reference, { app, json }, context) {
    const user = await requireOne(reference, app, context)
    const isUnblocked = await change(context, user, (trx) => unblockUser(trx, context, toOwner(user)))
    if (!isUnblocked) throw new AppRefusal(`User ${user.userId} is not blocked.`)
    report(context, json, user, {}, `User ${user.userId} can log in again.`)
  },

  async delete(reference, { app, yes, json }, context) {
    const user = await requireOne(reference, app, context)
    await confirmChange(context, user, yes, {
      question: 'This deletes the user and their wallets for good',
      unchanged: 'Nothing is deleted',
    })
    const sources = { clock: context.clock, forget: createForget(capabilities) }
    await change(context, user, (trx) =>
      deleteUser(trx, sources, { ...toOwner(user), sessionId: null, verified: null }),
    )
    report(context, json, user, {}, `Deleted user ${user.userId} and their wallets.`)
  },

  async 'mfa-reset'(reference, { app, yes, json }, context) {
    const user = await requireOne(reference, app, context)
    await confirmChange(context, user, yes, {
      question: 'This removes every verification method of the user and ends their sessions',
      unchanged: 'Nothing is removed',
    })
    const reset = await change(context, user, (trx) => resetMethods(trx, context, toOwner(user)))
    const text = `Removed from ${user.userId}: ${reset.methods.join(', ') || 'no methods'}.`
    report(context, json, user, reset, text)
  },
} satisfies Record<string, Action>

const maxReasonLength = 200

const toOwner = ({ appId, userId }: FoundUser) => ({ appId, userId })

const noSuchUser = ({ appId, userId }: FoundUser) =>
  new AppRefusal(`App ${appId} has no user with the id ${userId}.`)

/** Changes a user in a transaction. Throws if the user was deleted since they were found. */
const change = <Result>(
  { database }: ToolContext,
  user: FoundUser,
  work: (trx: Trx) => Promise<Result>,
): Promise<Result> =>
  database.transaction(async (trx) => {
    if (!(await isUser(trx, user.appId, user.userId))) throw noSuchUser(user)
    return work(trx)
  })

function report(
  { print }: ToolContext,
  json: boolean,
  { appId, userId }: FoundUser,
  result: object,
  text: string,
): void {
  print(json ? JSON.stringify({ app: appId, user: userId, ...result }) : text)
}

/** Asks the operator, with the accounts of the user. Throws unless the answer is yes. */
async function confirmChange(
  { database, confirm }: ToolContext,
  { appId, userId }: FoundUser,
  isConfirmed: boolean,
  { question, unchanged }: { question: string; unchanged: string },
): Promise<void> {
  if (isConfirmed) return
  const accounts = await findAccounts(database.db, userId)
  const names = accounts.map(({ type, identifier }) => `${type}:${identifier}`)
  const answer = await confirm(`${question}: ${userId} of app ${appId} (${names.join(', ')}).`)
  if (answer === 'no terminal')
    throw new AppRefusal(`${unchanged}: there is no terminal to confirm at. Add --yes.`)
  if (answer === 'no') throw new AppRefusal(`${unchanged}.`)
}

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

const jsonOfUser = (user: FoundUser) => ({
  app: user.appId,
  user: user.userId,
  created: iso(user.createdAt),
  deleted: user.deletedAt === null ? null : iso(user.deletedAt),
  blocked: user.blockedAt === null ? null : iso(user.blockedAt),
  blockReason: user.blockReason,
})

const createCommand =
  ({ options = {} }: CommandSpec, action: Action): Command =>
  async (args, context) => {
    const { values, positionals } = parseCommand({ options }, args)
    const [reference, ...more] = positionals
    if (reference === undefined || more.length > 0) throw new UsageError()
    const app = typeof values.app === 'string' ? values.app : undefined
    const session = typeof values.session === 'string' ? values.session : undefined
    const reason = typeof values.reason === 'string' ? values.reason : undefined
    if (app !== undefined) await requireApp(context.database.db, app)
    const isSet = (option: string) => values[option] === true
    await action(reference, { app, session, reason, yes: isSet('yes'), json: isSet('json') }, context)
  }

/** `latchkey users create`: creates a user before their first login. */
const create: Command = async (args, { database, clock, print }) => {
  const { values, positionals } = parseCommand(usersSpec.commands.create, args)
  const { app: appId, account: texts = [], 'external-id': externalId } = values
  if (appId === undefined || texts.length === 0 || positionals.length > 0) throw new UsageError()
  const app = await requireApp(database.db, appId)
  const accounts = texts.map((text) => {
    const at = text.indexOf(':')
    const type = text.slice(0, Math.max(at, 0))
    return { type, identifier: normalizeIdentifier(type, text.slice(at + 1)) }
  })
  const userId = await database.transaction(async (trx) => {
    const created = await createExpectedUser(trx, { clock }, { id: appId, maxUsers: app.max_users }, accounts)
    if (created.type === 'refused') {
      throw new AppRefusal(
        created.code === 'app_full'
          ? `App ${appId} takes no more users.`
          : 'Another user has one of the accounts, or was created for it.',
      )
    }
    const owner = { appId, userId: created.userId }
    if (externalId !== undefined && !(await setExternalId(trx, owner, externalId))) {
      throw new AppRefusal('Another user has the external id.')
    }
    await recordAudit(trx, clock, {
      event: 'user.created_by_operator',
      ...owner,
      sessionId: null,
      details: { accounts: accounts.map(({ type }) => type).join(' ') },
    })
    return created.userId
  })
  print(values.json ? JSON.stringify({ app: appId, user: userId }) : `Created user ${userId}.`)
}

/** `latchkey users export`: prints the lines of `exportUsers`. */
const exportUsers: Command = async (args, { database, clock, print }) => {
  const { values, positionals } = parseCommand(usersSpec.commands.export, args)
  const { app: appId, after } = values
  if (appId === undefined || positionals.length > 0) throw new UsageError()
  await requireApp(database.db, appId)
  const position = parsePosition(after)
  await database.transaction((trx) =>
    appendAdminAudit(trx, clock, {
      chain: appId,
      actor: 'command',
      operation: 'users.exported',
      status: 200,
      result: 'ok',
      request_id: '',
    }),
  )
  for await (const users of readExportBatches(database.db, appId, position)) {
    for (const user of users) print(JSON.stringify(toWire(adminExportRoutes.exportUsers.output, user)))
  }
}

export const usersTool: Tool = {
  name: 'users',
  spec: usersSpec,
  commands: {
    create,
    export: exportUsers,
    ...Object.fromEntries(
      (Object.keys(actions) as (keyof typeof actions)[]).map((name) => [
        name,
        createCommand(usersSpec.commands[name], actions[name]),
      ]),
    ),
  },
  isRefusal: (error) => error instanceof AppRefusal || error instanceof AdminError,
}

export const run = (args: string[]): Promise<void> => runTool(usersTool, args)
