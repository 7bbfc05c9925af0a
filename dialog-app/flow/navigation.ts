/**
 * The present screen and the history of one flow, as pure functions without timers or URLs.
 *
 * The history keeps whole screens, so that going back restores their state. A late update for a screen that is gone
 * is ignored.
 */
type NamedScreen = {
  name: string
  /** Distinguishes screens with the same name. */
  id: string
}

export type Navigation<Screen extends NamedScreen> = {
  screen: Screen | undefined
  history: readonly Screen[]
  /** Counts the steps between screens. A new number means a new screen, even with the same name. */
  arrivals: number
  direction: 'forward' | 'back'
}

export const nowhere: Navigation<never> = {
  screen: undefined,
  history: [],
  arrivals: 0,
  direction: 'forward',
}

export type Move<Screen extends NamedScreen> =
  /** Opens a screen with a way back to the present one. */
  | { type: 'forward'; screen: Screen }
  /** Replaces the present screen. */
  | { type: 'replace'; screen: Screen }
  /** Opens a first screen and clears the history. */
  | { type: 'restart'; screen: Screen }
  /** Updates the state of the present screen or of a screen in the history. */
  | { type: 'update'; screen: Screen }
  | { type: 'back' }

export function move<Screen extends NamedScreen>(
  from: Navigation<Screen>,
  to: Move<Screen>,
): Navigation<Screen> {
  const { screen, history } = from
  const arrivals = from.arrivals + 1
  switch (to.type) {
    case 'forward':
      return {
        screen: to.screen,
        history: screen ? [...history, screen] : history,
        arrivals,
        direction: 'forward',
      }
    case 'replace':
      return { ...from, screen: to.screen, arrivals, direction: 'forward' }
    case 'restart':
      return { screen: to.screen, history: [], arrivals, direction: 'back' }
    case 'update': {
      const isSame = (other?: NamedScreen) => other?.id === to.screen.id
      if (isSame(screen)) return { ...from, screen: to.screen }
      const at = history.findLastIndex(isSame)
      return at === -1 ? from : { ...from, history: history.with(at, to.screen) }
    }
    case 'back': {
      const previous = history.at(-1)
      if (!previous) return from
      return { screen: previous, history: history.slice(0, -1), arrivals, direction: 'back' }
    }
    default:
      return to satisfies never
  }
}
