/**
 * The state machine of a frame. It has no side effects: `step` maps a state and an event to the next state and
 * its effects.
 *
 * A browser reports a frame's documents by two signals that do not identify them: the frame's `load` event, and
 * the handshake. Every dialog document makes a handshake; error pages and interstitials never do. The signals
 * arrive in any order.
 */
import type { LatchkeyError } from '@latchkey/protocol'

export type State =
  /** No document has loaded yet. */
  | { name: 'loading' }
  /** A document has loaded without a handshake. */
  | { name: 'silent' }
  /** The handshake completed, and hello was sent. */
  | Greeting
  /** Hello was answered. */
  | Ready
  /** The current document may not be the one that answered hello. A probe is pending. */
  | { name: 'doubtful'; back: Greeting | Ready }
  /** The connection failed, and the diagnosis is pending. */
  | { name: 'explaining' }
  | { name: 'lost'; error: LatchkeyError }
export type Greeting = { name: 'greeting'; load: Load }
export type Ready = { name: 'ready'; load: Load }

/**
 * Whether `load` has fired for the document that made the handshake. Unknown if another document loaded before
 * it: a redirect, an interstitial or a reload.
 */
export type Load = 'due' | 'seen' | 'unknown'

export type Happening =
  /** The frame's `load` event. */
  | { name: 'load' }
  | { name: 'shaken' }
  /** Hello was answered. */
  | { name: 'greeted' }
  | { name: 'refused'; error: LatchkeyError }
  /** The document is late, so a diagnosis starts in parallel. */
  | { name: 'late' }
  /** The deadline for the document has passed. */
  | { name: 'overdue' }
  /** The channel closed; no further handshake is possible. */
  | { name: 'closed' }
  /** A call timed out at the channel. */
  | { name: 'unanswered' }
  /** The results of the probe. */
  | { name: 'alive' }
  | { name: 'dead' }
  | { name: 'diagnosed'; certain: boolean; error: LatchkeyError }
  /** The connection ended for another reason: a page policy, a removed frame, a destroyed client. */
  | { name: 'lose'; error: LatchkeyError }

export type Effect =
  | 'greet'
  /** Starts the timers for the next handshake. */
  | 'await handshake'
  | 'stop waiting'
  | 'ask for a sign of life'
  | 'ask why'
  | 'hide'
  /** Settles all calls and removes the frame. */
  | 'end'

export type Next = readonly [State, ...Effect[]]

type Of<Union extends { name: string }, Name> = Extract<Union, { name: Name }>
/** Transitions by state and event. A missing entry changes nothing. */
type Table = {
  readonly [S in State['name']]: {
    readonly [H in Happening['name']]?: (state: Of<State, S>, event: Of<Happening, H>) => Next
  }
}

const lose = (_: unknown, { error }: { error: LatchkeyError }): Next => [{ name: 'lost', error }, 'end']
const askWhyAndHide = (): Next => [{ name: 'explaining' }, 'hide', 'ask why']
const greet = (load: Load) => (): Next => [{ name: 'greeting', load }, 'stop waiting', 'hide', 'greet']
const askForLife = (back: Greeting | Ready): Next => [{ name: 'doubtful', back }, 'ask for a sign of life']

/** Handles `load` of a frame that has made a handshake. */
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

/** Ignores a refusal by a reload: the next document receives hello again. */
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
    // The probe goes to the document that loaded last.
    load: ({ back }) => [{ name: 'doubtful', back: { ...back, load: 'seen' } }],
    alive: ({ back }) => [back],
    dead: askWhyAndHide,
  },
  // A late document is still accepted.
  explaining: { lose, shaken: greet('unknown'), diagnosed: lose },
  lost: {},
}

export function step<S extends State, H extends Happening>(state: S, event: H): Next {
  const transition = table[state.name][event.name] as ((state: State, event: Happening) => Next) | undefined
  return transition?.(state, event) ?? [state]
}
