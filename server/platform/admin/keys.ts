/** Admin keys: created by a command, shown once, stored as a hash. */
import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import { type AdminScope, adminScopeNames } from '@latchkey/protocol/admin'
import { appById } from '../../identity/apps/apps.ts'
import { createNetworkList, type parseAddress, parseNetwork } from '../../kernel/http/addresses/networks.ts'
import { randomLetters } from '../../kernel/ids.ts'
import { type Clock, nowSeconds, type Reader, type Trx } from '../../kernel/ports.ts'
import { appendAdminAudit } from './audit-chain.ts'
import { adminServerLimits } from './limits.ts'
import { withAdminTables } from './tables.ts'

const daySeconds = 86_400
const idLength = 16
const prefix = 'lk'
const presentedKey = /^lk_([a-z0-9]{16})_([A-Za-z0-9_-]{43})$/

export type AdminKey = {
  id: string
  name: string
  /** The person or team that uses the key. */
  operator: string | null
  scopes: AdminScope[]
  appId: string | null
  networks: string[]
  createdAt: number
  expiresAt: number
  revokedAt: number | null
  lastUsedDay: number | null
}

export type NewAdminKey = {
  name: string
  operator?: string | undefined
  scopes: string[]
  appId: string | null
  networks: string[]
  days: number
}

/** Thrown for an invalid new key or an unknown key id. Its message is for operators. */
export class AdminKeyRefusal extends Error {
  override name = 'AdminKeyRefusal'
}

const isScope = (name: string): name is AdminScope => (adminScopeNames as string[]).includes(name)

const parseStoredScopes = (text: string): AdminScope[] => text.split(' ').filter(isScope)
const splitList = (text: string) => (text === '' ? [] : text.split(' '))

const { maxNameLength } = adminServerLimits
const isName = (text: string) => text.trim() !== '' && text.length <= maxNameLength && !/\p{C}/u.test(text)

/** Normalizes an operator's name, so that two spellings count as one operator. */
const normalizeOperator = (name: string) => name.normalize('NFKC').trim().toLowerCase()

function assertValid({ name, operator, scopes, networks, days }: NewAdminKey): void {
  const { mostNetworks, longestKeyDays } = adminServerLimits
  if (!isName(name)) throw new AdminKeyRefusal(`The name needs 1 to ${maxNameLength} visible characters.`)
  if (operator === undefined && scopes.some((scope) => scope.startsWith('approvals:'))) {
    throw new AdminKeyRefusal('A key with an approvals scope needs --operator, the person who uses it.')
  }
  if (operator !== undefined && (!isName(operator) || normalizeOperator(operator) === commandOperator)) {
    throw new AdminKeyRefusal(
      `The operator needs 1 to ${maxNameLength} visible characters, and cannot be "${commandOperator}".`,
    )
  }
  if (scopes.length === 0) throw new AdminKeyRefusal(`A key needs a scope: ${adminScopeNames.join(', ')}.`)
  const unknownScope = scopes.find((scope) => !isScope(scope))
  if (unknownScope !== undefined) {
    throw new AdminKeyRefusal(`There is no scope ${unknownScope}. Scopes: ${adminScopeNames.join(', ')}.`)
  }
  const badNetwork = networks.find((network) => parseNetwork(network) === undefined)
  if (badNetwork !== undefined) {
    throw new AdminKeyRefusal(`${badNetwork} is no address or network such as 10.0.0.0/8.`)
  }
  if (networks.length > mostNetworks) throw new AdminKeyRefusal(`A key has at most ${mostNetworks} networks.`)
  if (!Number.isInteger(days) || days < 1 || days > longestKeyDays) {
    throw new AdminKeyRefusal(`A key expires after 1 to ${longestKeyDays} days.`)
  }
}

/** The operator of changes by commands. */
export const commandOperator = 'command'

/** Creates a key. Returns it with its secret, which is stored nowhere. */
export async function createAdminKey(
  trx: Trx,
  clock: Clock,
  key: NewAdminKey,
): Promise<{ key: AdminKey; secret: string }> {
  assertValid(key)
  if (key.appId !== null && (await appById(trx, key.appId)) === undefined) {
    throw new AdminKeyRefusal(`There is no app with the id ${key.appId}.`)
  }
  const id = randomLetters(idLength)
  const secret = randomBytes(32).toString('base64url')
  const now = nowSeconds(clock)
  const created: AdminKey = {
    id,
    name: key.name.trim(),
    operator: key.operator === undefined ? null : normalizeOperator(key.operator),
    scopes: [...new Set(key.scopes)].filter(isScope),
    appId: key.appId,
    networks: [...new Set(key.networks)],
    createdAt: now,
    expiresAt: now + key.days * daySeconds,
    revokedAt: null,
    lastUsedDay: null,
  }
  await withAdminTables(trx)
    .insertInto('admin_keys')
    .values({
      id,
      name: created.name,
      operator: created.operator,
      secret_hash: hashSecret(secret),
      scopes: created.scopes.join(' '),
      app_id: created.appId,
      networks: created.networks.join(' '),
      created_at: now,
      expires_at: created.expiresAt,
      revoked_at: null,
      last_used_day: null,
    })
    .execute()
  await recordCommand(trx, clock, 'admin_key.created', created)
  return { key: created, secret: `${prefix}_${id}_${secret}` }
}

export const listAdminKeys = async (reader: Reader): Promise<AdminKey[]> =>
  (await selectKeys(reader).orderBy('created_at').orderBy('id').execute()).map(toKey)

export async function findAdminKey(reader: Reader, id: string): Promise<AdminKey | undefined> {
  const row = await selectKeys(reader).where('id', '=', id).executeTakeFirst()
  return row && toKey(row)
}

/** Revokes a key by a command. Returns false if it is revoked already. Throws for an unknown id. */
export async function revokeAdminKey(trx: Trx, clock: Clock, id: string): Promise<boolean> {
  const key = await findAdminKey(trx, id)
  if (key === undefined) throw new AdminKeyRefusal(`There is no admin key with the id ${id}.`)
  if (!(await markKeyRevoked(trx, clock, id))) return false
  await recordCommand(trx, clock, 'admin_key.revoked', key)
  return true
}

/** Returns false if the key is revoked already. */
export async function markKeyRevoked(trx: Trx, clock: Clock, id: string): Promise<boolean> {
  const revoked = await withAdminTables(trx)
    .updateTable('admin_keys')
    .set({ revoked_at: nowSeconds(clock) })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return revoked !== undefined
}

const recordCommand = (trx: Trx, clock: Clock, operation: string, { id, appId, scopes }: AdminKey) =>
  appendAdminAudit(trx, clock, {
    chain: appId ?? '',
    actor: 'command',
    operation,
    scope: scopes.join(' '),
    target: id,
    status: 200,
    result: 'ok',
    request_id: '',
  })

const selectKeys = (reader: Reader) => withAdminTables(reader).selectFrom('admin_keys').selectAll()
type KeyRow = Awaited<ReturnType<ReturnType<typeof selectKeys>['executeTakeFirstOrThrow']>>

const toKey = (row: KeyRow): AdminKey => ({
  id: row.id,
  name: row.name,
  operator: row.operator,
  scopes: parseStoredScopes(row.scopes),
  appId: row.app_id,
  networks: splitList(row.networks),
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  revokedAt: row.revoked_at,
  lastUsedDay: row.last_used_day,
})

const hashSecret = (secret: string) => hash('sha256', secret, 'base64url')

/** Returns the key of an `Authorization` header, also a revoked or expired one, or undefined if the secret is wrong. */
export async function findPresentedKey(
  reader: Reader,
  authorization: string | undefined,
): Promise<AdminKey | undefined> {
  const [scheme = '', token = '', ...rest] = (authorization ?? '').split(' ')
  const [, id = '', secret = ''] = presentedKey.exec(token) ?? []
  if (scheme.toLowerCase() !== 'bearer' || rest.length > 0 || id === '') return undefined
  const row = await selectKeys(reader).where('id', '=', id).executeTakeFirst()
  if (row === undefined) return undefined
  const isRight = timingSafeEqual(Buffer.from(row.secret_hash), Buffer.from(hashSecret(secret)))
  return isRight ? toKey(row) : undefined
}

/** A key with a list of networks accepts no client of unknown address. */
export function acceptsAddress({ networks }: AdminKey, address: ReturnType<typeof parseAddress>): boolean {
  if (networks.length === 0) return true
  return address !== undefined && createNetworkList(networks)(address)
}

/** Stores the day of the use. Writes at most once a day. */
export async function markKeyUsed(reader: Reader, clock: Clock, key: AdminKey): Promise<void> {
  const now = nowSeconds(clock)
  const day = now - (now % daySeconds)
  if (key.lastUsedDay !== null && key.lastUsedDay >= day) return
  await withAdminTables(reader)
    .updateTable('admin_keys')
    .set({ last_used_day: day })
    .where('id', '=', key.id)
    .execute()
}
