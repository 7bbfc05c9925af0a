import type { CapabilityCall } from '../calls/row.ts'
import type { PageProvider } from '../provider/page-provider.ts'

/** What the second file has of the first: the dialog of an app on this page, and what happens to it. */
export type Page = {
  /** A call of a capability, by its name. The data may be made while the frame loads. */
  ask: (
    name: 'more' | 'read' | 'moreForUser',
    data: () => CapabilityCall,
    signal?: AbortSignal,
    /** The row of the call says whether it signs. */
    signs?: boolean,
  ) => Promise<unknown>
  /** The events of the `Client`. */
  events: EventTarget
  appId: string
}
/** The provider may have been announced before the second file came, which brings its methods. */
export type PageWithProvider = Page & Pick<PageProvider, 'provider' | 'implement' | 'announce'>

/** What `error` tells of a client that is gone for good, and not only its dialog. */
export const isDestroyed = (error: unknown) => Object(error).code === 'client_destroyed'

/** Tells handles, and whatever else waits for a person, that they did not wait for the dialog. */
export const refusedEvent = 'refused'
