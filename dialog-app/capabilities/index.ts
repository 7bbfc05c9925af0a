/** What this dialog can do: all capabilities. */
import type { ScreenName } from '@latchkey/protocol'
import type { HostCallName } from '@latchkey/protocol/host'
import { atStart } from './at-start.ts'
import { authorizeOn } from './authorize/authorize.ts'
import { withSetting } from './lazy/with-setting.ts'
import { withUser } from './lazy/with-user.ts'

/** This page was not opened by the page of a wallet. */
const authorize = authorizeOn({ state: undefined, takeSecret: () => undefined, post() {} })

export const capabilities = [...withSetting, ...atStart, ...withUser, authorize] as const

type Listed = (typeof capabilities)[number]
type CapabilityScreen<C> = C extends { screens: () => Promise<readonly (infer Screen)[]> } ? Screen : never
export type Screens = CapabilityScreen<Listed>

type Nothing<Missing extends never> = Missing
/** Does not compile while a name of the protocol has no record, or a record has no name there. */
export type NamesWithoutScreen = Nothing<Exclude<ScreenName, Screens['name']>>
export type ScreensWithoutName = Nothing<Exclude<Screens['name'], ScreenName>>

type Brings<C> = C extends { bring: (...ports: never) => infer Contributions } ? Contributions : never
type ServedNames<B> = B extends { hostCalls: { names: readonly (infer Name)[] } } ? Name : never
/** Does not compile while nobody serves a call. */
export type HostCallsWithoutCapability = Nothing<Exclude<HostCallName, ServedNames<Brings<Listed>>>>
