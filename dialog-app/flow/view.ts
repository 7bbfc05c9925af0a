/** What a flow shows: which screen, and which ways lead out of it. The shell draws it. */
import { noWay, type ShownScreen, type Ways } from './screen.ts'

export type View = {
  /** The card is there. Standalone: always, but for a page that can not start. */
  open: boolean
  /** The host has put it over its page and given it the focus. Before that a field that took it would lose it again. */
  shown: boolean
  /** Undefined until a flow showed something. */
  screen: ShownScreen | undefined
  /** Mounted screens below the present one. */
  covered: readonly ShownScreen[]
  /** Counts the steps between screens: a new number is a new screen, even where its name is the same. */
  step: number
  direction: 'forward' | 'back'
  /** The ways out that can be taken now. */
  header: Ways
  /** The screen is only there to be read: the user may skip it. */
  held: boolean
  standalone: boolean
}

export const closedView: View = {
  open: false,
  shown: false,
  screen: undefined,
  covered: [],
  step: 0,
  direction: 'forward',
  header: noWay,
  held: false,
  standalone: false,
}
