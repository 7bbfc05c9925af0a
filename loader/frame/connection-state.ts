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
  | { name: 'probing'; previous: Greeting | Ready }
  /** The connection failed, and the diagnosis is pending. */
  | { name: 'diagnosing' }
  | { name: 'lost'; error: LatchkeyError }
export type Greeting = { name: 'greeting'; load: Load }
export type Ready = { name: 'ready'; load: Load }

/**
 * Whether `load` has fired for the document that made the handshake. Unknown if another document loaded before
 * it: a redirect, an interstitial or a reload.
 */
export type Load = 'due' | 'seen' | 'unknown'

export type ConnectionEvent =
  /** The frame's `load` event. */
  | { name: 'load' }
  | { name: 'handshake' }
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
  | 'awaitHandshake'
  | 'stopWaiting'
  | 'probe'
  | 'diagnose'
  | 'hide'
  /** Settles all calls and removes the frame. */
  | 'end'

export type Next = readonly [State, ...Effect[]]

type Of<Union extends { name: string }, Name> = Extract<Union, { name: Name }>
/** Transitions by state and event. A missing entry changes nothing. */
type Table = {
  readonly [S in State['name']]: {
    readonly [H in ConnectionEvent['name']]?: (state: Of<State, S>, event: Of<ConnectionEvent, H>) => Next
  }
}

const handleLoss = (_: unknown, { error }: { error: LatchkeyError }): Next => [{ name: 'lost', error }, 'end']
const diagnoseAndHide = (): Next => [{ name: 'diagnosing' }, 'hide', 'diagnose']
const greet = (load: Load) => (): Next => [{ name: 'greeting', load }, 'stopWaiting', 'hide', 'greet']
const probe = (previous: Greeting | Ready): Next => [{ name: 'probing', previous }, 'probe']

/** Handles `load` of a frame that has made a handshake. */
const onLoad = (state: Greeting | Ready): Next => {
  switch (state.load) {
    case 'due':
      return [{ ...state, load: 'seen' }]
    case 'seen':
      return [{ name: 'silent' }, 'hide', 'awaitHandshake']
    case 'unknown':
      return probe({ ...state, load: 'seen' })
  }
}

/** Ignores a refusal by a reload: the next document receives hello again. */
const refused = (state: State, event: Of<ConnectionEvent, 'refused'>): Next =>
  event.error.code === 'frame_reloaded' ? [state] : handleLoss(state, event)

const commonTransitions = { closed: diagnoseAndHide, lose: handleLoss }
const waitingTransitions = {
  ...commonTransitions,
  load: (): Next => [{ name: 'silent' }, 'awaitHandshake'],
  late: (state: State): Next => [state, 'diagnose'],
  overdue: diagnoseAndHide,
  diagnosed: (state: State, event: Of<ConnectionEvent, 'diagnosed'>): Next =>
    event.certain ? handleLoss(state, event) : [state],
}
const activeTransitions = { ...commonTransitions, load: onLoad, handshake: greet('due'), unanswered: probe }

const table: Table = {
  loading: { ...waitingTransitions, handshake: greet('due') },
  silent: { ...waitingTransitions, handshake: greet('unknown'), unanswered: diagnoseAndHide },
  greeting: { ...activeTransitions, greeted: ({ load }) => [{ name: 'ready', load }], refused },
  ready: activeTransitions,
  probing: {
    ...commonTransitions,
    handshake: greet('unknown'),
    greeted: ({ previous }) => [{ name: 'ready', load: previous.load }],
    refused,
    // The probe goes to the document that loaded last.
    load: ({ previous }) => [{ name: 'probing', previous: { ...previous, load: 'seen' } }],
    alive: ({ previous }) => [previous],
    dead: diagnoseAndHide,
  },
  // A late document is still accepted.
  diagnosing: { lose: handleLoss, handshake: greet('unknown'), diagnosed: handleLoss },
  lost: {},
}

export function step<S extends State, H extends ConnectionEvent>(state: S, event: H): Next {
  const transition = table[state.name][event.name] as
    | ((state: State, event: ConnectionEvent) => Next)
    | undefined
  return transition?.(state, event) ?? [state]
}
