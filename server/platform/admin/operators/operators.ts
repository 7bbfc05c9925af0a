/** Operators of the dashboard: invited by a command and known by their passkeys, or by an OpenID provider. */
import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import { emailAddress } from '@latchkey/protocol'
import { type OperatorRole, type OperatorSignIn, operatorRoleNames } from '@latchkey/protocol/admin'
import * as v from 'valibot'
import { appById } from '../../../identity/apps/apps.ts'
import { AdminError } from '../../../kernel/http/admin-endpoint.ts'
import { randomId } from '../../../kernel/ids.ts'
import { type Clock, nowSeconds, type Reader, type Trx } from '../../../kernel/ports.ts'
import type { NewPasskey } from '../../../login/passkey/passkey.ts'
import { appendAdminAudit } from '../audit-chain.ts'
import { operatorLimits } from './limits.ts'
import { type OperatorPasskeyRow, type OperatorRow, withOperatorTables } from './tables.ts'

export type Operator = OperatorRow

/** Thrown for an invalid invitation or an unknown operator. Its message is for operators. */
export class OperatorRefusal extends Error {
  override name = 'OperatorRefusal'
}

export const hashSecret = (secret: string) => hash('sha256', secret, 'base64url')
export const randomSecret = () => randomBytes(32).toString('base64url')

/** The name of an operator in the audit log. */
export const operatorActor = ({ email }: Pick<Operator, 'email'>) => `operator:${email}`

/** An operator of the OpenID provider signs in there only, so that leaving a group there ends the access here. */
export const getSignIn = ({ issuer }: Pick<Operator, 'issuer'>): OperatorSignIn =>
  issuer === null ? 'passkey' : 'oidc'

type NewOperator = { email: string; role: string; appId: string | null; hours: number }

export const isRole = (name: string): name is OperatorRole => (operatorRoleNames as string[]).includes(name)

/** Creates an operator. Returns the part of the link after `#`. Only a hash of its secret is stored. */
export async function inviteOperator(
  trx: Trx,
  clock: Clock,
  { email: typedEmail, role, appId, hours }: NewOperator,
): Promise<{ operator: Operator; invitation: string; expiresAt: number }> {
  const email = v.safeParse(emailAddress, typedEmail)
  if (!email.success) throw new OperatorRefusal(`${typedEmail} is no e-mail address.`)
  if (!isRole(role)) {
    throw new OperatorRefusal(`There is no role ${role}. Roles: ${operatorRoleNames.join(', ')}.`)
  }
  const { longestInvitationHours } = operatorLimits
  if (!Number.isInteger(hours) || hours < 1 || hours > longestInvitationHours) {
    throw new OperatorRefusal(`An invitation expires after 1 to ${longestInvitationHours} hours.`)
  }
  if (appId !== null && (await appById(trx, appId)) === undefined) {
    throw new OperatorRefusal(`There is no app with the id ${appId}.`)
  }
  const now = nowSeconds(clock)
  const operator = await insertOperator(trx, {
    id: randomId(),
    email: email.output,
    role,
    app_id: appId,
    created_at: now,
    revoked_at: null,
    last_sign_in_at: null,
    issuer: null,
    subject: null,
  })
  const id = randomId()
  const secret = randomSecret()
  const expiresAt = now + hours * 3_600
  await withOperatorTables(trx)
    .insertInto('operator_invitations')
    .values({ id, secret_hash: hashSecret(secret), operator_id: operator.id, expires_at: expiresAt })
    .execute()
  await recordOperator(trx, clock, operator, { actor: 'command', operation: 'operator.invited' })
  return { operator, invitation: `${id}.${secret}`, expiresAt }
}

/** Returns the stored operator. It replaces an invited one without a passkey. */
async function insertOperator(trx: Trx, operator: Operator): Promise<Operator> {
  const earlier = await selectOperators(trx)
    .where('email', '=', operator.email)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  if (earlier && (getSignIn(earlier) === 'oidc' || (await listPasskeys(trx, earlier.id)).length > 0)) {
    throw new OperatorRefusal(`${operator.email} is an operator already. Revoke ${earlier.id} first.`)
  }
  const db = withOperatorTables(trx)
  if (earlier) {
    await db.deleteFrom('operator_invitations').where('operator_id', '=', earlier.id).execute()
    await db.deleteFrom('operators').where('id', '=', earlier.id).execute()
  }
  await db.insertInto('operators').values(operator).execute()
  return operator
}

const selectOperators = (reader: Reader) => withOperatorTables(reader).selectFrom('operators').selectAll()

export const findOperator = (reader: Reader, id: string): Promise<Operator | undefined> =>
  selectOperators(reader).where('id', '=', id).executeTakeFirst()

/** Returns the operators of one app, or all of them, oldest first, with the number of their passkeys. */
export async function listOperators(reader: Reader, appId: string | null) {
  const query = selectOperators(reader)
    .select((row) =>
      row
        .selectFrom('operator_passkeys')
        .whereRef('operator_passkeys.operator_id', '=', 'operators.id')
        .select(({ fn }) => fn.countAll<number | string>().as('passkeys'))
        .as('passkeys'),
    )
    .orderBy('created_at')
    .orderBy('id')
  const rows = await (appId === null ? query : query.where('app_id', '=', appId)).execute()
  return rows.map(({ passkeys, ...operator }) => ({ ...operator, passkeys: Number(passkeys) }))
}

/** Ends the sessions and removes passkeys and invitations. Returns false if the operator was revoked before. */
export async function revokeOperator(trx: Trx, now: number, id: string): Promise<boolean> {
  const db = withOperatorTables(trx)
  const revoked = await db
    .updateTable('operators')
    .set({ revoked_at: now })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  for (const table of ['operator_sessions', 'operator_passkeys', 'operator_invitations'] as const) {
    await db.deleteFrom(table).where('operator_id', '=', id).execute()
  }
  return revoked !== undefined
}

/** Revokes an operator by a command. Throws for an unknown id. */
export async function revokeOperatorByCommand(trx: Trx, clock: Clock, id: string): Promise<boolean> {
  const operator = await findOperator(trx, id)
  if (operator === undefined) throw new OperatorRefusal(`There is no operator with the id ${id}.`)
  if (!(await revokeOperator(trx, nowSeconds(clock), id))) return false
  await recordOperator(trx, clock, operator, { actor: 'command', operation: 'operator.revoked' })
  return true
}

/** Lets a revoked operator of the OpenID provider sign in again. Returns false if they were not revoked. */
export async function admitOperatorByCommand(trx: Trx, clock: Clock, id: string): Promise<boolean> {
  const operator = await findOperator(trx, id)
  if (operator === undefined) throw new OperatorRefusal(`There is no operator with the id ${id}.`)
  if (getSignIn(operator) === 'passkey') {
    throw new OperatorRefusal(`Invite ${operator.email} again: latchkey operator invite ${operator.email}`)
  }
  if (operator.revoked_at === null) return false
  const namesake = await selectOperators(trx)
    .where('email', '=', operator.email)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  if (namesake) {
    throw new OperatorRefusal(`${operator.email} is an operator already. Revoke ${namesake.id} first.`)
  }
  await withOperatorTables(trx)
    .updateTable('operators')
    .set({ revoked_at: null })
    .where('id', '=', id)
    .execute()
  await recordOperator(trx, clock, operator, { actor: 'command', operation: 'operator.admitted' })
  return true
}

/** Appends an entry about an operator, in the chain of their app. */
export const recordOperator = (
  trx: Trx,
  clock: Clock,
  operator: Operator,
  entry: { actor?: string; operation: string; requestId?: string; address?: string | undefined },
) =>
  appendAdminAudit(trx, clock, {
    chain: operator.app_id ?? '',
    actor: entry.actor ?? operatorActor(operator),
    operation: entry.operation,
    target: operator.id,
    status: 200,
    result: 'ok',
    request_id: entry.requestId ?? '',
    ...(entry.address !== undefined && { address: entry.address }),
  })

type Invitation = { id: string; operator: Operator; expiresAt: number }

/** Returns the invitation of `<id>.<secret>`, or undefined if it was used, has expired or is wrong. */
export async function findInvitation(
  reader: Reader,
  now: number,
  invitation: string,
): Promise<Invitation | undefined> {
  const [id = '', secret = ''] = invitation.split('.')
  const row = await withOperatorTables(reader)
    .selectFrom('operator_invitations')
    .selectAll()
    .where('id', '=', id)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  const operator = row && (await findOperator(reader, row.operator_id))
  if (!row || !operator || operator.revoked_at !== null) return undefined
  const isRight = timingSafeEqual(Buffer.from(row.secret_hash), Buffer.from(hashSecret(secret)))
  return isRight ? { id, operator, expiresAt: row.expires_at } : undefined
}

/** Consumes the invitation and stores the passkey. Returns false if another request consumed it. */
export async function joinByInvitation(
  trx: Trx,
  clock: Clock,
  { id, operator }: Invitation,
  passkey: NewPasskey,
): Promise<boolean> {
  const consumed = await withOperatorTables(trx)
    .deleteFrom('operator_invitations')
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
  return consumed !== undefined && insertPasskey(trx, clock, operator, passkey)
}

/** Returns false if the id is registered already. An authenticator returns a new id, so a known one proves nothing. */
async function insertPasskey(
  trx: Trx,
  clock: Clock,
  { id: operator_id }: Operator,
  { credentialId: credential_id, publicKey: public_key, counter }: NewPasskey,
): Promise<boolean> {
  const stored = await withOperatorTables(trx)
    .insertInto('operator_passkeys')
    .values({ credential_id, operator_id, public_key, counter, created_at: nowSeconds(clock) })
    .onConflict((conflict) => conflict.column('credential_id').doNothing())
    .returning('credential_id')
    .executeTakeFirst()
  return stored !== undefined
}

/** Stores a further passkey of an operator. */
export async function addPasskey(
  trx: Trx,
  clock: Clock,
  operator: Operator,
  passkey: NewPasskey,
): Promise<void> {
  await lockOperator(trx, operator)
  const { mostPasskeys } = operatorLimits
  if ((await listPasskeys(trx, operator.id)).length >= mostPasskeys) {
    throw new AdminError('too_many_passkeys', `An operator has at most ${mostPasskeys} passkeys`)
  }
  if (!(await insertPasskey(trx, clock, operator, passkey))) {
    throw new AdminError('sign_in_failed', 'The passkey is registered already')
  }
}

/** Removes a passkey of an operator, but never the last one. */
export async function removePasskey(trx: Trx, operator: Operator, credentialId: string): Promise<void> {
  await lockOperator(trx, operator)
  const passkeys = await listPasskeys(trx, operator.id)
  if (!passkeys.some(({ credential_id }) => credential_id === credentialId)) {
    throw new AdminError('passkey_not_found', 'The operator has no passkey with this id')
  }
  if (passkeys.length === 1) throw new AdminError('sole_passkey', 'Add another passkey first')
  await withOperatorTables(trx)
    .deleteFrom('operator_passkeys')
    .where('credential_id', '=', credentialId)
    .execute()
}

/** Locks an operator by an update without changes, so that of two concurrent removals the second sees the first. */
async function lockOperator(trx: Trx, { id }: Operator): Promise<void> {
  const locked = await withOperatorTables(trx)
    .updateTable('operators')
    .set((operator) => ({ email: operator.ref('email') }))
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  if (locked === undefined) throw new AdminError('session_expired', 'The operator was revoked')
}

const selectPasskeys = (reader: Reader) =>
  withOperatorTables(reader).selectFrom('operator_passkeys').selectAll()

export const findPasskey = (reader: Reader, credentialId: string): Promise<OperatorPasskeyRow | undefined> =>
  selectPasskeys(reader).where('credential_id', '=', credentialId).executeTakeFirst()

export const listPasskeys = (reader: Reader, operatorId: string): Promise<OperatorPasskeyRow[]> =>
  selectPasskeys(reader).where('operator_id', '=', operatorId).orderBy('created_at').execute()

/**
 * Updates the signature counter. Returns false if the passkey is gone or its counter increased meanwhile, which means
 * that one of two responses came from a copy. Authenticators without a counter always send 0.
 */
export async function countPasskey(trx: Trx, credentialId: string, counter: number): Promise<boolean> {
  const counted = await withOperatorTables(trx)
    .updateTable('operator_passkeys')
    .set({ counter })
    .where('credential_id', '=', credentialId)
    .where('counter', counter === 0 ? '=' : '<', counter)
    .returning('credential_id')
    .executeTakeFirst()
  return counted !== undefined
}
