/** Calls about operators and admin keys. They remove authority only: commands invite operators and create keys. */
import { type AdminKeyObject, type AdminOperator, adminOperatorRoutes } from '@latchkey/protocol/admin'
import {
  type AdminEndpoint,
  AdminError,
  adminChange,
  adminRead,
} from '../../../kernel/http/admin-endpoint.ts'
import { nowSeconds } from '../../../kernel/ports.ts'
import { type AdminKey, findAdminKey, listAdminKeys, markKeyRevoked } from '../keys.ts'
import { formatTime } from '../pages.ts'
import { findOperator, getSignIn, listOperators, revokeOperator } from './operators.ts'

const formatOptional = (seconds: number | null) => (seconds === null ? null : formatTime(seconds))

const describeOperator = (row: Awaited<ReturnType<typeof listOperators>>[number]): AdminOperator => ({
  id: row.id,
  email: row.email,
  signIn: getSignIn(row),
  role: row.role,
  appId: row.app_id,
  state:
    row.revoked_at !== null
      ? 'revoked'
      : row.passkeys > 0 || getSignIn(row) === 'oidc'
        ? 'active'
        : 'invited',
  createdAt: formatTime(row.created_at),
  lastSignInAt: formatOptional(row.last_sign_in_at),
})

const describeKey = ({ id, name, operator, scopes, appId, networks, ...key }: AdminKey): AdminKeyObject => ({
  id,
  name,
  operator,
  scopes,
  appId,
  networks,
  createdAt: formatTime(key.createdAt),
  expiresAt: formatTime(key.expiresAt),
  revokedAt: formatOptional(key.revokedAt),
  lastUsedOn: formatOptional(key.lastUsedDay),
})

const operatorNotFound = (id: string) => new AdminError('operator_not_found', `There is no operator ${id}`)
const keyNotFound = (id: string) => new AdminError('key_not_found', `There is no admin key ${id}`)

export const operatorEndpoints: AdminEndpoint[] = [
  adminRead(adminOperatorRoutes.listOperators, async ({ caller }, { db }) => ({
    output: { data: (await listOperators(db, caller.appId)).map(describeOperator) },
  })),

  adminChange(adminOperatorRoutes.revokeOperator, async (trx, { caller, params }, { clock }) => {
    const { operator: id = '' } = params
    const operator = await findOperator(trx, id)
    const isVisible = operator && (caller.appId === null || caller.appId === operator.app_id)
    if (!isVisible || !(await revokeOperator(trx, nowSeconds(clock), id))) throw operatorNotFound(id)
    return { output: { id } }
  }),

  adminRead(adminOperatorRoutes.listAdminKeys, async ({ caller }, { db }) => {
    const keys = await listAdminKeys(db)
    const visible = keys.filter(({ appId }) => caller.appId === null || caller.appId === appId)
    return { output: { data: visible.map(describeKey) } }
  }),

  adminChange(adminOperatorRoutes.revokeAdminKey, async (trx, { caller, params }, { clock }) => {
    const { key: id = '' } = params
    const key = await findAdminKey(trx, id)
    const isVisible = key && (caller.appId === null || caller.appId === key.appId)
    if (!isVisible || !(await markKeyRevoked(trx, clock, id))) throw keyNotFound(id)
    return { output: { id } }
  }),
]
