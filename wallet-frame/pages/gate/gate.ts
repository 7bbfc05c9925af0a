/**
 * When a press on this page approves. Nobody lies over a page at the top, but it may come up under a hand that is about
 * to press something else: so the button arms when its window had the focus, and stood where it is, as large as it is,
 * for 700 ms. A press then counts
 * - of a mouse or pen that came onto the button after that, 120 ms later, or that rested there for half a second;
 * - of a finger that went down and up since;
 * - of a key, on a button that got the focus since, and had it for half a second.
 * Any other press asks for one more, which counts half a second later.
 *
 * Everything comes in as one value with its time; there is no clock and no timer here.
 */
import { approvalLimits } from '@latchkey/protocol'

export type PressedBy = 'mouse' | 'touch' | 'key'

/** A sample of the window, or of the frame that the dialog shows the page in. */
export type WindowLook = {
  isFramed: boolean
  /** A window has the focus, a frame is visible. */
  isInFront: boolean
  x: number
  y: number
  widthPx: number
  heightPx: number
  pixelRatio: number
  /** The button is in the window with all of it. */
  isButtonSeen: boolean
}

export type Noticed = { atMs: number } & (
  | { what: 'look'; look: WindowLook }
  /** The window lost the focus, or has another size. */
  | { what: 'change' }
  | { what: 'over'; isOver: boolean }
  | { what: 'focus'; isFocused: boolean }
  | { what: 'down'; by: PressedBy }
  | { what: 'cancel' }
  | { what: 'press' }
)

/** `waiting`: not armed. `ready`: a press that is made as it should be counts. `small`: the window is too small to read. */
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
  isGiven: boolean
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
  isGiven: false,
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

export function notice(before: GateState, noticed: Noticed): GateState {
  const { atMs } = noticed
  const state = { ...before, nowMs: Math.max(before.nowMs, atMs) }
  switch (noticed.what) {
    case 'look':
      return afterLook(state, noticed.look, atMs)
    case 'change':
      return beginAnew(state)
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

/** A press that began earlier does not count for what is shown from now on. */
const beginAnew = (state: GateState): GateState => ({
  ...state,
  stillSinceMs: undefined,
  armedMs: undefined,
  askedMs: undefined,
  down: state.down && { ...state.down, counts: false },
})

function afterLook(state: GateState, look: WindowLook, atMs: number): GateState {
  const isStill = state.look !== undefined && isSame(state.look, look)
  if (!isStill || !isReadable(look)) return { ...beginAnew(state), look, stillSinceMs: atMs }
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
  // A click without a beginning is of assistive technology.
  const isEnough = counts(state, down?.by ?? 'key', atMs) && down?.counts !== false
  return isEnough ? { ...after, isGiven: true } : { ...after, askedMs: atMs }
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
 * A pointer that moved onto an armed button rests for less time than one that was there before. The dialog can move a frame
 * under the pointer, so in a frame both rest for the longer time.
 */
function hasRested({ look, overMs, armedMs }: GateState, atMs: number): boolean {
  if (overMs === undefined || armedMs === undefined) return false
  const isTravelled = overMs > armedMs && look?.isFramed === false
  return atMs - Math.max(overMs, armedMs) >= (isTravelled ? travelledMs : restMs)
}

/** The state of the gate that the page shows. */
export function gateOf(state: GateState): Gate {
  const { look, armedMs, focusMs, nowMs, askedMs } = state
  const asks = askedMs !== undefined
  if (look && !isLarge(look)) return { state: 'small', asks }
  if (armedMs === undefined) return { state: 'waiting', asks }
  const isReady = hasRested(state, nowMs) || (focusMs !== undefined && counts(state, 'key', nowMs))
  return { state: isReady ? 'ready' : 'armed', asks }
}
