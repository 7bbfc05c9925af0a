/**
 * What is known of the frame, as a machine without effects of its own: `step` takes what happened and says what is
 * known now and what is to be done.
 *
 * A browser tells of a frame's documents in two ways that do not name them: the frame's `load`, and a handshake,
 * which each document of the dialog makes and an error page or an interstitial never does. Either may come first.
 */
import type { LatchkeyError } from '@latchkey/protocol'

export type State =
  /** No document has loaded yet. */
  | { name: 'loading' }
  /** A document has loaded and has not shaken hands. */
  | { name: 'silent' }
  /** It shook hands and was told hello. */
  | Greeting
  /** It answered. */
  | Ready
  /** It may be another document than the one that answered: a sign of life is asked for. */
  | { name: 'doubtful'; back: Greeting | Ready }
  /** It is over; why is being asked. */
  | { name: 'explaining' }
  | { name: 'lost'; error: LatchkeyError }
export type Greeting = { name: 'greeting'; load: Load }
export type Ready = { name: 'ready'; load: Load }

/**
 * Whether the `load` of the document that shook hands was seen. It is not known where an earlier one that never
 * shook hands had loaded: a redirect, an interstitial, a reload in the middle.
 */
export type Load = 'due' | 'seen' | 'unknown'

export type Happening =
  /** The frame's own. */
  | { name: 'load' }
  | { name: 'shaken' }
  /** The answer to hello. */
  | { name: 'greeted' }
  | { name: 'refused'; error: LatchkeyError }
  /** A document has been expected for so long that the question why runs beside. */
  | { name: 'late' }
  /** And for too long. */
  | { name: 'overdue' }
  /** The channel ended: nobody will shake hands any more. */
  | { name: 'closed' }
  /** A call got no answer. */
  | { name: 'unanswered' }
  /** What became of the sign of life that was asked for. */
  | { name: 'alive' }
  | { name: 'dead' }
  | { name: 'diagnosed'; certain: boolean; error: LatchkeyError }
  /** Whatever else ends it: a policy of the page, a frame that was removed, the client itself. */
  | { name: 'lose'; error: LatchkeyError }

export type Effect =
  | 'greet'
  /** Counts the time that a document may take, from now. */
  | 'await handshake'
  | 'stop waiting'
  | 'ask for a sign of life'
  | 'ask why'
  | 'hide'
  /** Settles everything, and takes the frame away. */
  | 'end'

export type Next = readonly [State, ...Effect[]]

type Of<Union extends { name: string }, Name> = Extract<Union, { name: Name }>
/** An event that has no entry changes nothing. */
type Table = {
  readonly [S in State['name']]: {
    readonly [H in Happening['name']]?: (state: Of<State, S>, event: Of<Happening, H>) => Next
  }
}

const lose = (_: unknown, { error }: { error: LatchkeyError }): Next => [{ name: 'lost', error }, 'end']
const askWhyAndHide = (): Next => [{ name: 'explaining' }, 'hide', 'ask why']
const greet = (load: Load) => (): Next => [{ name: 'greeting', load }, 'stop waiting', 'hide', 'greet']
const askForLife = (back: Greeting | Ready): Next => [{ name: 'doubtful', back }, 'ask for a sign of life']

/** A frame that answered has loaded something. */
const onLoad = (state: Greeting | Ready): Next => {
  switch (state.load) {
    case 'due':
      return [{ ...state, load: 'seen' }]
    case 'seen':
      return [{ name: 'silent' }, 'hide', 'await handshake']
    case 'unknown':
      return askForLife({ ...state, load: 'seen' })
  }
}

/** A frame that reloads meanwhile is greeted again. */
const refused = (state: State, event: Of<Happening, 'refused'>): Next =>
  event.error.code === 'frame_reloaded' ? [state] : lose(state, event)

const always = { closed: askWhyAndHide, lose }
const awaited = {
  ...always,
  load: (): Next => [{ name: 'silent' }, 'await handshake'],
  late: (state: State): Next => [state, 'ask why'],
  overdue: askWhyAndHide,
  diagnosed: (state: State, event: Of<Happening, 'diagnosed'>): Next =>
    event.certain ? lose(state, event) : [state],
}
const answering = { ...always, load: onLoad, shaken: greet('due'), unanswered: askForLife }

const table: Table = {
  loading: { ...awaited, shaken: greet('due') },
  silent: { ...awaited, shaken: greet('unknown'), unanswered: askWhyAndHide },
  greeting: { ...answering, greeted: ({ load }) => [{ name: 'ready', load }], refused },
  ready: answering,
  doubtful: {
    ...always,
    shaken: greet('unknown'),
    greeted: ({ back }) => [{ name: 'ready', load: back.load }],
    refused,
    // The document that is asked for a sign of life is the one that loaded last.
    load: ({ back }) => [{ name: 'doubtful', back: { ...back, load: 'seen' } }],
    alive: ({ back }) => [back],
    dead: askWhyAndHide,
  },
  // A document that comes after all is as good as one in time.
  explaining: { lose, shaken: greet('unknown'), diagnosed: lose },
  lost: {},
}

export function step<S extends State, H extends Happening>(state: S, event: H): Next {
  const transition = table[state.name][event.name] as ((state: State, event: Happening) => Next) | undefined
  return transition?.(state, event) ?? [state]
}
