/** Converts DOM events of the window and the approve button into gate events. Scripted events are ignored. */
import type { GateEvent, PressSource } from './gate.ts'
import type { VisibilitySample } from './visibility.ts'

/** Samples a surface until the returned function is called. */
export type Sampler = (onSample: (sample: VisibilitySample) => void) => () => void

/** Emits gate events until the returned function is called. */
export function listenForGateEvents(
  button: HTMLElement,
  sampler: Sampler,
  emit: (event: GateEvent) => void,
): () => void {
  const ending = new AbortController()
  const options = { signal: ending.signal, capture: true }
  const stopSampling = sampler((sample) => emit({ type: 'sample', sample, atMs: performance.now() }))

  const change = ifTrusted((event) => emit({ type: 'change', atMs: getTime(event) }))
  // Not in the capture phase, which would include the blur events of inner elements.
  window.addEventListener('blur', change, { signal: ending.signal })
  window.addEventListener('resize', change, options)
  document.addEventListener('visibilitychange', change, options)

  const listen = <Name extends keyof HTMLElementEventMap>(
    name: Name,
    listener: (event: HTMLElementEventMap[Name]) => void,
  ) => button.addEventListener(name, ifTrusted(listener), options)
  const over = (isOver: boolean) => (event: PointerEvent) => {
    if (event.pointerType !== 'touch') emit({ type: 'over', isOver, atMs: getTime(event) })
  }
  listen('pointerenter', over(true))
  listen('pointerleave', over(false))
  listen('focus', (event) => emit({ type: 'focus', isFocused: true, atMs: getTime(event) }))
  listen('blur', (event) => emit({ type: 'focus', isFocused: false, atMs: getTime(event) }))
  listen('pointerdown', (event) => emit({ type: 'down', by: toPressSource(event), atMs: getTime(event) }))
  listen('pointercancel', (event) => emit({ type: 'cancel', atMs: getTime(event) }))
  listen('click', (event) => emit({ type: 'press', atMs: getTime(event) }))
  listen('keydown', (event) => {
    if (event.key !== 'Enter' && event.key !== ' ') return
    // A held key repeats its click, even if it was pressed on another element.
    if (event.repeat) event.preventDefault()
    else emit({ type: 'down', by: 'key', atMs: getTime(event) })
  })

  return () => {
    ending.abort()
    stopSampling()
  }
}

export const ifTrusted =
  <TrustedEvent extends Event>(listener: (event: TrustedEvent) => void) =>
  (event: TrustedEvent) => {
    if (event.isTrusted) listener(event)
  }

/** Chromium gives some pointer events a time hours ahead, which would keep the gate waiting. */
export const getTime = ({ timeStamp }: Event) => Math.min(timeStamp, performance.now())

/** Treats unknown pointer types as a mouse. */
const toPressSource = ({ pointerType }: PointerEvent): PressSource =>
  pointerType === 'touch' || pointerType === 'pen' ? pointerType : 'mouse'
