import { approvalLimits } from '../../limits/approval.ts'
import { disarm, type GateEvent, type GateState, type Surface } from './gate.ts'
import { getTime, ifTrusted, listenForGateEvents } from './listen.ts'
import { beginPath, extendPath, type PathPoint } from './pointer-path.ts'
import { watchVisibility } from './visibility.ts'

/** The dialog's card. The host page may cover and move its frame, so only a pointer that travelled there is quick. */
export const cardSurface: Surface = {
  leastWidthPx: approvalLimits.leastCardWidthPx,
  leastHeightPx: approvalLimits.leastCardHeightPx,
  sampleLastsMs: approvalLimits.lookLastsMs,
  needsNewFocus: false,
  hasTravelled: ({ movesBefore }) => movesBefore >= approvalLimits.travelMoves,
  trackPointer,
}

function trackPointer(gate: GateState, point: PathPoint, atMs: number): GateState {
  const path = gate.path && extendPath(gate.path, point)
  if (path) return { ...gate, path }
  // A new path has no history, so a pointer on the button must rest again.
  const overMs = gate.overMs === undefined ? undefined : atMs
  const restarted = { ...gate, path: beginPath(point, gate.pixelRatio), overMs, movesBefore: 0 }
  // The frame moved on the screen, which no visibility sample inside it can detect.
  return gate.path && gate.path.last.pointer === point.pointer ? disarm(restarted) : restarted
}

/** Emits the gate events of the card, with the positions of the pointer, until the returned function is called. */
export function listenForCardEvents(
  card: Element,
  button: HTMLElement,
  emit: (event: GateEvent) => void,
): () => void {
  const ending = new AbortController()
  const point = ifTrusted((event: PointerEvent) => {
    const { screenX, screenY, clientX, clientY, pointerType: pointer, target } = event
    const screen = { x: screenX, y: screenY }
    const client = { x: clientX, y: clientY }
    const atMs = getTime(event)
    emit({ type: 'point', point: { screen, client, pointer }, atMs })
    // A pointer that was on the button before the listener was attached emits no enter event.
    if (pointer !== 'touch' && target instanceof Node && button.contains(target)) {
      emit({ type: 'over', isOver: true, atMs })
    }
  })
  for (const name of ['pointerover', 'pointermove', 'pointerdown', 'pointerup'] as const) {
    document.addEventListener(name, point, { signal: ending.signal, capture: true })
  }
  const stopListening = listenForGateEvents(button, (onSample) => watchVisibility(card, onSample), emit)
  return () => {
    ending.abort()
    stopListening()
  }
}
