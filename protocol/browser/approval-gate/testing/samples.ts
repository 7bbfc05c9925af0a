/** Events of the approval gate in tests: a visible card, and a finger. */
import type { GateEvent } from '../gate.ts'
import type { VisibilitySample } from '../visibility.ts'

const seenCard: VisibilitySample = {
  method: 'composited',
  visible: true,
  card: { x: 100, y: 50, widthPx: 376, heightPx: 430 },
  pixelRatio: 1,
}
export const looked = (atMs: number, change: Partial<VisibilitySample> = {}): GateEvent => ({
  type: 'sample',
  atMs,
  sample: { ...seenCard, ...change },
})
/** Samples the visibility for 700 ms from this time, which arms the card. */
export const seenFrom = (fromMs: number, change: Partial<VisibilitySample> = {}): readonly GateEvent[] =>
  [0, 100, 200, 300, 400, 500, 600, 700].map((afterMs) => looked(fromMs + afterMs, change))
export const tapped = (atMs: number): readonly GateEvent[] => [
  { type: 'down', by: 'touch', atMs },
  { type: 'press', atMs: atMs + 10 },
]
