import type { CallOutput } from '@latchkey/protocol/channel'
import type { DialogCalls } from '@latchkey/protocol/host'
import type { DialogCall } from '../calls.ts'
import type { DataOf } from '../connection.ts'

/** What this file has of the first: the dialog of an app on this page, and what happens to it. */
export type Page = {
  readonly ask: <Name extends DialogCall>(
    name: Name,
    data: DataOf<Name>,
    signal?: AbortSignal,
  ) => Promise<CallOutput<DialogCalls[Name]>>
  /** As `Client` has them. */
  readonly events: EventTarget
}
