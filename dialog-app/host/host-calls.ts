/** What a host asks of capabilities. */
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

/** Its signal ends when nobody waits for the answer any more. */
export type HostCallContext = CallContext & {
  /** That the page has opened for this call, by the name that it gave it. */
  window?: string | undefined
  /** A dapp asks that the user connected by a link, for something on this chain. No host can say so. */
  relayed?: Relayed | undefined
}
export type Relayed = { requester: RelayedRequester; chainId: number }

/** The one call that every page makes. */
export type LogIn = (context: HostCallContext) => Promise<v.InferInput<DialogCalls['login']['output']>>

export type HostCallHandler<Name extends HostCallName> = (
  data: HostCallData<Name>,
  context: HostCallContext,
) => Promise<HostCallAnswer<Name>>

/** Calls that come with a capability's code: their rows, and who serves each. */
export type ServedHostCalls<Name extends HostCallName> = {
  rows: { [N in Name]: HostCallRow }
  handlers: { [N in Name]: HostCallHandler<N> }
}
/** What is there of them before they are used: the names, and where the code is. */
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

/** A call by its name, as a host sends it: what it says is parsed once the code is there that knows how. */
export type Asked = {
  call: string
  data: unknown
  /** The policy of the row that the call came in; a call of a capability has none. */
  policy?: HostCallRow['policy'] | undefined
  /** Likewise. */
  pace?: HostCallRow['queue']
  window?: string | undefined
}

export async function serveByName(
  { load }: HostCalls,
  { call, data, policy, pace, window }: Asked,
  context: HostCallContext,
): Promise<unknown> {
  const { rows, handlers } = await load()
  const [row, handler] = [rows[call], handlers[call]]
  if (!row || !handler) throw noSuchCall(call)
  const isOfItsRow = row.policy === policy && row.queue === pace
  if (policy !== undefined && !isOfItsRow) throw noSuchCall(call)
  assertPlainMessage(data, row.maxBytes)
  // A call that asks others in turn hands its own on.
  return handler(parse(row.input, data, 'invalid_data') as never, window ? { ...context, window } : context)
}

export const noSuchCall = (name: string) =>
  new LatchkeyError('method_not_found', `No capability serves ${name}`)
