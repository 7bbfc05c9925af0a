import type { ServedBy } from '../channel/contract.ts'
import type { DialogMessages } from './dialog-messages.ts'
import type { LoaderMessages } from './loader-messages.ts'

export * from '../capabilities/ethereum/methods.ts'
export * from '../capabilities/ethereum/params.ts'
export * from '../rows/host-call.ts'
export * from './ask-page.ts'
export * from './calls.ts'
export * from './capabilities.ts'
export * from './capability-calls.ts'
export * from './dialog-messages.ts'
export * from './loader-messages.ts'
export * from './parameters.ts'

/** The calls of each side, as its peer sees them. */
export type LoaderCalls = ServedBy<LoaderMessages, DialogMessages>
export type DialogCalls = ServedBy<DialogMessages, LoaderMessages>
