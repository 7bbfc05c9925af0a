import type { CallPolicy, CallQueue, Schema } from '../channel/contract.ts'
import type { CallDoc } from '../channel/doc.ts'

export type HostCallRow = {
  policy: Exclude<CallPolicy, 'dialog-only'>
  input: Schema
  /** The only queue that accepts the call. */
  queue?: CallQueue
  /** Defaults to the limit of every message. */
  maxBytes?: number
}
export type HostCallRows = Readonly<Record<string, HostCallRow>>

/** Descriptions and error codes of host calls, for the documentation. */
export type HostCallDoc<Rows extends HostCallRows> = { [Name in keyof Rows]: CallDoc }
