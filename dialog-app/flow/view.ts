/**
 * What the core shows and takes: the whole interface between core and face.
 *
 * The core keeps one value, the view, in a store that needs no React. The face draws it and sends what the user
 * does. A face that mounts late finds the present view; nothing is lost before it came.
 */
import type { LatchkeyError } from '@latchkey/protocol'
import type { Atom, createStore } from 'jotai/vanilla'
import type { Settings } from '../host/settings.ts'
import { noWay, type ShownScreen, type Ways } from './screen.ts'

export type View = {
  /** The card is there. Standalone: always, but for a page that can not start. */
  readonly open: boolean
  /** The host has put it over its page and given it the focus. Before that a field that took it would lose it again. */
  readonly shown: boolean
  /** Undefined until a flow showed something. */
  readonly screen: ShownScreen | undefined
  /** Counts the steps between screens: a new number is a new screen, even where its name is the same. */
  readonly step: number
  readonly direction: 'forward' | 'back'
  /** The ways out that can be taken now. */
  readonly header: Ways
  /** The screen is only there to be read: the user may skip it. */
  readonly held: boolean
  readonly standalone: boolean
}

export const closedView: View = {
  open: false,
  shown: false,
  screen: undefined,
  step: 0,
  direction: 'forward',
  header: noWay,
  held: false,
  standalone: false,
}

export type Core = {
  readonly store: ReturnType<typeof createStore>
  readonly viewAtom: Atom<View>
  readonly settingsAtom: Atom<Settings>
  readonly back: () => void
  readonly close: () => void
  readonly skip: () => void
  /** The card can not be seen, so nobody is to wait behind it. */
  readonly lose: (error: LatchkeyError) => void
  /** A screen is drawn. */
  readonly drawn: () => void
  /** And has the focus: what nobody waits for may go on. */
  readonly focused: () => void
}
