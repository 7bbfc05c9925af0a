/** The OpenID provider of operators, configured by a command: its client, and the role of each group. */
import {
  type OperatorRole,
  oidcClientText,
  oidcProviderName,
  operatorRoleNames,
} from '@latchkey/protocol/admin'
import * as v from 'valibot'
import { appById } from '../../../identity/apps/apps.ts'
import type { Clock, Kms, Reader, Trx } from '../../../kernel/ports.ts'
import { discover, metadataSchema, unwrapClientSecret, wrapClientSecret } from '../../../login/oidc/oidc.ts'
import { appendAdminAudit } from '../audit-chain.ts'
import { operatorLimits } from './limits.ts'
import { isRole, OperatorRefusal } from './operators.ts'
import { type OperatorOidcRow, operatorOidcId, withOperatorTables } from './tables.ts'

/** The role of a group's members, for one app or for every app. */
const grantSchema = v.object({
  group: v.string(),
  role: v.picklist(operatorRoleNames),
  appId: v.nullable(v.string()),
})
export type RoleGrant = v.InferOutput<typeof grantSchema>

const toSettings = ({ client_id: clientId, groups_claim: groupsClaim, ...row }: OperatorOidcRow) => ({
  name: row.name,
  issuer: row.issuer,
  clientId,
  groupsClaim,
  scopes: row.scopes.split(' '),
  metadata: v.parse(metadataSchema, JSON.parse(row.metadata)),
  grants: v.parse(v.array(grantSchema), JSON.parse(row.grants)),
  readSecret: (kms: Kms) => unwrapClientSecret(kms, '', row),
})
export type OperatorOidc = ReturnType<typeof toSettings>

const selectProvider = (reader: Reader) =>
  withOperatorTables(reader).selectFrom('operator_oidc').selectAll().executeTakeFirst()

export async function findOperatorOidc(reader: Reader): Promise<OperatorOidc | undefined> {
  const row = await selectProvider(reader)
  return row && toSettings(row)
}

/** Parses `<group>=<role>` or `<group>=<role>:<app id>`. A group may contain `=`. */
function parseGrant(text: string): RoleGrant {
  const end = text.lastIndexOf('=')
  const [role = '', appId = null, ...more] = text.slice(end + 1).split(':')
  if (end < 1 || !isRole(role) || appId === '' || more.length > 0) {
    throw new OperatorRefusal(`--group ${text} must be <group>=<role> or <group>=<role>:<app id>.`)
  }
  return { group: text.slice(0, end), role, appId }
}

/** The first listed group of an operator decides. */
export const findGrant = (
  { grants }: Pick<OperatorOidc, 'grants'>,
  groups: string[],
): { role: OperatorRole; appId: string | null } | undefined =>
  grants.find(({ group }) => groups.includes(group))

const scopePattern = /^[\x21\x23-\x5b\x5d-\x7e]+$/

export type NewOperatorOidc = {
  issuer: string
  clientId: string
  clientSecret: string
  name: string
  groups: string[]
  groupsClaim: string
  scopes: string[]
}

/** Reads the discovery document and checks every field. Returns the row to store. */
export async function prepareOperatorOidc(
  reader: Reader,
  kms: () => Promise<Kms>,
  { issuer, clientId, clientSecret, groupsClaim, ...given }: NewOperatorOidc,
): Promise<OperatorOidcRow> {
  const name = v.safeParse(oidcProviderName, given.name)
  if (!name.success) throw new OperatorRefusal('--name must have 1 to 32 visible characters.')
  for (const [option, text] of [
    ['--client-id', clientId],
    ['--client-secret-file', clientSecret],
    ['--groups-claim', groupsClaim],
  ] as const) {
    if (!v.is(oidcClientText, text)) {
      throw new OperatorRefusal(`${option} must have visible ASCII characters only.`)
    }
  }
  const grants = given.groups.map(parseGrant)
  if (grants.length === 0 || grants.length > operatorLimits.mostGrants) {
    throw new OperatorRefusal(`Name 1 to ${operatorLimits.mostGrants} groups by --group.`)
  }
  for (const { appId } of grants) {
    if (appId !== null && (await appById(reader, appId)) === undefined) {
      throw new OperatorRefusal(`There is no app with the id ${appId}.`)
    }
  }
  const scopes = [...new Set(['openid', ...given.scopes])]
  if (scopes.some((scope) => !scopePattern.test(scope))) {
    throw new OperatorRefusal('--scope must be one scope.')
  }
  const discovery = await discover(issuer)
  if (discovery.type === 'refused') throw new OperatorRefusal(discovery.lines.join('\n'))
  return {
    id: operatorOidcId,
    name: name.output,
    issuer,
    client_id: clientId,
    client_secret: await wrapClientSecret(await kms(), '', { id: operatorOidcId, issuer }, clientSecret),
    metadata: JSON.stringify(discovery.metadata),
    scopes: scopes.join(' '),
    groups_claim: groupsClaim,
    grants: JSON.stringify(grants),
  }
}

/** Replaces the provider, or removes it. Ends the sessions of its operators, so that the new roles apply at once. */
export async function changeOperatorOidc(
  trx: Trx,
  clock: Clock,
  row: OperatorOidcRow | undefined,
): Promise<void> {
  const db = withOperatorTables(trx)
  await db.deleteFrom('operator_oidc').execute()
  if (row) await db.insertInto('operator_oidc').values(row).execute()
  await db
    .deleteFrom('operator_sessions')
    .where('operator_id', 'in', (query) =>
      query.selectFrom('operators').select('id').where('issuer', 'is not', null),
    )
    .execute()
  await appendAdminAudit(trx, clock, {
    chain: '',
    actor: 'command',
    operation: row ? 'operator.oidc_set' : 'operator.oidc_removed',
    target: row?.issuer ?? null,
    status: 200,
    result: 'ok',
    request_id: '',
  })
}
