/** What a host can ask that needs a capability: every row of the contract but those that the core serves itself. */
import type { HostContract } from '@latchkey/protocol/host'
import type * as v from 'valibot'

type Served = HostContract['child']
type ServedByCore = 'hello' | 'configure' | 'viewport' | 'logout' | 'user' | 'accessToken'

export type HostCallName = Exclude<keyof Served, ServedByCore>
export type HostCallData<Name extends HostCallName> = v.InferOutput<Served[Name]['input']>
export type HostCallAnswer<Name extends HostCallName> = v.InferInput<Served[Name]['output']>

/** Aborted when nobody waits for the answer any more. */
export type HostCallContext = { readonly signal: AbortSignal }

export type HostCalls = {
  readonly [Name in HostCallName]: (
    data: HostCallData<Name>,
    context: HostCallContext,
  ) => Promise<HostCallAnswer<Name>>
}

export type CallServed = <Name extends HostCallName>(
  name: Name,
  data: HostCallData<Name>,
  context: HostCallContext,
) => Promise<HostCallAnswer<Name>>
