/** What the second file made for a client is taken over by the next client of the app: libraries keep what they found. */
import type { Page } from '../client/page.ts'

export type Served = {
  /** Asks this one from now on. */
  serve: (page: Page) => void
  /** False between a client that was destroyed and the next one of its app. */
  isThere: () => boolean
}

/** One for each client, whose events are one object for as long as it is there. */
export function onePerClient<Own extends Served>(create: () => Own): (page: Page) => Own {
  const ofClient = new WeakMap<EventTarget, Own>()
  const lastOf = new Map<string, Own>()
  return (page) => {
    const present = ofClient.get(page.events)
    if (present) return present
    const last = lastOf.get(page.appId)
    const own = last && !last.isThere() ? last : create()
    ofClient.set(page.events, own)
    lastOf.set(page.appId, own)
    own.serve(page)
    return own
  }
}

/** What the events of a client bring along. */
type Detail = Readonly<Record<string, unknown>>

export const listen = ({ events }: Page, name: string, run: (detail: Detail) => void) =>
  events.addEventListener(name, (event) => run(Object(event instanceof CustomEvent && event.detail)))
