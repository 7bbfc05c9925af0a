export { cardSurface, listenForCardEvents } from './approval-gate/card-surface.ts'
export {
  createGate,
  type Gate,
  type GateEvent,
  type GateState,
  reduceGate,
  type Surface,
  toGate,
} from './approval-gate/gate.ts'
export { listenForGateEvents, type Sampler } from './approval-gate/listen.ts'
export { framedPageSurface, windowSurface } from './approval-gate/page-surfaces.ts'
export {
  type VisibilityMethod,
  type VisibilitySample,
  watchVisibility,
} from './approval-gate/visibility.ts'
export { copyText } from './clipboard.ts'
