import type { PageProvider } from '../provider/page-provider.ts'

/** What this file has of the first: the dialog of an app on this page, and what happens to it. */
export type Page = {
  /** A call of a capability, by its name. The data may be made while the frame loads. */
  readonly ask: (
    name: 'more' | 'read' | 'moreForUser',
    data: () => { readonly call: string; readonly data: unknown },
    signal?: AbortSignal,
  ) => Promise<unknown>
  /** As `Client` has them. */
  readonly events: EventTarget
  readonly appId: string
}
/** The provider may have been announced before this file came, which brings its methods. */
export type PageWithProvider = Page & Pick<PageProvider, 'provider' | 'implement' | 'announce'>

/** What `error` tells of a client that is gone for good, and not only its dialog. */
export const isDestroyed = (error: unknown) => Object(error).code === 'client_destroyed'
