/** What a host can ask that needs a capability: every row of the contract but those that the core serves itself. */
import type { CallContext } from '@latchkey/protocol/channel'
import { type DialogCalls, hostContract } from '@latchkey/protocol/host'
import type * as v from 'valibot'

export const callsOfCore = [
  'hello',
  'configure',
  'viewport',
  'logout',
  'user',
  'accessToken',
  'forkSession',
] as const satisfies readonly (keyof DialogCalls)[]

export type HostCallName = Exclude<keyof DialogCalls, (typeof callsOfCore)[number]>
export type HostCallData<Name extends HostCallName> = v.InferOutput<DialogCalls[Name]['input']>
export type HostCallAnswer<Name extends HostCallName> = v.InferInput<DialogCalls[Name]['output']>
/** Its signal ends when nobody waits for the answer any more. */
export type HostCallContext = CallContext

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

const isHostCall = (name: string): name is HostCallName => !callsOfCore.some((own) => own === name)
export const hostCallNames: readonly HostCallName[] = Object.keys(hostContract.child).filter(isHostCall)

/** A handler a row, each of which hands its call on by its name: a new row needs no other one here. */
export function handOn(call: CallServed): HostCalls {
  const handOnOne =
    <Name extends HostCallName>(name: Name) =>
    (data: HostCallData<Name>, context: HostCallContext) =>
      call(name, data, context)
  return Object.fromEntries(hostCallNames.map((name) => [name, handOnOne(name)])) as HostCalls
}
