/**
 * The approval gate: decides whether a press on this page approves.
 *
 * Nothing can cover a top-level page, but it may appear under a pointer that is about to press something
 * else. So the button is armed after its window had the focus, at the same place and size, for 700 ms. A
 * press then counts if it is
 * - by a mouse or pen that entered the button after that, at least 120 ms earlier, or that rested there for 500 ms;
 * - by a finger that went down and up since;
 * - by a key, on a button that got the focus since, at least 500 ms earlier.
 * Any other press asks for a second press, which counts 500 ms later.
 *
 * The gate is a pure function of events with timestamps. It has no clock and no timer.
 */
import { approvalLimits } from '@latchkey/protocol'

export type PressedBy = 'mouse' | 'touch' | 'key'

/** A sample of the window, or of the frame in which the dialog shows the page. */
export type WindowLook = {
  isFramed: boolean
  /** The window has the focus, or the frame is visible. */
  isInFront: boolean
  x: number
  y: number
  widthPx: number
  heightPx: number
  pixelRatio: number
  /** The whole button is inside the window. */
  isButtonSeen: boolean
}

export type GateEvent = { atMs: number } & (
  | { type: 'look'; look: WindowLook }
  /** The window lost the focus, or was resized. */
  | { type: 'change' }
  | { type: 'over'; isOver: boolean }
  | { type: 'focus'; isFocused: boolean }
  | { type: 'down'; by: PressedBy }
  | { type: 'cancel' }
  | { type: 'press' }
)

/** `waiting`: not armed. `ready`: a correct press counts. `small`: the window is too small to read. */
export type Gate = { state: 'waiting' | 'small' | 'armed' | 'ready'; asks: boolean }

export type GateState = {
  nowMs: number
  look: WindowLook | undefined
  stillSinceMs: number | undefined
  armedMs: number | undefined
  overMs: number | undefined
  focusMs: number | undefined
  askedMs: number | undefined
  down: { by: PressedBy; counts: boolean } | undefined
  isApproved: boolean
}

export const closedGate: GateState = {
  nowMs: 0,
  look: undefined,
  stillSinceMs: undefined,
  armedMs: undefined,
  overMs: undefined,
  focusMs: undefined,
  askedMs: undefined,
  down: undefined,
  isApproved: false,
}

const {
  seenMs,
  restMs,
  travelledMs,
  leastPixelRatio,
  leastCardWidthPx,
  leastCardHeightPx,
  leastFramedPageWidthPx,
  leastFramedPageHeightPx,
} = approvalLimits

export function reduceGate(before: GateState, noticed: GateEvent): GateState {
  const { atMs } = noticed
  const state = { ...before, nowMs: Math.max(before.nowMs, atMs) }
  switch (noticed.type) {
    case 'look':
      return afterLook(state, noticed.look, atMs)
    case 'change':
      return disarm(state)
    case 'over':
      return { ...state, overMs: noticed.isOver ? (state.overMs ?? atMs) : undefined }
    case 'focus':
      return { ...state, focusMs: noticed.isFocused ? (state.focusMs ?? atMs) : undefined }
    case 'down':
      return { ...state, down: { by: noticed.by, counts: counts(state, noticed.by, atMs) } }
    case 'cancel':
      return { ...state, down: undefined }
    case 'press':
      return afterPress(state, atMs)
    default:
      return noticed satisfies never
  }
}

/** Disarms the gate. A press that began earlier does not count for the new content. */
const disarm = (state: GateState): GateState => ({
  ...state,
  stillSinceMs: undefined,
  armedMs: undefined,
  askedMs: undefined,
  down: state.down && { ...state.down, counts: false },
})

function afterLook(state: GateState, look: WindowLook, atMs: number): GateState {
  const isStill = state.look !== undefined && isSame(state.look, look)
  if (!isStill || !isReadable(look)) return { ...disarm(state), look, stillSinceMs: atMs }
  const stillSinceMs = state.stillSinceMs ?? atMs
  const armedMs = state.armedMs ?? (atMs - stillSinceMs >= seenMs ? atMs : undefined)
  return { ...state, look, stillSinceMs, armedMs }
}

const isSame = (one: WindowLook, other: WindowLook) =>
  one.x === other.x &&
  one.y === other.y &&
  one.widthPx === other.widthPx &&
  one.heightPx === other.heightPx &&
  one.pixelRatio === other.pixelRatio

const isLarge = ({ isFramed, widthPx, heightPx, pixelRatio }: WindowLook) =>
  widthPx >= (isFramed ? leastFramedPageWidthPx : leastCardWidthPx) &&
  heightPx >= (isFramed ? leastFramedPageHeightPx : leastCardHeightPx) &&
  pixelRatio >= leastPixelRatio

const isReadable = (look: WindowLook) => look.isInFront && look.isButtonSeen && isLarge(look)

function afterPress(state: GateState, atMs: number): GateState {
  const { down } = state
  const after = { ...state, down: undefined }
  if (state.armedMs === undefined) return after
  // Assistive technology clicks without a preceding press.
  const isEnough = counts(state, down?.by ?? 'key', atMs) && down?.counts !== false
  return isEnough ? { ...after, isApproved: true } : { ...after, askedMs: atMs }
}

function counts(state: GateState, by: PressedBy, atMs: number): boolean {
  const { armedMs, focusMs, askedMs } = state
  if (armedMs === undefined) return false
  const isAsked = askedMs !== undefined && atMs - askedMs >= restMs
  switch (by) {
    case 'mouse':
      return hasRested(state, atMs)
    case 'touch':
      return true
    case 'key':
      return isAsked || (focusMs !== undefined && focusMs >= armedMs && atMs - focusMs >= restMs)
    default:
      return by satisfies never
  }
}

/**
 * Returns whether the pointer has rested long enough. A pointer that entered an armed button needs less time
 * than one that was already there. The dialog can move a frame under the pointer, so in a frame both need the
 * longer time.
 */
function hasRested({ look, overMs, armedMs }: GateState, atMs: number): boolean {
  if (overMs === undefined || armedMs === undefined) return false
  const isTravelled = overMs > armedMs && look?.isFramed === false
  return atMs - Math.max(overMs, armedMs) >= (isTravelled ? travelledMs : restMs)
}

/** Returns the state of the gate that the page shows. */
export function toGate(state: GateState): Gate {
  const { look, armedMs, focusMs, nowMs, askedMs } = state
  const asks = askedMs !== undefined
  if (look && !isLarge(look)) return { state: 'small', asks }
  if (armedMs === undefined) return { state: 'waiting', asks }
  const isReady = hasRested(state, nowMs) || (focusMs !== undefined && counts(state, 'key', nowMs))
  return { state: isReady ? 'ready' : 'armed', asks }
}
