/** Providers outlive their client, because libraries keep references. The app's next client takes them over. */
import type { Page } from '../client/page.ts'

export type Served = {
  /** Uses this page from now on. */
  serve: (page: Page) => void
  /** False between a destroyed client and the next one of its app. */
  isThere: () => boolean
}

/** Returns a function that creates one object per client. Clients are identified by their `events`. */
export function onePerClient<Own extends Served>(create: () => Own): (page: Page) => Own {
  const byClient = new WeakMap<EventTarget, Own>()
  const lastByApp = new Map<string, Own>()
  return (page) => {
    const existing = byClient.get(page.events)
    if (existing) return existing
    const last = lastByApp.get(page.appId)
    const own = last && !last.isThere() ? last : create()
    byClient.set(page.events, own)
    lastByApp.set(page.appId, own)
    own.serve(page)
    return own
  }
}

/** The detail of a client's event. */
type Detail = Readonly<Record<string, unknown>>

export const listen = ({ events }: Page, name: string, run: (detail: Detail) => void) =>
  events.addEventListener(name, (event) => run(Object(event instanceof CustomEvent && event.detail)))
