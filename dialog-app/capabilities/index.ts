/** What this dialog can do: all capabilities. */
import type { ScreenName } from '@latchkey/protocol'
import type { HostCallName } from '../core/host-calls.ts'
import { always } from './always.ts'
import { optional } from './optional.ts'

export const capabilities = [...optional, ...always] as const

type Listed = (typeof capabilities)[number]
type Shown<C> = C extends { readonly screens: () => Promise<readonly (infer Screen)[]> } ? Screen : never
export type Screens = Shown<Listed>

type Nothing<Missing extends never> = Missing
/** Does not compile while a name of the protocol has no record, or a record has no name there. */
export type NamesWithoutScreen = Nothing<Exclude<ScreenName, Screens['name']>>
export type ScreensWithoutName = Nothing<Exclude<Screens['name'], ScreenName>>

type Served<C> = C extends { readonly bring: (...ports: never) => { readonly hostCalls: infer Calls } }
  ? keyof Calls
  : never
/** Does not compile while nobody serves a call of the contract. */
export type CallsWithoutCapability = Nothing<Exclude<HostCallName, Served<Listed>>>
