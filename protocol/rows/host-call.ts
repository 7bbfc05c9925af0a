import type { CallPolicy, CallQueue, Schema } from '../channel/contract.ts'
import type { CallDoc } from '../channel/doc.ts'

export type HostCallRow = {
  policy: Exclude<CallPolicy, 'dialog-only'>
  input: Schema
  /** It comes by the call of that pace alone. */
  queue?: CallQueue
  /** The limit of every message, where none is said. */
  maxBytes?: number
}
export type HostCallRows = Readonly<Record<string, HostCallRow>>

/** Sentences and error codes of them, for the document. */
export type HostCallDoc<Rows extends HostCallRows> = { [Name in keyof Rows]: CallDoc }
