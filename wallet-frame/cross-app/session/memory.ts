/**
 * The stored state of the cross-app page. Per tab: the request and the state of a started login. For all
 * tabs: the session.
 */
import { base64url, id, LatchkeyError, product, text } from '@latchkey/protocol'
import { crossAppHandle } from '@latchkey/protocol/api'
import * as v from 'valibot'

const requestSchema = v.variant('kind', [
  v.object({ kind: v.literal('authorize'), interaction: v.pipe(base64url, v.maxLength(64)) }),
  v.object({ kind: v.literal('transact'), handle: crossAppHandle }),
])
/** The request that the page was opened for. */
export type Request = v.InferOutput<typeof requestSchema>

const sessionSchema = v.object({ userId: id, refreshToken: v.pipe(text, v.nonEmpty()) })
export type StoredSession = v.InferOutput<typeof sessionSchema>

const tabSchema = v.object({
  request: v.exactOptional(requestSchema),
  /** The state of the login that this tab started. */
  state: v.exactOptional(v.string()),
  language: v.exactOptional(v.string()),
})
export type Tab = v.InferOutput<typeof tabSchema>

export type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

export type Memory = {
  tab: () => Tab
  /** Stores values for this tab. An undefined value deletes the entry. */
  rememberInTab: (change: { [name in keyof Tab]?: Tab[name] | undefined }) => void
  session: () => StoredSession | undefined
  /** Stores the session; undefined deletes it. */
  storeSession: (session: StoredSession | undefined) => void
}

export function createMemory(
  appId: string,
  /** Both throw if the browser refuses storage for this page. */
  stores: { tab: () => Store; all: () => Store },
): Memory {
  const name = product.storageName(appId, 'cross-app')
  const tab = (): Tab => read(stores.tab, name, tabSchema) ?? {}
  return {
    tab,
    rememberInTab: (change) => write(stores.tab, name, { ...tab(), ...change }),
    session: () => read(stores.all, name, sessionSchema),
    storeSession: (session) => write(stores.all, name, session),
  }
}

/** Reads an entry. Returns undefined for an invalid one. */
function read<const Schema extends v.GenericSchema>(
  store: () => Store,
  name: string,
  schema: Schema,
): v.InferOutput<Schema> | undefined {
  try {
    const parsed = v.safeParse(schema, JSON.parse(store().getItem(name) ?? 'null'))
    return parsed.success ? parsed.output : undefined
  } catch {
    return undefined
  }
}

function write(store: () => Store, name: string, value: object | undefined): void {
  try {
    if (value === undefined) store().removeItem(name)
    else store().setItem(name, JSON.stringify(value))
  } catch (cause) {
    throw new LatchkeyError('session_storage_unavailable', 'This browser refuses storage for this page', {
      cause,
    })
  }
}

/** Parses `#authorize.{interaction}`, `#transact.{handle}`, or a bare handle. */
export function parseRequest(fragment: string): Request | undefined {
  const [, kind = 'transact', name = ''] = /^(?:(authorize|transact)\.)?([\w-]+)$/.exec(fragment) ?? []
  const request = kind === 'authorize' ? { kind, interaction: name } : { kind, handle: name }
  const parsed = v.safeParse(requestSchema, request)
  return parsed.success ? parsed.output : undefined
}
