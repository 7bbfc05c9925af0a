/** The token issuers of apps. */
import type { Migration } from '../../kernel/db/migrations/migration.ts'
import type { Reader } from '../../kernel/ports.ts'

export type IssuerRow = {
  app_id: string
  jwks_url: string
  issuer: string
  audience: string
  /** The claim that identifies the user. It must be stable. */
  claim: string
}

const table = 'custom_jwt_issuers'
const issuersIn = (reader: Reader) => reader.withTables<{ custom_jwt_issuers: IssuerRow }>()

export const customJwtTables: Migration = {
  async up(db) {
    await db.schema
      .createTable(table)
      .addColumn('app_id', 'text', (column) => column.primaryKey())
      .addColumn('jwks_url', 'text', (column) => column.notNull())
      .addColumn('issuer', 'text', (column) => column.notNull())
      .addColumn('audience', 'text', (column) => column.notNull())
      .addColumn('claim', 'text', (column) => column.notNull())
      .execute()
  },
}

export const findIssuer = (reader: Reader, appId: string): Promise<IssuerRow | undefined> =>
  issuersIn(reader).selectFrom(table).selectAll().where('app_id', '=', appId).executeTakeFirst()

/** Returns whether the app has accounts that an issuer identified. */
export async function hasAccounts(reader: Reader, appId: string): Promise<boolean> {
  const account = await reader
    .selectFrom('linked_accounts')
    .select('id')
    .where('app_id', '=', appId)
    .where('type', '=', 'custom_auth')
    .limit(1)
    .executeTakeFirst()
  return account !== undefined
}

/** Returns whether the issuer's subject identifies this user. */
export async function hasAccount(
  reader: Reader,
  appId: string,
  userId: string,
  subject: string,
): Promise<boolean> {
  const account = await reader
    .selectFrom('linked_accounts')
    .select('id')
    .where('app_id', '=', appId)
    .where('user_id', '=', userId)
    .where('type', '=', 'custom_auth')
    .where('identifier', '=', subject)
    .executeTakeFirst()
  return account !== undefined
}

export async function putIssuer(reader: Reader, row: IssuerRow): Promise<void> {
  const { app_id: _, ...issuer } = row
  await issuersIn(reader)
    .insertInto(table)
    .values(row)
    .onConflict((conflict) => conflict.column('app_id').doUpdateSet(issuer))
    .execute()
}

export async function removeIssuer(reader: Reader, appId: string): Promise<void> {
  await issuersIn(reader).deleteFrom(table).where('app_id', '=', appId).execute()
}
