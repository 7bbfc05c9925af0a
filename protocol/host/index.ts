import type { ServedBy } from '../channel/contract.ts'
import type { HeardByDialog } from './dialog-messages.ts'
import type { HeardByLoader } from './loader-messages.ts'

export * from './ask-page.ts'
export * from './calls.ts'
export * from './dialog-messages.ts'
export * from './loader-messages.ts'
export * from './of-capabilities.ts'
export * from './parameters.ts'

/** The calls of each side, as its peer sees them. */
export type LoaderCalls = ServedBy<HeardByLoader, HeardByDialog>
export type DialogCalls = ServedBy<HeardByDialog, HeardByLoader>
