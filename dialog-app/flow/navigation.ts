/**
 * Where one flow is, and where back leads: a pure machine, without a timer or a URL.
 *
 * History keeps whole screens, so that going back shows what was there. Whatever comes late for a screen that is
 * gone changes nothing.
 */
type NamedScreen = {
  name: string
  /** Distinguishes components with the same name. */
  id?: string
}

export type Navigation<Screen extends NamedScreen> = {
  screen: Screen | undefined
  history: readonly Screen[]
  /** Counts the steps from screen to screen: a new number is a new screen, even where its name is the same. */
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
  /** The flow goes to a screen from which back leads here. */
  | { type: 'forward'; screen: Screen }
  /** The flow goes to a screen that takes this one's place. */
  | { type: 'replace'; screen: Screen }
  /** The flow goes to a first screen, with no way back. */
  | { type: 'restart'; screen: Screen }
  /** A screen, here or on the way back, has a new state. */
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
      const { name, id } = to.screen
      const isSame = (other?: NamedScreen) => other?.name === name && other.id === id
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
