/**
 * When an approval may be given. Everything that the browser can tell comes in as one value with its time, and the
 * next state comes out; there is no clock and no timer here.
 *
 * The card arms when looks at it, taken at random times, found it whole, uncovered, readable and at one place for
 * 700 ms. Any other look, a change of the window or of what is approved, or a blur begins anew. A press then counts
 * - of a mouse or pen that travelled onto the button, in a frame that stayed where it is, 120 ms before;
 * - of one that was there already, or came without a way, after half a second over the armed button;
 * - of a finger that went down and up while the card was armed;
 * - of a key, or of assistive technology, on a button that had the focus for half a second.
 * Any other press of a person asks for one more; the next counts half a second later or more (of a mouse, by its own
 * rule: it lies on the button since).
 */
import { approvalLimits, type ErrorCode } from '@latchkey/protocol'
import type { VisibilityMethod, VisibilitySample } from '@latchkey/protocol/wallet'
import { beginPath, follow, type Path, type PathPoint } from './gate-path.ts'

export type PressedBy = 'mouse' | 'pen' | 'touch' | 'key'

/** What the screen of an approval notices. `atMs` is of a clock that never goes back. */
export type Noticed = { atMs: number } & (
  | { what: 'look'; look: VisibilitySample }
  /** The window lost the focus, was hidden, or has another size or zoom. */
  | { what: 'change' }
  /** Where a pointer is, anywhere in the frame. */
  | { what: 'point'; point: PathPoint }
  /** A mouse or pen came over the button, or left it. */
  | { what: 'over'; isOver: boolean }
  | { what: 'focus'; isFocused: boolean }
  | { what: 'down'; by: PressedBy }
  /** The browser took back what began: it became a scroll. */
  | { what: 'cancel' }
  /** The click. One without a beginning is of assistive technology. */
  | { what: 'press' }
)

/**
 * `waiting`: not seen, or not yet. `arming`: seen, since `sinceMs`. `armed`: for long enough. `settling`: armed, and
 * a pointer or the focus came to the button at `sinceMs`, which has to rest there; `ready`: a press counts. `hidden`: something covers the
 * card. `unreadable`: it is too small to be read.
 */
export type Gate = {
  state: 'waiting' | 'arming' | 'armed' | 'settling' | 'ready' | 'hidden' | 'unreadable'
  sinceMs: number
  /** A press was not enough, and one more is. */
  asks: boolean
}

/**
 * What is approved decides how well its card must be seen. `protection`: something is added that is asked for later,
 * and nothing is given away by it.
 */
export type ApprovalKind = 'message' | 'typed-data' | 'transaction' | 'protection'

const trustedMethods: { [kind in ApprovalKind]: readonly VisibilityMethod[] } = {
  message: ['composited', 'intersecting'],
  'typed-data': ['composited'],
  transaction: ['composited'],
  protection: ['composited', 'intersecting'],
}

/** The code with which an approval is refused in a browser that can not tell well enough, if it is. */
export const gateRefusal = (kind: ApprovalKind, method: VisibilityMethod): ErrorCode | undefined =>
  trustedMethods[kind].includes(method) ? undefined : 'approval_required_elsewhere'

type Finding = 'seen' | 'hidden' | 'unreadable'

/** Looks in a row that found the same. */
type Run = {
  found: Finding
  card: VisibilitySample['card']
  sinceMs: number
  lastMs: number
  armedMs: number | undefined
}

export type GateState = {
  nowMs: number
  pixelRatio: number
  run: Run | undefined
  path: Path | undefined
  overMs: number | undefined
  /** The pointer that is over the button went there, and was not come upon by it. */
  hasTravelled: boolean
  focusMs: number | undefined
  askedMs: number | undefined
  /** A press that began; it counts where it counted then already and nothing changed since. */
  down: { by: PressedBy; counts: boolean } | undefined
  isGiven: boolean
}

export const closedGate: GateState = {
  nowMs: 0,
  pixelRatio: 1,
  run: undefined,
  path: undefined,
  overMs: undefined,
  hasTravelled: false,
  focusMs: undefined,
  askedMs: undefined,
  down: undefined,
  isGiven: false,
}

export function notice(before: GateState, noticed: Noticed): GateState {
  const { atMs } = noticed
  const state = { ...before, nowMs: Math.max(before.nowMs, atMs) }
  switch (noticed.what) {
    case 'look':
      return takeLook(state, noticed.look, atMs)
    case 'change':
      return { ...beginAnew(state), run: undefined, path: undefined }
    case 'point':
      return takePoint(state, noticed.point, atMs)
    case 'over':
      return noticed.isOver ? takeArrival(state, atMs) : leaveButton(state)
    case 'focus':
      return { ...state, focusMs: noticed.isFocused ? (state.focusMs ?? atMs) : undefined }
    case 'down':
      return { ...state, down: { by: noticed.by, counts: counts(state, noticed.by, atMs) } }
    case 'cancel':
      return { ...state, down: undefined }
    case 'press':
      return takePress(state, atMs)
    default:
      return noticed satisfies never
  }
}

/** What was pressed before counts for nothing that comes. */
const beginAnew = (state: GateState): GateState => ({
  ...state,
  askedMs: undefined,
  down: state.down && { ...state.down, counts: false },
})

function takeLook(state: GateState, look: VisibilitySample, atMs: number): GateState {
  const { run } = state
  const found = findingOf(look, state.path)
  const isNext = run?.found === found && atMs - run.lastMs <= approvalLimits.lookLastsMs
  // What is said of a covered card changes its size; it is no less covered for that.
  if (!isNext || (found === 'seen' && !isSameCard(run.card, look.card))) {
    const begun = { found, card: look.card, sinceMs: atMs, lastMs: atMs, armedMs: undefined }
    return { ...beginAnew(state), pixelRatio: look.pixelRatio, run: begun }
  }
  const isLong = atMs - run.sinceMs >= approvalLimits.seenMs
  const armedMs = run.armedMs ?? (found === 'seen' && isLong ? atMs : undefined)
  return { ...state, pixelRatio: look.pixelRatio, run: { ...run, lastMs: atMs, armedMs } }
}

function findingOf({ visible, card, pixelRatio }: VisibilitySample, path: Path | undefined): Finding {
  const { leastPixelRatio, leastZoom, leastCardWidthPx, leastCardHeightPx } = approvalLimits
  if (!visible) return 'hidden'
  const isReadable =
    pixelRatio >= leastPixelRatio &&
    card.widthPx >= leastCardWidthPx &&
    card.heightPx >= leastCardHeightPx &&
    (path === undefined || path.zooms.most >= leastZoom)
  return isReadable ? 'seen' : 'unreadable'
}

const isSameCard = (one: VisibilitySample['card'], other: VisibilitySample['card']) =>
  Math.round(one.x) === Math.round(other.x) &&
  Math.round(one.y) === Math.round(other.y) &&
  Math.round(one.widthPx) === Math.round(other.widthPx) &&
  Math.round(one.heightPx) === Math.round(other.heightPx)

function takePoint(state: GateState, point: PathPoint, atMs: number): GateState {
  const path = state.path && follow(state.path, point)
  if (path) return { ...state, path }
  // Of a way that begins here nothing is known: what lies on the button rests anew.
  const overMs = state.overMs === undefined ? undefined : atMs
  const begun = { ...state, path: beginPath(point, state.pixelRatio), overMs, hasTravelled: false }
  if (state.path?.last.pointer !== point.pointer || !state.path) return begun
  // The frame moved, and with it the card, though no look from inside of it can tell.
  return { ...beginAnew(begun), run: undefined }
}

function takeArrival(state: GateState, atMs: number): GateState {
  if (state.overMs !== undefined) return state
  const hasTravelled = (state.path?.moves ?? 0) >= approvalLimits.travelMoves
  return { ...state, overMs: atMs, hasTravelled }
}

/** The way back to it is another. */
const leaveButton = (state: GateState): GateState => ({
  ...state,
  overMs: undefined,
  hasTravelled: false,
  path: state.path && { ...state.path, moves: 0 },
})

function takePress(state: GateState, atMs: number): GateState {
  const { down } = state
  const after = { ...state, down: undefined }
  if (armedSince(state, atMs) === undefined) return after
  const isEnough = counts(state, down?.by ?? 'key', atMs) && down?.counts !== false
  return isEnough ? { ...after, isGiven: true } : { ...after, askedMs: atMs }
}

/** Armed now: a look that is old says nothing of the present. */
function armedSince({ run }: GateState, atMs: number): number | undefined {
  const isFresh = run !== undefined && atMs - run.lastMs <= approvalLimits.lookLastsMs
  return isFresh && run.armedMs !== undefined && atMs >= run.armedMs ? run.armedMs : undefined
}

function counts(state: GateState, by: PressedBy, atMs: number): boolean {
  const armedMs = armedSince(state, atMs)
  if (armedMs === undefined) return false
  const { focusMs, askedMs } = state
  const isLongAgo = (sinceMs = Number.POSITIVE_INFINITY) => atMs - sinceMs >= approvalLimits.restMs
  return rules[by]({
    isOver: hasRested(state, armedMs, atMs),
    isFocused: isLongAgo(focusMs),
    isAsked: isLongAgo(askedMs),
  })
}

/** One that travelled counts from when it came; one that was there, from when the card was armed. */
function hasRested({ overMs, hasTravelled }: GateState, armedMs: number, atMs: number): boolean {
  if (overMs === undefined) return false
  return hasTravelled
    ? atMs - overMs >= approvalLimits.travelledMs
    : atMs - Math.max(overMs, armedMs) >= approvalLimits.restMs
}

type Since = { isOver: boolean; isFocused: boolean; isAsked: boolean }

const rules: { [by in PressedBy]: (since: Since) => boolean } = {
  mouse: ({ isOver }) => isOver,
  // One that can not hover is first heard of when it presses.
  pen: ({ isOver, isAsked }) => isOver || isAsked,
  key: ({ isFocused, isAsked }) => isFocused || isAsked,
  touch: () => true,
}

/** What the screen shows of it. */
export function gateOf(gate: GateState): Gate {
  const { run, nowMs, overMs, hasTravelled, focusMs, askedMs } = gate
  const asks = askedMs !== undefined
  if (!run) return { state: 'waiting', sinceMs: 0, asks }
  const { found, sinceMs, lastMs, armedMs } = run
  if (found !== 'seen') {
    return { state: lastMs - sinceMs >= approvalLimits.restMs ? found : 'waiting', sinceMs, asks }
  }
  if (armedMs === undefined) return { state: 'arming', sinceMs, asks }
  const hasFocused = focusMs !== undefined && nowMs - focusMs >= approvalLimits.restMs
  const isRested = overMs === undefined ? hasFocused : hasRested(gate, armedMs, nowMs)
  if (isRested && (focusMs === undefined || hasFocused)) return { state: 'ready', sinceMs: armedMs, asks }
  // A pointer on its way needs no more than the press takes.
  const restsSinceMs = overMs === undefined || hasTravelled ? 0 : Math.max(overMs, armedMs)
  const cameMs = Math.max(restsSinceMs, focusMs ?? 0)
  return cameMs > 0
    ? { state: 'settling', sinceMs: cameMs, asks }
    : { state: 'armed', sinceMs: armedMs, asks }
}
