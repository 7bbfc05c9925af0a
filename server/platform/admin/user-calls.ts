/** Calls about users. The changes are the functions that `latchkey users` calls. */
import { LatchkeyError, type MfaMethodType } from '@latchkey/protocol'
import {
  type AdminErrorCode,
  type AdminListedUser,
  adminLimits,
  adminUserRoutes,
} from '@latchkey/protocol/admin'
import { blockUser, unblockUser } from '../../account/blocking/blocking.ts'
import { deleteUser } from '../../account/deletion/deletion.ts'
import { resetMethods } from '../../account/verification/verification.ts'
import { AppRefusal, normalizeIdentifier } from '../../identity/apps/apps.ts'
import { endSessionsByOperator, findLivingSessions } from '../../identity/sessions/sessions.ts'
import {
  createExpectedUser,
  findUsers,
  findUsersByPrefix,
  isUser,
  lockUser,
  parseUserReference,
  readUsersPage,
  setExternalId,
  setMetadata,
  type UnlinkRefusal,
  unlinkAccount,
} from '../../identity/users/users.ts'
import type { ServerContext } from '../../kernel/context.ts'
import {
  type AdminCall,
  type AdminEndpoint,
  AdminError,
  adminChange,
  adminPreparedChange,
  adminRead,
} from '../../kernel/http/admin-endpoint.ts'
import { nowSeconds, type Reader, type Trx } from '../../kernel/ports.ts'
import { assertMatches } from './calls.ts'
import { agreeToReset, describeFactorReset, findFactorReset, removeFactorReset } from './factor-resets.ts'
import { formatPosition, formatTime, parsePosition, parseSeconds, toPage } from './pages.ts'
import { describeUser, describeUsers, maskUser, userNotFound } from './user-objects.ts'

type UserReference = ReturnType<typeof parseUserReference>

/** Each look-up of `listUsers`, by its wire name. */
const lookUps = {
  email: (address) => parseAccount('email', address),
  phone: (number) => parseAccount('phone', number),
  wallet: (address) => parseUserReference(`wallet:${address}`),
  account: parseTypedAccount,
  external_id: (id) => ({ by: 'external', id }),
} as const satisfies Record<string, (text: string) => UserReference>
type LookUp = keyof typeof lookUps

const parseAccount = (type: string, text: string): UserReference => ({
  by: 'account',
  type,
  identifier: normalizeIdentifier(type, text),
})

function parseTypedAccount(text: string): UserReference {
  const [, type = '', identifier = ''] = /^([a-z][a-z_]*):(.+)$/s.exec(text) ?? []
  return parseAccount(type, identifier)
}

/** Parses an identifier as logins do. */
function parseIdentifier(type: string, identifier: string): string {
  try {
    return normalizeIdentifier(type, identifier)
  } catch (error) {
    if (!(error instanceof AppRefusal)) throw error
    throw new AdminError('invalid_data', 'The value is malformed', { path: 'identifier', cause: error })
  }
}

/** Parses the look-up. An invalid address or number is an error, not an empty answer. */
function parseLookUp(name: LookUp, text: string): UserReference {
  try {
    return lookUps[name](text)
  } catch (error) {
    if (!(error instanceof AppRefusal)) throw error
    throw new AdminError('invalid_data', 'The value is malformed', { path: name, cause: error })
  }
}

type ListQuery = AdminCall<typeof adminUserRoutes.listUsers>['query']

function findLookUp({ externalId, ...query }: ListQuery): UserReference | undefined {
  const fields = { ...query, ...(externalId !== undefined && { external_id: externalId }) }
  const [name, another] = (Object.keys(lookUps) as LookUp[]).filter((each) => fields[each] !== undefined)
  if (name === undefined) return undefined
  const further = another ?? Object.keys(fields).find((field) => field !== name)
  if (further !== undefined) {
    throw new AdminError('invalid_data', `${name} is looked up alone`, { path: further })
  }
  return parseLookUp(name, fields[name] ?? '')
}

async function readPage({ appId, query }: AdminCall<typeof adminUserRoutes.listUsers>, reader: Reader) {
  const { after, limit = adminLimits.defaultPerPage, createdAfter, createdBefore, blocked } = query
  const filter = {
    appId,
    createdFrom: parseSeconds(createdAfter),
    createdBefore: parseSeconds(createdBefore),
    isBlocked: blocked === undefined ? undefined : blocked === 'true',
  }
  const users = await readUsersPage(reader, filter, parsePosition(after), limit + 1)
  const { page, next } = toPage(users, limit, ({ createdAt, userId }) =>
    formatPosition({ at: createdAt, id: userId }),
  )
  return { users: page, next }
}

const accountTypes = { email: 'email', external_id: 'custom_auth' } as const

const userId = ({ params }: Pick<AdminCall, 'params'>) => params.user ?? ''
const toOwner = (call: Pick<AdminCall, 'appId' | 'params'>) => ({ appId: call.appId, userId: userId(call) })

async function assertUser(reader: Reader, call: Pick<AdminCall, 'appId' | 'params'>): Promise<void> {
  if (!(await isUser(reader, call.appId, userId(call)))) throw userNotFound(userId(call))
}

/** Locks the user, so that `If-Match` still holds when the change is made. */
async function lockUserOfCall(trx: Trx, call: Pick<AdminCall, 'appId' | 'params'>): Promise<void> {
  await assertUser(trx, call)
  await lockUser(trx, toOwner(call)).catch((error: unknown) => {
    throw error instanceof LatchkeyError ? userNotFound(userId(call)) : error
  })
}

/** Blocks the user, or removes the block. Returns how many sessions ended. */
async function changeBlock(
  trx: Trx,
  context: ServerContext,
  call: Pick<AdminCall, 'appId' | 'params'>,
  blocked: { reason?: string } | null,
): Promise<number> {
  if (blocked === null) {
    if (await unblockUser(trx, context, toOwner(call))) return 0
    throw new AdminError('not_blocked', `User ${userId(call)} is not blocked`)
  }
  const ended = await blockUser(trx, context, toOwner(call), blocked.reason ?? null)
  if (ended === undefined) throw new AdminError('already_blocked', `User ${userId(call)} is blocked already`)
  return ended
}

const createErrors = {
  account_taken: 'Another user has one of the accounts, or was created for it',
  app_full: 'Raise max_users, or delete a user',
} as const

const externalIdTaken = () =>
  new AdminError('external_id_taken', 'Remove the id from the other user first', { path: 'external_id' })

const unlinkErrors = {
  linked_account_not_found: ['account_not_found', 'The user has no such account'],
  cannot_unlink_sole_account: ['sole_account', 'Delete or block the user instead'],
} as const satisfies Record<UnlinkRefusal, Readonly<[AdminErrorCode, string]>>

export const userEndpoints: AdminEndpoint[] = [
  adminRead(adminUserRoutes.listUsers, async (call, { db }) => {
    const reference = findLookUp(call.query)
    const { users, next } = reference
      ? { users: [...(await findUsers(db, reference, call.appId))], next: null }
      : await readPage(call, db)
    const listed = await describeUsers(db, users)
    return { output: { data: listed.map((user) => maskUser(call.caller, user)), next } }
  }),

  adminRead(adminUserRoutes.searchUsers, async ({ appId, body }, { db }) => {
    const { prefix, kinds = ['email'], limit = adminLimits.defaultSearchResults } = body
    const results = new Map<string, AdminListedUser>()
    for (const kind of kinds) {
      // E-mail addresses are stored in lowercase. External ids are case-sensitive.
      const search = kind === 'email' ? prefix.normalize('NFC').toLowerCase() : prefix
      const users = await findUsersByPrefix(db, { appId, type: accountTypes[kind], prefix: search, limit })
      for (const user of await describeUsers(db, users)) results.set(user.id, user)
    }
    return { output: { data: [...results.values()].slice(0, limit) } }
  }),

  adminPreparedChange(
    adminUserRoutes.createUser,
    async ({ appId }, { apps }) => apps.find(appId),
    async (trx, { appId, body }, context, app) => {
      if (app === undefined) throw new AdminError('app_not_found', `There is no app ${appId}`)
      const { accounts, externalId, metadata } = body
      const names = accounts.map(({ type, identifier }) => ({
        type,
        identifier: parseIdentifier(type, identifier),
      }))
      const created = await createExpectedUser(trx, context, app, names)
      if (created.type === 'refused') throw new AdminError(created.code, createErrors[created.code])
      const owner = { appId, userId: created.userId }
      if (metadata !== undefined) await setMetadata(trx, owner, metadata)
      if (externalId !== undefined && !(await setExternalId(trx, owner, externalId))) throw externalIdTaken()
      const { digest } = await describeUser(trx, appId, created.userId)
      return { output: { id: created.userId }, digest }
    },
  ),

  adminRead(adminUserRoutes.getUser, async (call, { db }) => {
    const { user, digest } = await describeUser(db, call.appId, userId(call))
    return { output: maskUser(call.caller, user), digest }
  }),

  adminChange(adminUserRoutes.updateUser, async (trx, call, context) => {
    await lockUserOfCall(trx, call)
    const { digest: before } = await describeUser(trx, call.appId, userId(call))
    assertMatches(call, before)
    const { blocked, metadata, externalId } = call.body
    if (Object.keys(call.body).length === 0) {
      throw new AdminError('invalid_data', 'Name a field to change', { path: '' })
    }
    const sessionsEnded = blocked === undefined ? 0 : await changeBlock(trx, context, call, blocked)
    if (metadata !== undefined) await setMetadata(trx, toOwner(call), metadata)
    if (externalId !== undefined && !(await setExternalId(trx, toOwner(call), externalId))) {
      throw externalIdTaken()
    }
    const { user, digest } = await describeUser(trx, call.appId, userId(call))
    return { output: { id: userId(call), blocked: user.blocked !== null, sessionsEnded }, before, digest }
  }),

  adminChange(adminUserRoutes.deleteUser, async (trx, call, { clock, capabilities }) => {
    await lockUserOfCall(trx, call)
    const { digest: before } = await describeUser(trx, call.appId, userId(call))
    assertMatches(call, before)
    const sources = { clock, forget: capabilities.forget }
    await deleteUser(trx, sources, { ...toOwner(call), sessionId: null, verified: null })
    return { output: { id: userId(call) }, before, digest: null }
  }),

  adminRead(adminUserRoutes.listSessions, async (call, { db, clock }) => {
    await assertUser(db, call)
    const sessions = await findLivingSessions(db, toOwner(call), nowSeconds(clock))
    return {
      output: {
        data: sessions.map((session) => ({
          id: session.id,
          kind: session.kind,
          parentId: session.family_id === session.id ? null : session.family_id,
          createdAt: formatTime(session.created_at),
          lastUsedAt: formatTime(session.last_used_at),
          expiresAt: formatTime(session.expires_at),
        })),
      },
    }
  }),

  adminChange(adminUserRoutes.endSessions, async (trx, call, context) => {
    await assertUser(trx, call)
    return { output: { sessionsEnded: await endSessionsByOperator(trx, context, toOwner(call)) } }
  }),

  adminChange(adminUserRoutes.endSession, async (trx, call, context) => {
    await assertUser(trx, call)
    const { session = '' } = call.params
    const sessionsEnded = await endSessionsByOperator(trx, context, toOwner(call), session)
    if (sessionsEnded === 0) {
      throw new AdminError('session_not_found', `User ${userId(call)} has no session ${session}`)
    }
    return { output: { sessionsEnded } }
  }),

  adminChange(adminUserRoutes.unlinkAccount, async (trx, call, context) => {
    await lockUserOfCall(trx, call)
    const { digest: before } = await describeUser(trx, call.appId, userId(call))
    assertMatches(call, before)
    const { type, identifier } = call.body
    const account = { type, identifier: parseIdentifier(type, identifier) }
    const owner = { ...toOwner(call), sessionId: null }
    const outcome = await unlinkAccount(trx, context, owner, account)
    if (outcome.type === 'refused') {
      const [code, detail] = unlinkErrors[outcome.code]
      throw new AdminError(code, detail)
    }
    const { digest } = await describeUser(trx, call.appId, userId(call))
    return { output: { id: userId(call) }, before, digest }
  }),

  adminRead(adminUserRoutes.getFactorReset, async (call, { db, clock }) => {
    await describeUser(db, call.appId, userId(call))
    return { output: { request: describeFactorReset(await findFactorReset(db, clock, userId(call))) } }
  }),

  adminChange(adminUserRoutes.cancelFactorReset, async (trx, call) => {
    await lockUserOfCall(trx, call)
    await removeFactorReset(trx, userId(call))
    return { output: { request: null } }
  }),

  adminChange(adminUserRoutes.resetFactors, async (trx, call, context) => {
    await lockUserOfCall(trx, call)
    const { digest: before } = await describeUser(trx, call.appId, userId(call))
    if (!(await agreeToReset(trx, context.clock, toOwner(call), call.caller))) {
      const request = describeFactorReset(await findFactorReset(trx, context.clock, userId(call)))
      const removed: MfaMethodType[] = []
      return { output: { removed, sessionsEnded: 0, request }, digest: before }
    }
    await removeFactorReset(trx, userId(call))
    const { methods, sessions } = await resetMethods(trx, context, toOwner(call))
    const { digest } = await describeUser(trx, call.appId, userId(call))
    const removed: MfaMethodType[] = [...methods]
    return { output: { removed, sessionsEnded: sessions, request: null }, before, digest }
  }),
]
