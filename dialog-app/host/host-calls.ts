/** What a host asks of capabilities. */
import { LatchkeyError } from '@latchkey/protocol'
import { assertPlainMessage, type CallContext, parse } from '@latchkey/protocol/channel'
import type { DialogCalls, MoreAnswer, MoreData, MoreGiven, MoreName, MoreRow } from '@latchkey/protocol/host'
import type { RelayedRequester } from '@latchkey/protocol/wallet'
import type * as v from 'valibot'

/** Its signal ends when nobody waits for the answer any more. */
export type HostCallContext = CallContext & {
  /** That the page has opened for this call, by the name that it gave it. */
  readonly window?: string | undefined
  /** A dapp asks that the user connected by a link, for something on this chain. No host can say so. */
  readonly relayed?: Relayed | undefined
}
export type Relayed = { readonly requester: RelayedRequester; readonly chainId: number }

/** The one call that every page makes. */
export type LogIn = (context: HostCallContext) => Promise<v.InferInput<DialogCalls['login']['output']>>

export type MoreHandler<Name extends MoreName> = (
  data: MoreData<Name>,
  context: HostCallContext,
) => Promise<MoreAnswer<Name>>

/** Calls that come with a capability's code: their rows, and who serves each. */
export type MoreServed<Name extends MoreName> = {
  readonly rows: { readonly [N in Name]: MoreRow }
  readonly handlers: { readonly [N in Name]: MoreHandler<N> }
}
/** What is there of them before they are used: the names, and where the code is. */
export type MoreCalls = {
  readonly names: readonly string[]
  readonly load: () => Promise<{
    readonly rows: Readonly<Record<string, MoreRow>>
    readonly handlers: Readonly<Record<string, (data: never, context: HostCallContext) => Promise<unknown>>>
  }>
}

export type CallMore = <Name extends MoreName>(
  name: Name,
  data: MoreGiven<Name>,
  context: HostCallContext,
) => Promise<MoreAnswer<Name>>

/** A call by its name, as a host sends it: what it says is parsed once the code is there that knows how. */
export type Asked = {
  readonly call: string
  readonly data: unknown
  /** Of the row that it came in; a capability that asks has none. */
  readonly policy?: MoreRow['policy'] | undefined
  /** Likewise. */
  readonly pace?: MoreRow['pace']
  readonly window?: string | undefined
}

export async function serveMore(
  { load }: MoreCalls,
  { call, data, policy, pace, window }: Asked,
  context: HostCallContext,
): Promise<unknown> {
  const { rows, handlers } = await load()
  const [row, handler] = [rows[call], handlers[call]]
  if (!row || !handler) throw noSuchCall(call)
  const isOfItsRow = row.policy === policy && row.pace === pace
  if (policy !== undefined && !isOfItsRow) throw noSuchCall(call)
  assertPlainMessage(data, row.maxBytes)
  // A call that asks others in turn hands its own on.
  return handler(parse(row.input, data, 'invalid_data') as never, window ? { ...context, window } : context)
}

export const noSuchCall = (name: string) =>
  new LatchkeyError('method_not_found', `No capability serves ${name}`)
