import type { CallPolicy, Pace, Schema } from '../channel/contract.ts'
import type { CallDoc } from '../channel/doc.ts'

export type HostCallRow = {
  readonly policy: Exclude<CallPolicy, 'dialog-only'>
  readonly input: Schema
  /** It comes by the call of that pace alone. */
  readonly pace?: Pace
  /** The limit of every message, where none is said. */
  readonly maxBytes?: number
}
export type HostCallRows = Readonly<Record<string, HostCallRow>>

/** Sentences and error codes of them, for the document. */
export type HostCallDoc<Rows extends HostCallRows> = { readonly [Name in keyof Rows]: CallDoc }
