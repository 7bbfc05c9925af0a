/** Logins at a provider that are under way: what each keeps in the row of its window. */
import { crossAppProvider, socialProviders } from '@latchkey/protocol'
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

export const flowProvider = v.union([v.picklist(socialProviders), crossAppProvider])
const failureSchema = v.nullable(v.picklist(oauthFailures))

/** What a login keeps beside what every window has. */
const flowData = v.object({
  provider: flowProvider,
  codeChallenge: v.string(),
  /** The dialog's own: it gets it back with the code. */
  stateCode: v.string(),
  redirectTo: v.string(),
  /** The key of the browser, where the provider binds its tokens to it. */
  proofKey: v.nullable(v.string()),
})
export type FlowData = v.InferOutput<typeof flowData>
export type FlowFailure = (typeof oauthFailures)[number]

export type Flow = FlowData & {
  handle: string
  appId: string
  /** `bindingHash` of the browser that began. */
  binding: string
  /**
   * The challenge of the secret that the result is given for; null where the result comes in the query of
   * `redirectTo`.
   */
  relayChallenge: string | null
  window: Pick<LoginWindow, 'browser_hash'>
  /** What the provider's redirect said, sealed; null until then. */
  answer: string | null
  /** Why that was no code, for the dialog. */
  failure: FlowFailure | null
}

const purpose = 'oauth'
const keyOf = (handle: string) => ({ id: windowId(handle), purpose }) as const

const flowOf = (handle: string, window: LoginWindow): Flow => ({
  ...v.parse(flowData, JSON.parse(window.data)),
  handle,
  appId: window.app_id,
  binding: window.binding,
  relayChallenge: window.relay_challenge,
  window,
  answer: window.answer,
  failure: v.parse(failureSchema, window.failure),
})

/** Logins are in `login_windows`; servers of the last release still write this table. */
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

/** Which browser was sent on is in the row of its window. No release had a table with this column, so none reads it. */
export const withoutBrowserHash: Migration = {
  contracts: '0.1.0',
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

export async function findFlows(
  reader: Reader,
  handles: readonly string[],
  nowSeconds: number,
): Promise<readonly Flow[]> {
  const found = await findWindows(reader, handles.map(windowId), nowSeconds)
  const windows = new Map(found.map((window) => [window.id, window]))
  return handles.flatMap((handle) => {
    const window = windows.get(windowId(handle))
    return window?.purpose === purpose ? [flowOf(handle, window)] : []
  })
}

export async function findFlow(
  reader: Reader,
  handle: string,
  nowSeconds: number,
): Promise<Flow | undefined> {
  const window = await findWindow(reader, keyOf(handle), nowSeconds)
  return window && flowOf(handle, window)
}

/** What the provider said first stays. */
export async function answerFlow(
  reader: Reader,
  handle: string,
  result: Pick<Flow, 'answer' | 'failure'>,
  nowSeconds: number,
): Promise<Flow | undefined> {
  const window = await answerWindow(reader, keyOf(handle), result, nowSeconds)
  return window && flowOf(handle, window)
}

/** One of several who bring the code of a flow gets it. */
export async function useFlow(reader: Reader, handle: string, nowSeconds: number): Promise<Flow | undefined> {
  const window = await useAnswer(reader, keyOf(handle), nowSeconds)
  return window && flowOf(handle, window)
}
