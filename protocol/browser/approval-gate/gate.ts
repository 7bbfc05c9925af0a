/**
 * The approval gate: decides whether a press on an approve button approves. It has no document, clock or timer: events
 * with timestamps go in, the next state comes out.
 *
 * The gate arms after samples show its surface whole, readable and in one place for 700 ms. Any other sample, a change of
 * the window or the content, or a blur restarts this. A press then counts
 * - for a mouse or pen that travelled onto the button at least 120 ms earlier;
 * - for a pointer that was already there, after half a second over the armed button;
 * - for a finger that went down and up while the gate was armed;
 * - for a key or assistive technology, on a button that was focused for half a second.
 * Any other trusted press asks the user to press again. The second press counts at least half a second later; a mouse
 * must also have stayed on the button.
 */
import { approvalLimits } from '../../limits/approval.ts'
import type { Path, PathPoint } from './pointer-path.ts'
import type { VisibilitySample } from './visibility.ts'

export type PressSource = 'mouse' | 'pen' | 'touch' | 'key'

/** An event for the gate. `atMs` comes from a monotonic clock. */
export type GateEvent = { atMs: number } & (
  | { type: 'sample'; sample: VisibilitySample }
  /** The window lost focus, was hidden, was resized or changed its zoom. */
  | { type: 'change' }
  /** A pointer position anywhere in the document. */
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
 * something covers the surface. `unreadable`: the surface is too small.
 */
export type Gate = {
  state: 'waiting' | 'arming' | 'armed' | 'settling' | 'ready' | 'hidden' | 'unreadable'
  sinceMs: number
  /** A press did not count, and the user must press again. */
  asks: boolean
}

/** The area that shows the request. Its rules depend on whether another page can move or cover it. */
export type Surface = {
  leastWidthPx: number
  leastHeightPx: number
  /** Older samples do not count. */
  sampleLastsMs: number
  /** A focus from before the gate armed does not count. */
  needsNewFocus: boolean
  /** Returns whether the pointer moved onto the button. Otherwise the button may have moved under the pointer. */
  hasTravelled: (gate: GateState, armedMs: number) => boolean
  /** Follows the pointer, to detect that the surface moved. Undefined for a surface that samples itself. */
  trackPointer?: (gate: GateState, point: PathPoint, atMs: number) => GateState
}

type Finding = 'seen' | 'hidden' | 'unreadable'

/** Consecutive samples with the same finding. */
type Run = {
  finding: Finding
  sample: VisibilitySample
  sinceMs: number
  lastMs: number
  armedMs: number | undefined
}

export type GateState = {
  surface: Surface
  nowMs: number
  pixelRatio: number
  run: Run | undefined
  path: Path | undefined
  overMs: number | undefined
  /** The pointer moves outside the button before it entered. */
  movesBefore: number
  focusMs: number | undefined
  promptedMs: number | undefined
  /** The press in progress. It counts only if it already counted at its start and nothing changed since. */
  down: { by: PressSource; counts: boolean } | undefined
  isApproved: boolean
}

/** Creates a gate that is not armed. */
export const createGate = (surface: Surface): GateState => ({
  surface,
  nowMs: 0,
  pixelRatio: 1,
  run: undefined,
  path: undefined,
  overMs: undefined,
  movesBefore: 0,
  focusMs: undefined,
  promptedMs: undefined,
  down: undefined,
  isApproved: false,
})

export function reduceGate(before: GateState, event: GateEvent): GateState {
  const { atMs } = event
  const gate = { ...before, nowMs: Math.max(before.nowMs, atMs) }
  switch (event.type) {
    case 'sample':
      return applySample(gate, event.sample, atMs)
    case 'change':
      return { ...disarm(gate), path: undefined }
    case 'point':
      return gate.surface.trackPointer?.(gate, event.point, atMs) ?? gate
    case 'over':
      return event.isOver ? enterButton(gate, atMs) : leaveButton(gate)
    case 'focus':
      return { ...gate, focusMs: event.isFocused ? (gate.focusMs ?? atMs) : undefined }
    case 'down':
      return { ...gate, down: { by: event.by, counts: counts(gate, event.by, atMs) } }
    case 'cancel':
      return { ...gate, down: undefined }
    case 'press':
      return applyPress(gate, atMs)
    default:
      return event satisfies never
  }
}

/** Discards the samples, the press in progress and any repeat request. */
export const disarm = (gate: GateState): GateState => ({
  ...gate,
  run: undefined,
  promptedMs: undefined,
  down: gate.down && { ...gate.down, counts: false },
})

function applySample(before: GateState, sample: VisibilitySample, atMs: number): GateState {
  const { run, surface } = before
  const finding = getFinding(before, sample)
  const gate = { ...before, pixelRatio: sample.pixelRatio }
  const isNext = run?.finding === finding && atMs - run.lastMs <= surface.sampleLastsMs
  // The warning on a covered card changes its size, which must not hide the warning again.
  if (!isNext || (finding === 'seen' && !isSame(run.sample, sample))) {
    return { ...disarm(gate), run: { finding, sample, sinceMs: atMs, lastMs: atMs, armedMs: undefined } }
  }
  const isLong = atMs - run.sinceMs >= approvalLimits.seenMs
  const armedMs = run.armedMs ?? (finding === 'seen' && isLong ? atMs : undefined)
  return { ...gate, run: { ...run, lastMs: atMs, armedMs } }
}

function getFinding({ surface, path }: GateState, { visible, card, pixelRatio }: VisibilitySample): Finding {
  if (!visible) return 'hidden'
  const isReadable =
    pixelRatio >= approvalLimits.leastPixelRatio &&
    card.widthPx >= surface.leastWidthPx &&
    card.heightPx >= surface.leastHeightPx &&
    (path === undefined || path.zooms.most >= approvalLimits.leastZoom)
  return isReadable ? 'seen' : 'unreadable'
}

const isSame = (one: VisibilitySample, other: VisibilitySample) =>
  one.pixelRatio === other.pixelRatio &&
  (['x', 'y', 'widthPx', 'heightPx'] as const).every(
    (side) => Math.round(one.card[side]) === Math.round(other.card[side]),
  )

const enterButton = (gate: GateState, atMs: number): GateState =>
  gate.overMs === undefined ? { ...gate, overMs: atMs, movesBefore: gate.path?.moves ?? 0 } : gate

/** Entering the button again needs a new movement. */
const leaveButton = (gate: GateState): GateState => ({
  ...gate,
  overMs: undefined,
  path: gate.path && { ...gate.path, moves: 0 },
})

function applyPress(gate: GateState, atMs: number): GateState {
  const { down } = gate
  const after = { ...gate, down: undefined }
  if (armedSince(gate, atMs) === undefined) return after
  const isEnough = counts(gate, down?.by ?? 'key', atMs) && down?.counts !== false
  return isEnough ? { ...after, isApproved: true } : { ...after, promptedMs: atMs }
}

/** Returns when the gate armed, or undefined if the last sample is too old. */
function armedSince({ run, surface }: GateState, atMs: number): number | undefined {
  const isFresh = run !== undefined && atMs - run.lastMs <= surface.sampleLastsMs
  return isFresh && run.armedMs !== undefined && atMs >= run.armedMs ? run.armedMs : undefined
}

function counts(gate: GateState, by: PressSource, atMs: number): boolean {
  const armedMs = armedSince(gate, atMs)
  if (armedMs === undefined) return false
  const isAsked = isLongAgo(gate.promptedMs, atMs)
  switch (by) {
    case 'mouse':
      return hasRested(gate, armedMs, atMs)
    case 'pen':
      // A pen that cannot hover emits its first event with the press.
      return hasRested(gate, armedMs, atMs) || isAsked
    case 'touch':
      return true
    case 'key':
      return isLongAgo(focusedSince(gate, armedMs), atMs) || isAsked
    default:
      return by satisfies never
  }
}

const isLongAgo = (sinceMs: number | undefined, atMs: number) =>
  sinceMs !== undefined && atMs - sinceMs >= approvalLimits.restMs

/** Returns when the button got the focus, or undefined if that focus does not count. */
const focusedSince = ({ focusMs, surface }: GateState, armedMs: number): number | undefined =>
  focusMs !== undefined && surface.needsNewFocus && focusMs < armedMs ? undefined : focusMs

/** Counts from the arrival of a travelling pointer, and from arming for a pointer that was already there. */
function hasRested(gate: GateState, armedMs: number, atMs: number): boolean {
  const { overMs, surface } = gate
  if (overMs === undefined) return false
  return surface.hasTravelled(gate, armedMs)
    ? atMs - overMs >= approvalLimits.travelledMs
    : isLongAgo(Math.max(overMs, armedMs), atMs)
}

/** Returns the state that the screen shows. */
export function toGate(gate: GateState): Gate {
  const { run, nowMs, overMs, promptedMs } = gate
  const show = (state: Gate['state'], sinceMs = 0): Gate => ({
    state,
    sinceMs,
    asks: promptedMs !== undefined,
  })
  if (!run) return show('waiting')
  const { finding, sinceMs, lastMs, armedMs } = run
  if (finding !== 'seen') return show(isLongAgo(sinceMs, lastMs) ? finding : 'waiting', sinceMs)
  if (armedMs === undefined) return show('arming', sinceMs)
  const focusMs = focusedSince(gate, armedMs)
  const hasFocused = isLongAgo(focusMs, nowMs)
  const isRested = overMs === undefined ? hasFocused : hasRested(gate, armedMs, nowMs)
  if (isRested && (focusMs === undefined || hasFocused)) return show('ready', armedMs)
  // A travelling pointer needs less time than a press takes.
  const needsRest = overMs !== undefined && !gate.surface.hasTravelled(gate, armedMs)
  const cameMs = Math.max(needsRest ? Math.max(overMs, armedMs) : 0, focusMs ?? 0)
  return cameMs > 0 ? show('settling', cameMs) : show('armed', armedMs)
}
