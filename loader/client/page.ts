import type { CapabilityCall } from '../calls/row.ts'
import type { PageProvider } from '../provider/page-provider.ts'

/** The first file as the second file sees it: the dialog of an app on this page, and its events. */
export type Page = {
  /** Sends a capability call. `data` may be created while the frame loads. */
  send: (
    name: 'more' | 'read' | 'moreForUser',
    data: () => CapabilityCall,
    signal?: AbortSignal,
    /** Whether the call's row has `signs`. */
    signs?: boolean,
  ) => Promise<unknown>
  /** The events of the `Client`. */
  events: EventTarget
  appId: string
}
/** A page with its provider, which may be announced before the second file adds the methods. */
export type PageWithProvider = Page & Pick<PageProvider, 'provider' | 'implement' | 'announce'>

/** Returns whether the `error` event reports a destroyed client, and not just a lost dialog. */
export const isDestroyed = (error: unknown) => Object(error).code === 'client_destroyed'

/** Emitted when the user closes the empty card before the dialog has loaded. */
export const refusedEvent = 'refused'
