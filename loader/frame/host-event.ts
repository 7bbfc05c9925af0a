import { parse } from '@latchkey/protocol/channel'
import { type HostEvent, hostEvents } from '@latchkey/protocol/host'

/** An event of the dialog. One that this loader does not know, as of a later dialog, is passed over. */
export function readHostEvent({ type, ...event }: HostEvent): HostEvent | undefined {
  if (!Object.hasOwn(hostEvents, type)) return undefined
  return { type, ...parse(hostEvents[type], event, 'invalid_data') } as HostEvent
}
