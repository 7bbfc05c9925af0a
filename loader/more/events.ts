import { LatchkeyError } from '@latchkey/protocol'
import { parse, type Schema } from '@latchkey/protocol/channel'
import { moreEvents } from '@latchkey/protocol/host'
import type { LatchkeyEvents } from '../latchkey.ts'

const events: Readonly<Record<string, Schema>> = moreEvents

/** What a capability of the dialog tells: the name of the event, and what a listener gets. */
export function readEvent({
  name,
  data,
}: {
  readonly name: string
  readonly data: unknown
}): [keyof LatchkeyEvents, object] {
  const schema = Object.hasOwn(events, name) ? events[name] : undefined
  // As of a later dialog.
  if (!schema) throw new LatchkeyError('method_not_found', `There is no event ${name}`)
  return [name as keyof LatchkeyEvents, parse(schema, data, 'invalid_data') as object]
}
