/** Stores the objects of the OpenID provider, named by hashes and sealed. */
import { createHash } from 'node:crypto'
import { product } from '@latchkey/protocol'
import type { AdapterPayload } from 'oidc-provider'
import type { ServerContext } from '../../../kernel/context.ts'
import { nowSeconds, type Reader, type Trx } from '../../../kernel/ports.ts'
import { seal, unseal } from '../../../login/window/window.ts'
import { providerTables } from '../tables.ts'

/** The name of a record: its app, kind and id. */
export type RecordName = { appId: string; kind: string; id: string }
type Sources = Pick<ServerContext, 'keyring' | 'clock'>

const hashName = ({ appId, kind, id }: RecordName) =>
  createHash('sha256').update(`${product.key}/openid\n${kind}\n${appId}\n${id}`).digest('base64url')
const getSealContext = ({ appId, kind }: RecordName) => `openid ${kind} of ${appId}`

const toRow = (context: Sources, name: RecordName, payload: AdapterPayload, seconds: number) => ({
  id: hashName(name),
  app_id: name.appId,
  kind: name.kind,
  user_id: payload.accountId ?? null,
  client_id: payload.clientId ?? null,
  grant_id: name.kind === 'Grant' ? name.id : (payload.grantId ?? null),
  payload: seal(context, name.id, getSealContext(name), JSON.stringify(payload)),
  consumed_at: null,
  expires_at: nowSeconds(context.clock) + seconds,
})

export async function putRecord(
  reader: Reader,
  context: Sources,
  name: RecordName,
  payload: AdapterPayload,
  seconds: number,
): Promise<void> {
  const { id: _, ...row } = toRow(context, name, payload, seconds)
  await providerTables(reader)
    .insertInto('openid_records')
    .values({ id: hashName(name), ...row })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
    .execute()
}

/** Inserts a record. Returns false if it exists, so that only one of two concurrent calls succeeds. */
export async function addRecord(
  reader: Reader,
  context: Sources,
  name: RecordName,
  payload: AdapterPayload,
  seconds: number,
): Promise<boolean> {
  const inserted = await providerTables(reader)
    .insertInto('openid_records')
    .values(toRow(context, name, payload, seconds))
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted !== undefined
}

/** Finds and unseals a record. The seal proves that this server wrote it, so the payload is not validated. */
export async function findRecord(
  reader: Reader,
  context: Sources,
  name: RecordName,
): Promise<AdapterPayload | undefined> {
  const row = await providerTables(reader)
    .selectFrom('openid_records')
    .select(['payload', 'consumed_at'])
    .where('id', '=', hashName(name))
    .where('expires_at', '>', nowSeconds(context.clock))
    .executeTakeFirst()
  if (!row) return undefined
  const payload: AdapterPayload = JSON.parse(unseal(context, name.id, getSealContext(name), row.payload))
  return row.consumed_at === null ? payload : { ...payload, consumed: row.consumed_at }
}

/** Consumes a record. Returns false if it is missing or already used. */
export async function consumeRecord(reader: Reader, { clock }: Sources, name: RecordName): Promise<boolean> {
  const now = nowSeconds(clock)
  const consumed = await providerTables(reader)
    .updateTable('openid_records')
    .set({ consumed_at: now })
    .where('id', '=', hashName(name))
    .where('consumed_at', 'is', null)
    .where('expires_at', '>', now)
    .returning('id')
    .executeTakeFirst()
  return consumed !== undefined
}

export async function removeRecord(reader: Reader, name: RecordName): Promise<void> {
  await providerTables(reader).deleteFrom('openid_records').where('id', '=', hashName(name)).execute()
}

/** Extends a grant to the lifetime of its tokens. */
export async function prolongGrant(
  reader: Reader,
  { clock }: Sources,
  name: Omit<RecordName, 'kind'>,
  seconds: number,
): Promise<void> {
  await providerTables(reader)
    .updateTable('openid_records')
    .set({ expires_at: nowSeconds(clock) + seconds })
    .where('id', '=', hashName({ ...name, kind: 'Grant' }))
    .execute()
}

export async function removeOfGrant(
  reader: Reader,
  { appId, kind, grantId }: { appId: string; kind: string; grantId: string },
): Promise<void> {
  await providerTables(reader)
    .deleteFrom('openid_records')
    .where('app_id', '=', appId)
    .where('kind', '=', kind)
    .where('grant_id', '=', grantId)
    .execute()
}

/** Deletes all records of a client, for one user or for all users. */
export async function removeOfClient(
  trx: Trx,
  { appId, clientId, userId }: { appId: string; clientId: string; userId?: string },
): Promise<void> {
  const records = providerTables(trx)
    .deleteFrom('openid_records')
    .where('app_id', '=', appId)
    .where('client_id', '=', clientId)
  await (userId === undefined ? records : records.where('user_id', '=', userId)).execute()
}

/** Returns the metadata of a token for the operator, without unsealing it. */
export const describeRecord = (reader: Reader, name: RecordName) =>
  providerTables(reader)
    .selectFrom('openid_records')
    .select(['kind', 'user_id', 'client_id', 'consumed_at', 'expires_at'])
    .where('id', '=', hashName(name))
    .executeTakeFirst()
