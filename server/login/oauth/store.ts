/** Stores pending OAuth logins in the rows of their windows. */
import { crossAppProvider, oidcProvider, socialProviders } from '@latchkey/protocol'
import { oauthFailures } from '@latchkey/protocol/api'
import * as v from 'valibot'
import type { Migration } from '../../kernel/db/migrations/migration.ts'
import type { Reader } from '../../kernel/ports.ts'
import {
  answerWindow,
  findWindow,
  findWindows,
  type LoginWindow,
  useAnswer,
  windowId,
} from '../window/window.ts'

export const flowProvider = v.union([v.picklist(socialProviders), crossAppProvider, oidcProvider])
const failureSchema = v.nullable(v.picklist(oauthFailures))

/** The data of an OAuth login in its window's row. */
const flowData = v.object({
  provider: flowProvider,
  codeChallenge: v.string(),
  /** The dialog's own state, returned with the code. */
  stateCode: v.string(),
  redirectTo: v.string(),
  /** The browser's key, if the provider binds its tokens to one. */
  proofKey: v.nullable(v.string()),
})
export type FlowData = v.InferOutput<typeof flowData>
export type FlowFailure = (typeof oauthFailures)[number]

export type Flow = FlowData & {
  handle: string
  appId: string
  /** `hashBinding` of the browser that started the flow. */
  binding: string
  /** The challenge of the secret that may read the result. Null if the result is in the query of `redirectTo`. */
  relayChallenge: string | null
  window: Pick<LoginWindow, 'browser_hash'>
  /** The provider's redirect parameters, sealed. Null until then. */
  answer: string | null
  /** The failure for the dialog, if there is no code. */
  failure: FlowFailure | null
}

const purpose = 'oauth'
const toKey = (handle: string) => ({ id: windowId(handle), purpose }) as const

const toFlow = (handle: string, window: LoginWindow): Flow => ({
  ...v.parse(flowData, JSON.parse(window.data)),
  handle,
  appId: window.app_id,
  binding: window.binding,
  relayChallenge: window.relay_challenge,
  window,
  answer: window.answer,
  failure: v.parse(failureSchema, window.failure),
})

/** Logins are stored in `login_windows`. Servers of the previous release still write this table. */
const table = 'oauth_flows'

export const oauthTables: Migration = {
  async up(db) {
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

/** The window's row contains the browser hash. No release read this column. */
export const withoutBrowserHash: Migration = {
  contracts: '0.1.0',
  async up({ schema }) {
    await schema.alterTable(table).dropColumn('browser_hash').execute()
  },
}

/** Set for providers that bind their tokens to a key. */
export const withProofKey: Migration = {
  async up({ schema }) {
    await schema.alterTable(table).addColumn('proof_key', 'text').execute()
  },
}

export async function findFlows(
  reader: Reader,
  handles: readonly string[],
  nowSeconds: number,
): Promise<readonly Flow[]> {
  const rows = await findWindows(reader, handles.map(windowId), nowSeconds)
  const windows = new Map(rows.map((window) => [window.id, window]))
  return handles.flatMap((handle) => {
    const window = windows.get(windowId(handle))
    return window?.purpose === purpose ? [toFlow(handle, window)] : []
  })
}

export async function findFlow(
  reader: Reader,
  handle: string,
  nowSeconds: number,
): Promise<Flow | undefined> {
  const window = await findWindow(reader, toKey(handle), nowSeconds)
  return window && toFlow(handle, window)
}

/** Stores the first answer of the provider. Later ones are ignored. */
export async function answerFlow(
  reader: Reader,
  handle: string,
  result: Pick<Flow, 'answer' | 'failure'>,
  nowSeconds: number,
): Promise<Flow | undefined> {
  const window = await answerWindow(reader, toKey(handle), result, nowSeconds)
  return window && toFlow(handle, window)
}

/** Consumes the flow's code. Only the first call succeeds. */
export async function useFlow(reader: Reader, handle: string, nowSeconds: number): Promise<Flow | undefined> {
  const window = await useAnswer(reader, toKey(handle), nowSeconds)
  return window && toFlow(handle, window)
}
