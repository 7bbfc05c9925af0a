/**
 * Less common calls of dialog capabilities, loaded on demand. The loader's first file only has their names and sends
 * them through one row of the contract. Its second file has their schemas, and the dialog loads them with the
 * capability. So each capability has two tables: calls, which the dialog parses, and answers, which the loader parses.
 */
import * as v from 'valibot'
import { ethereumEvents } from '../capabilities/ethereum/host.ts'
import { hostLoginEvents } from '../capabilities/host-login/host.ts'
import { mfaEvents } from '../capabilities/mfa/host.ts'
import { oauthEvents } from '../capabilities/oauth/host.ts'
import type { Schema } from '../channel/contract.ts'
import type * as modules from './capabilities.ts'

type Modules = typeof modules
type Tables<Suffix extends string> = {
  [Name in keyof Modules as Name extends `${string}${Suffix}` ? Name : never]: Modules[Name]
}
type Together<Union> = (Union extends unknown ? (table: Union) => void : never) extends (
  table: infer All,
) => void
  ? All
  : never
type TablesTogether<Suffix extends string> = Together<Tables<Suffix>[keyof Tables<Suffix>]>
type Calls = TablesTogether<'Calls'>
type Answers = TablesTogether<'Answers'>

/** Only calls with an answer schema. A call without one does not compile. */
export type HostCallName = keyof Calls & keyof Answers
/** The input of the host page. */
export type HostCallInput<Name extends HostCallName> = v.InferInput<Calls[Name]['input']>
/** The parsed input in the dialog. */
export type HostCallData<Name extends HostCallName> = v.InferOutput<Calls[Name]['input']>
export type HostCallAnswer<Name extends HostCallName> = v.InferInput<Answers[Name]>
export type HostCallResult<Name extends HostCallName> = v.InferOutput<Answers[Name]>

/** Events of capabilities, by name, in addition to the events of every page. */
export const capabilityEvents = {
  ...oauthEvents,
  ...mfaEvents,
  ...ethereumEvents,
  ...hostLoginEvents,
  /** The page set a logo that the dialog may not load. */
  logo: v.object({}),
} as const satisfies Readonly<Record<string, Schema>>
type Events = typeof capabilityEvents
export type CapabilityEvent = {
  [Name in keyof Events]: { name: Name; data: v.InferInput<Events[Name]> }
}[keyof Events]
