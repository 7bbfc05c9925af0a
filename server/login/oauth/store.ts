/** Logins at a provider that are under way, a row each. */
import type { oauthFailures } from '@latchkey/protocol/api'
import type { Kysely, Migration } from 'kysely'
import type { Reader } from '../../kernel/ports.ts'
import type { FlowProvider } from './provider.ts'

export type Flow = {
  /** Names the start page; made by the dialog where it opens that page itself. */
  readonly handle: string
  readonly app_id: string
  readonly provider: FlowProvider
  /** `bindingHash` of the browser that began. */
  readonly binding: string
  readonly code_challenge: string
  /** The dialog's own: it gets it back with the code. */
  readonly state_code: string
  /**
   * The challenge of the secret that the result is given for; null where the result comes in the query of
   * `redirect_to`.
   */
  readonly relay_challenge: string | null
  readonly redirect_to: string
  /** The key of the browser, where the provider binds its tokens to it. */
  readonly proof_key: string | null
  /** What the provider's redirect said, sealed; null until then. */
  readonly answer: string | null
  /** Why that was no code, for the dialog. */
  readonly failure: FlowFailure | null
  readonly used_at: number | null
  readonly expires_at: number
}
export type FlowFailure = (typeof oauthFailures)[number]

const table = 'oauth_flows'
const flowsIn = (reader: Reader) => reader.withTables<{ oauth_flows: Flow }>()

export const oauthTables: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable(table)
      .addColumn('handle', 'text', (column) => column.primaryKey())
      .addColumn('app_id', 'text', (column) => column.notNull())
      .addColumn('provider', 'text', (column) => column.notNull())
      .addColumn('binding', 'text', (column) => column.notNull())
      .addColumn('code_challenge', 'text', (column) => column.notNull())
      .addColumn('state_code', 'text', (column) => column.notNull())
      .addColumn('relay_challenge', 'text')
      .addColumn('redirect_to', 'text', (column) => column.notNull())
      .addColumn('browser_hash', 'text')
      .addColumn('answer', 'text')
      .addColumn('failure', 'text')
      .addColumn('used_at', 'bigint')
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .execute()
    await db.schema.createIndex('oauth_flows_by_expiry').on(table).column('expires_at').execute()
  },
}

/** Which browser was sent on is in `window_starts`. No release had a table with this column, so none reads it. */
export const withoutBrowserHash: Migration = {
  async up({ schema }) {
    await schema.alterTable(table).dropColumn('browser_hash').execute()
  },
}

/** Where the provider is an app with a wallet. */
export const withProofKey: Migration = {
  async up({ schema }) {
    await schema.alterTable(table).addColumn('proof_key', 'text').execute()
  },
}

/** False where there is one of this handle. */
export async function insertFlow(reader: Reader, flow: Flow): Promise<boolean> {
  const inserted = await flowsIn(reader)
    .insertInto(table)
    .values(flow)
    .onConflict((conflict) => conflict.column('handle').doNothing())
    .returning('handle')
    .executeTakeFirst()
  return inserted !== undefined
}

export const findFlows = (reader: Reader, handles: readonly string[], nowSeconds: number): Promise<Flow[]> =>
  flowsIn(reader)
    .selectFrom(table)
    .selectAll()
    .where('handle', 'in', handles)
    .where('expires_at', '>', nowSeconds)
    .execute()

export const findFlow = async (
  reader: Reader,
  handle: string,
  nowSeconds: number,
): Promise<Flow | undefined> => (await findFlows(reader, [handle], nowSeconds))[0]

/** What the provider said first stays. */
export const answerFlow = (
  reader: Reader,
  handle: string,
  said: Pick<Flow, 'answer' | 'failure'>,
): Promise<Flow | undefined> =>
  flowsIn(reader)
    .updateTable(table)
    .set(said)
    .where('handle', '=', handle)
    .where('answer', 'is', null)
    .where('failure', 'is', null)
    .returningAll()
    .executeTakeFirst()

/** Of several who bring its code, one gets it. */
export const useFlow = (reader: Reader, handle: string, nowSeconds: number): Promise<Flow | undefined> =>
  flowsIn(reader)
    .updateTable(table)
    .set({ used_at: nowSeconds })
    .where('handle', '=', handle)
    .where('used_at', 'is', null)
    .where('answer', 'is not', null)
    .where('expires_at', '>', nowSeconds)
    .returningAll()
    .executeTakeFirst()
