/** Types and dispatch of the host page's calls to capabilities. */
import { LatchkeyError } from '@latchkey/protocol'
import { assertPlainMessage, type CallContext, parse } from '@latchkey/protocol/channel'
import type {
  DialogCalls,
  HostCallAnswer,
  HostCallData,
  HostCallInput,
  HostCallName,
  HostCallRow,
} from '@latchkey/protocol/host'
import type { RelayedRequester } from '@latchkey/protocol/wallet'
import type * as v from 'valibot'

/** The context of a call. Its signal aborts when the host page no longer waits. */
export type HostCallContext = CallContext & {
  /** The name of the window that the host page opened for this call. */
  window?: string | undefined
  /** A connected dapp requests something on this chain. A host page cannot set this. */
  relayed?: Relayed | undefined
}
export type Relayed = { requester: RelayedRequester; chainId: number }

/** The only call that every host page uses. */
export type LogIn = (context: HostCallContext) => Promise<v.InferInput<DialogCalls['login']['output']>>

/** A session that follows the login of the host page. */
export type HostLogin = {
  /** Follows the page's login from now on. Resolves when it was checked for the first time, and never rejects. */
  follow: () => Promise<void>
  logIn: LogIn
}

export type HostCallHandler<Name extends HostCallName> = (
  data: HostCallData<Name>,
  context: HostCallContext,
) => Promise<HostCallAnswer<Name>>

/** Calls with rows and handlers in the lazily loaded code of a capability. */
export type ServedHostCalls<Name extends HostCallName> = {
  rows: { [N in Name]: HostCallRow }
  handlers: { [N in Name]: HostCallHandler<N> }
}
/** The names of a capability's calls, and the import of their code. */
export type HostCalls = {
  names: readonly string[]
  load: () => Promise<{
    rows: Readonly<Record<string, HostCallRow>>
    handlers: Readonly<Record<string, (data: never, context: HostCallContext) => Promise<unknown>>>
  }>
}

export type CallByName = <Name extends HostCallName>(
  name: Name,
  data: HostCallInput<Name>,
  context: HostCallContext,
) => Promise<HostCallAnswer<Name>>

/** A call by its name, as a host page sends it. Its data is validated after the capability's code is loaded. */
export type NamedCall = {
  call: string
  data: unknown
  /** The policy of the channel row that the call arrived in. Calls from capabilities have none. */
  policy?: HostCallRow['policy'] | undefined
  /** The pace of that row. */
  pace?: HostCallRow['queue']
  window?: string | undefined
}

export async function serveByName(
  { load }: HostCalls,
  { call, data, policy, pace, window }: NamedCall,
  context: HostCallContext,
): Promise<unknown> {
  const { rows, handlers } = await load()
  const [row, handler] = [rows[call], handlers[call]]
  if (!row || !handler) throw methodNotFound(call)
  const matchesRow = row.policy === policy && row.queue === pace
  if (policy !== undefined && !matchesRow) throw methodNotFound(call)
  assertPlainMessage(data, row.maxBytes)
  // A handler that makes further calls passes its own context.
  return handler(parse(row.input, data, 'invalid_data') as never, window ? { ...context, window } : context)
}

export const methodNotFound = (name: string) =>
  new LatchkeyError('method_not_found', `No capability serves ${name}`)
