/**
 * What the core shows and takes: the whole interface between flows and face.
 *
 * The core keeps one value, the view, in a store that needs no React. The face renders it and sends events.
 * A face that mounts late finds the present view; nothing is lost before it came.
 */
import type { AppConfig, ClientConfig } from '@latchkey/protocol'
import type { HostViewport } from '@latchkey/protocol/host'
import type { Atom, createStore } from 'jotai/vanilla'
import type { ScreenView, ViewEvent } from './flows/view-state.ts'

/** How the host's page looks, as it says itself. */
export type HostColorScheme = 'light' | 'dark' | 'normal'

export type HeaderFlags = { readonly back: boolean; readonly info: boolean; readonly close: boolean }

export type View = {
  /** The card is there. Standalone: always, but for a page that can not start. */
  readonly open: boolean
  /** Name and state together: a screen has no state of another. Undefined until a flow showed something. */
  readonly screen: ScreenView | undefined
  /** Counts the steps between screens: a new number is a new screen, even where its name is the same. */
  readonly step: number
  readonly direction: 'forward' | 'back'
  readonly header: HeaderFlags
  readonly standalone: boolean
}

/** What the app and the host decide about how it all looks. */
export type Settings = {
  readonly app: AppConfig
  readonly config: ClientConfig
  readonly hostColorScheme: HostColorScheme
  /** Where the host's own view ends; undefined before it said so, and standalone. */
  readonly viewport: HostViewport | undefined
  readonly hostOrigin: string | null
}

export type Core = {
  readonly store: ReturnType<typeof createStore>
  readonly viewAtom: Atom<View>
  readonly settingsAtom: Atom<Settings>
  readonly send: (event: ViewEvent) => void
}
