/** The view that the shell draws: the present screen, its ways out, and the state of the card. */
import { noWay, type ShownScreen, type Ways } from './screen.ts'

export type View = {
  /** Whether the card is open. A standalone page is always open, unless it cannot start. */
  open: boolean
  /** Whether the host shows and has focused the frame. A field focused earlier would lose the focus again. */
  shown: boolean
  /** Undefined until a flow shows a screen. */
  screen: ShownScreen | undefined
  /** Mounted screens below the present one. */
  covered: readonly ShownScreen[]
  /** Counts the steps between screens. A new number means a new screen, even with the same name. */
  step: number
  direction: 'forward' | 'back'
  /** The ways out that are available now. */
  header: Ways
  /** Whether the screen is held for reading. The user may skip it. */
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
