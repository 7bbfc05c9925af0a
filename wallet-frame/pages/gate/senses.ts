/**
 * Reports the state of the page's window and the input on its button. Events that a script dispatched are
 * ignored.
 */
import type { Clock } from '../../clock.ts'
import type { GateEvent, PressedBy, WindowLook } from './gate.ts'

const LOOK_EVERY_MS = 50

/** Calls back with samples of the page until the returned function is called. */
export type Sampler = (button: HTMLElement, clock: Clock, onLook: (look: WindowLook) => void) => () => void

/** Samples a page at the top of its window. */
export const sampleWindow: Sampler = (button, clock, onLook) => {
  let stopTimer = () => {}
  const sample = () => {
    onLook({ ...measureButton(button), isFramed: false, isInFront: document.hasFocus() })
    stopTimer = clock.after(LOOK_EVERY_MS, sample)
  }
  sample()
  return () => stopTimer()
}

/** Reports samples and input. Returns a function that stops it. */
export function senseApproval(
  button: HTMLElement,
  sampler: Sampler,
  clock: Clock,
  tell: (noticed: GateEvent) => void,
): () => void {
  const ending = new AbortController()
  const { signal } = ending
  const options = { signal, capture: true }
  const stopSampling = sampler(button, clock, (look) => tell({ type: 'look', look, atMs: performance.now() }))

  const change = ifTrusted((event) => tell({ type: 'change', atMs: getTime(event) }))
  window.addEventListener('blur', (event) => event.target === window && change(event), { signal })
  window.addEventListener('resize', change, options)
  document.addEventListener('visibilitychange', change, options)

  const over = (isOver: boolean) =>
    ifTrusted((event: PointerEvent) => {
      if (event.pointerType !== 'touch') tell({ type: 'over', isOver, atMs: getTime(event) })
    })
  button.addEventListener('pointerenter', over(true), options)
  button.addEventListener('pointerleave', over(false), options)
  const focus = (isFocused: boolean) =>
    ifTrusted((event) => tell({ type: 'focus', isFocused, atMs: getTime(event) }))
  button.addEventListener('focus', focus(true), options)
  button.addEventListener('blur', focus(false), options)

  const begin = (by: PressedBy, event: Event) => tell({ type: 'down', by, atMs: getTime(event) })
  button.addEventListener(
    'pointerdown',
    ifTrusted((event) => begin(event.pointerType === 'touch' ? 'touch' : 'mouse', event)),
    options,
  )
  button.addEventListener(
    'keydown',
    ifTrusted((event) => {
      if (event.key !== 'Enter' && event.key !== ' ') return
      // A held key clicks repeatedly, even if it went down on another element.
      if (event.repeat) event.preventDefault()
      else begin('key', event)
    }),
    options,
  )
  button.addEventListener(
    'pointercancel',
    ifTrusted((event) => tell({ type: 'cancel', atMs: getTime(event) })),
    options,
  )
  button.addEventListener(
    'click',
    ifTrusted((event) => tell({ type: 'press', atMs: getTime(event) })),
    options,
  )
  return () => {
    ending.abort()
    stopSampling()
  }
}

export function measureButton(button: HTMLElement): Omit<WindowLook, 'isFramed' | 'isInFront'> {
  const { top, bottom, left, right } = button.getBoundingClientRect()
  const { innerWidth, innerHeight } = window
  return {
    x: window.screenX,
    y: window.screenY,
    widthPx: innerWidth,
    heightPx: innerHeight,
    pixelRatio: window.devicePixelRatio,
    isButtonSeen: top >= 0 && left >= 0 && bottom <= innerHeight && right <= innerWidth,
  }
}

/**
 * Clamps the time: Chromium gives some pointer events a time hours ahead, which would keep the gate waiting.
 */
const getTime = ({ timeStamp }: Event) => Math.min(timeStamp, performance.now())

const ifTrusted =
  <E extends Event>(listen: (event: E) => void) =>
  (event: E) => {
    if (event.isTrusted) listen(event)
  }
