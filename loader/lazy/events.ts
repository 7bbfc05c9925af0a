import type { Schema } from '@latchkey/protocol/channel'
import { type CapabilityEvent, capabilityEvents } from '@latchkey/protocol/host'
import * as v from 'valibot'
import type { PageWithProvider } from '../client/page.ts'
import type { PageSettings } from '../client/second-file.ts'
import type { LatchkeyEvents } from '../types/options.ts'
import { fetchLogo } from './pictures.ts'
import { announceProvider } from './provider/provider.ts'

type Name = CapabilityEvent['name']
type Receive<Event extends CapabilityEvent> = (
  data: Event['data'],
  page: PageWithProvider,
  settings: PageSettings,
) => void

/** Events for the page's libraries and the loader. Every other event goes to the handle's listeners. */
const receivedHere = {
  provider: (announced, page) => announceProvider(page, announced),
  logo: (_, _page, settings) => fetchLogo(settings),
} satisfies {
  [Event in Exclude<Name, keyof LatchkeyEvents>]: Receive<Extract<CapabilityEvent, { name: Event }>>
}

const schemas: Readonly<Record<string, Schema>> = capabilityEvents
const rows: Readonly<Record<string, (data: never, page: PageWithProvider, settings: PageSettings) => void>> =
  receivedHere

/** Receives an event of a dialog capability. */
export function receiveEvent(
  { name, data }: { name: string; data: unknown },
  page: PageWithProvider,
  settings: PageSettings,
): void {
  const schema = Object.hasOwn(schemas, name) ? schemas[name] : undefined
  // A later dialog may send unknown events, or events with another shape.
  if (!schema) return
  const { success, output: detail } = v.safeParse(schema, data)
  if (!success) return
  const own = Object.hasOwn(rows, name) ? rows[name] : undefined
  if (own) own(detail as never, page, settings)
  else page.events.dispatchEvent(new CustomEvent(name, { detail }))
}
