import type { ServedBy } from '../channel/contract.ts'
import type { HeardByDialog } from './heard-by-dialog.ts'
import type { HeardByLoader } from './heard-by-loader.ts'

export * from './ask-page.ts'
export * from './calls.ts'
export * from './heard-by-dialog.ts'
export * from './heard-by-loader.ts'
export * from './more/index.ts'
export * from './parameters.ts'

/** The calls of each side, as its peer sees them. */
export type LoaderCalls = ServedBy<HeardByLoader, HeardByDialog>
export type DialogCalls = ServedBy<HeardByDialog, HeardByLoader>
