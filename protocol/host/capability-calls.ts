/**
 * Calls that a capability of the dialog serves and few pages use. They cost a page nothing before they are used: the
 * loader's first file knows their names alone and sends them in one row of the contract, its second file knows what
 * they ask and answer, and the dialog learns both with the capability's own code. So a capability has two tables: one
 * of its calls, which the dialog reads, and one of their answers, which the loader reads.
 */
import * as v from 'valibot'
import { ethereumEvents } from '../capabilities/ethereum/host.ts'
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

/** Does not compile while a call has no answer. */
export type HostCallName = keyof Calls & keyof Answers
/** What a page says. */
export type HostCallInput<Name extends HostCallName> = v.InferInput<Calls[Name]['input']>
/** What the dialog makes of it. */
export type HostCallData<Name extends HostCallName> = v.InferOutput<Calls[Name]['input']>
export type HostCallAnswer<Name extends HostCallName> = v.InferInput<Answers[Name]>
export type HostCallResult<Name extends HostCallName> = v.InferOutput<Answers[Name]>

/** What a capability tells a page beside the events that every page hears, by name. */
export const capabilityEvents = {
  ...oauthEvents,
  ...mfaEvents,
  ...ethereumEvents,
  /** The page has set a logo that the dialog may not load. */
  logo: v.object({}),
} as const satisfies Readonly<Record<string, Schema>>
type Events = typeof capabilityEvents
export type CapabilityEvent = {
  [Name in keyof Events]: { name: Name; data: v.InferInput<Events[Name]> }
}[keyof Events]
