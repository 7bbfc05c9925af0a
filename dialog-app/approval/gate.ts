/**
 * The rules that decide whether a press approves. A pure reducer: browser events with their time go in, the next
 * state comes out.
 *
 * The card arms after randomly timed visibility samples show it whole, uncovered, readable and in one place for 700
 * ms. Any other sample, a change of the window or the content, or a blur restarts this. A press then counts
 * - for a mouse or pen that travelled onto the button at least 120 ms earlier, in a frame that did not move;
 * - for a pointer that was already there, after half a second over the armed button;
 * - for a finger that went down and up while the card was armed;
 * - for a key or assistive technology, on a button that was focused for half a second.
 * Any other trusted press asks the user to press again. The second press counts at least half a second later; a mouse
 * must also have stayed on the button.
 */
import { approvalLimits, type ErrorCode } from '@latchkey/protocol'
import type { VisibilityMethod, VisibilitySample } from '@latchkey/protocol/wallet'
import { beginPath, extendPath, type Path, type PathPoint } from './gate-path.ts'

export type PressSource = 'mouse' | 'pen' | 'touch' | 'key'

/** An event for the gate. `atMs` comes from a monotonic clock. */
export type GateEvent = { atMs: number } & (
  | { type: 'sample'; sample: VisibilitySample }
  /** The window lost focus, was hidden, was resized or changed its zoom. */
  | { type: 'change' }
  /** A pointer position anywhere in the frame. */
  | { type: 'point'; point: PathPoint }
  /** A mouse or pen entered or left the button. */
  | { type: 'over'; isOver: boolean }
  | { type: 'focus'; isFocused: boolean }
  | { type: 'down'; by: PressSource }
  /** The browser cancelled the press because it became a scroll. */
  | { type: 'cancel' }
  /** A click. Assistive technology clicks without a preceding `down`. */
  | { type: 'press' }
)

/**
 * `waiting`: not visible (yet). `arming`: visible since `sinceMs`. `armed`: visible for long enough. `settling`:
 * armed, and a pointer or the focus must rest on the button since `sinceMs`. `ready`: a press counts. `hidden`:
 * something covers the card. `unreadable`: the card is too small.
 */
export type Gate = {
  state: 'waiting' | 'arming' | 'armed' | 'settling' | 'ready' | 'hidden' | 'unreadable'
  sinceMs: number
  /** A press did not count, and the user must press again. */
  asks: boolean
}

/**
 * The kind decides how reliably the card must be visible. `protection` only adds a second factor or recovery method.
 */
export type ApprovalKind = 'message' | 'typed-data' | 'transaction' | 'protection'

const trustedMethods: { [kind in ApprovalKind]: readonly VisibilityMethod[] } = {
  message: ['composited', 'intersecting'],
  'typed-data': ['composited'],
  transaction: ['composited'],
  protection: ['composited', 'intersecting'],
}

/** Returns the error code for a browser that cannot report visibility well enough for this kind. */
export const gateRefusal = (kind: ApprovalKind, method: VisibilityMethod): ErrorCode | undefined =>
  trustedMethods[kind].includes(method) ? undefined : 'approval_required_elsewhere'

type Finding = 'seen' | 'hidden' | 'unreadable'

/** Consecutive samples with the same finding. */
type Run = {
  finding: Finding
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
  /** The pointer moved onto the button; the button did not move under the pointer. */
  hasTravelled: boolean
  focusMs: number | undefined
  promptedMs: number | undefined
  /** The press in progress. It counts only if it already counted at its start and nothing changed since. */
  down: { by: PressSource; counts: boolean } | undefined
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
  promptedMs: undefined,
  down: undefined,
  isGiven: false,
}

export function gateStep(before: GateState, noticed: GateEvent): GateState {
  const { atMs } = noticed
  const state = { ...before, nowMs: Math.max(before.nowMs, atMs) }
  switch (noticed.type) {
    case 'sample':
      return applySample(state, noticed.sample, atMs)
    case 'change':
      return { ...disarm(state), run: undefined, path: undefined }
    case 'point':
      return applyPoint(state, noticed.point, atMs)
    case 'over':
      return noticed.isOver ? enterButton(state, atMs) : leaveButton(state)
    case 'focus':
      return { ...state, focusMs: noticed.isFocused ? (state.focusMs ?? atMs) : undefined }
    case 'down':
      return { ...state, down: { by: noticed.by, counts: counts(state, noticed.by, atMs) } }
    case 'cancel':
      return { ...state, down: undefined }
    case 'press':
      return applyPress(state, atMs)
    default:
      return noticed satisfies never
  }
}

/** Discards the press in progress and any repeat request. */
const disarm = (state: GateState): GateState => ({
  ...state,
  promptedMs: undefined,
  down: state.down && { ...state.down, counts: false },
})

function applySample(state: GateState, sample: VisibilitySample, atMs: number): GateState {
  const { run } = state
  const finding = getFinding(sample, state.path)
  const isNext = run?.finding === finding && atMs - run.lastMs <= approvalLimits.lookLastsMs
  // The warning on a covered card changes its size, which must not hide the warning again.
  if (!isNext || (finding === 'seen' && !isSameCard(run.card, sample.card))) {
    const started = { finding, card: sample.card, sinceMs: atMs, lastMs: atMs, armedMs: undefined }
    return { ...disarm(state), pixelRatio: sample.pixelRatio, run: started }
  }
  const isLong = atMs - run.sinceMs >= approvalLimits.seenMs
  const armedMs = run.armedMs ?? (finding === 'seen' && isLong ? atMs : undefined)
  return { ...state, pixelRatio: sample.pixelRatio, run: { ...run, lastMs: atMs, armedMs } }
}

function getFinding({ visible, card, pixelRatio }: VisibilitySample, path: Path | undefined): Finding {
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

function applyPoint(state: GateState, point: PathPoint, atMs: number): GateState {
  const path = state.path && extendPath(state.path, point)
  if (path) return { ...state, path }
  // A new path has no history, so a pointer on the button must rest again.
  const overMs = state.overMs === undefined ? undefined : atMs
  const restarted = { ...state, path: beginPath(point, state.pixelRatio), overMs, hasTravelled: false }
  if (state.path?.last.pointer !== point.pointer || !state.path) return restarted
  // The frame moved on the screen, which no visibility sample inside it can detect.
  return { ...disarm(restarted), run: undefined }
}

function enterButton(state: GateState, atMs: number): GateState {
  if (state.overMs !== undefined) return state
  const hasTravelled = (state.path?.moves ?? 0) >= approvalLimits.travelMoves
  return { ...state, overMs: atMs, hasTravelled }
}

/** Entering the button again needs a new movement. */
const leaveButton = (state: GateState): GateState => ({
  ...state,
  overMs: undefined,
  hasTravelled: false,
  path: state.path && { ...state.path, moves: 0 },
})

function applyPress(state: GateState, atMs: number): GateState {
  const { down } = state
  const after = { ...state, down: undefined }
  if (armedSince(state, atMs) === undefined) return after
  const isEnough = counts(state, down?.by ?? 'key', atMs) && down?.counts !== false
  return isEnough ? { ...after, isGiven: true } : { ...after, promptedMs: atMs }
}

/** Returns when the card armed, or undefined if the last sample is too old. */
function armedSince({ run }: GateState, atMs: number): number | undefined {
  const isFresh = run !== undefined && atMs - run.lastMs <= approvalLimits.lookLastsMs
  return isFresh && run.armedMs !== undefined && atMs >= run.armedMs ? run.armedMs : undefined
}

function counts(state: GateState, by: PressSource, atMs: number): boolean {
  const armedMs = armedSince(state, atMs)
  if (armedMs === undefined) return false
  const { focusMs, promptedMs: askedMs } = state
  const isLongAgo = (sinceMs = Number.POSITIVE_INFINITY) => atMs - sinceMs >= approvalLimits.restMs
  return rules[by]({
    isOver: hasRested(state, armedMs, atMs),
    isFocused: isLongAgo(focusMs),
    isAsked: isLongAgo(askedMs),
  })
}

/** Counts from the arrival of a travelling pointer, and from arming for a pointer that was already there. */
function hasRested({ overMs, hasTravelled }: GateState, armedMs: number, atMs: number): boolean {
  if (overMs === undefined) return false
  return hasTravelled
    ? atMs - overMs >= approvalLimits.travelledMs
    : atMs - Math.max(overMs, armedMs) >= approvalLimits.restMs
}

type Since = { isOver: boolean; isFocused: boolean; isAsked: boolean }

const rules: { [by in PressSource]: (since: Since) => boolean } = {
  mouse: ({ isOver }) => isOver,
  // A pen that cannot hover emits its first event with the press.
  pen: ({ isOver, isAsked }) => isOver || isAsked,
  key: ({ isFocused, isAsked }) => isFocused || isAsked,
  touch: () => true,
}

/** Returns the state that the screen shows. */
export function toGate(gate: GateState): Gate {
  const { run, nowMs, overMs, hasTravelled, focusMs, promptedMs: askedMs } = gate
  const asks = askedMs !== undefined
  if (!run) return { state: 'waiting', sinceMs: 0, asks }
  const { finding: found, sinceMs, lastMs, armedMs } = run
  if (found !== 'seen') {
    return { state: lastMs - sinceMs >= approvalLimits.restMs ? found : 'waiting', sinceMs, asks }
  }
  if (armedMs === undefined) return { state: 'arming', sinceMs, asks }
  const hasFocused = focusMs !== undefined && nowMs - focusMs >= approvalLimits.restMs
  const isRested = overMs === undefined ? hasFocused : hasRested(gate, armedMs, nowMs)
  if (isRested && (focusMs === undefined || hasFocused)) return { state: 'ready', sinceMs: armedMs, asks }
  // A travelling pointer needs less time than a press takes.
  const restsSinceMs = overMs === undefined || hasTravelled ? 0 : Math.max(overMs, armedMs)
  const cameMs = Math.max(restsSinceMs, focusMs ?? 0)
  return cameMs > 0
    ? { state: 'settling', sinceMs: cameMs, asks }
    : { state: 'armed', sinceMs: armedMs, asks }
}
