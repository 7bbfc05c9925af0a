/** Reports the state of the page's window and the input on its button. Events that a script dispatched are ignored. */
import { watchVisibility } from '@latchkey/protocol/wallet'
import type { Clock } from '../../clock.ts'
import type { Noticed, PressedBy, WindowLook } from './gate.ts'

const LOOK_EVERY_MS = 50

/** The button, and the part of the page that has to be visible when it is pressed. */
type Sampled = { button: HTMLElement; card: HTMLElement }
/** Calls back with samples of the page until the returned function is called. */
type Sampler = (sampled: Sampled, clock: Clock, onLook: (look: WindowLook) => void) => () => void

/** Samples a page at the top of its window. */
const sampleWindow: Sampler = ({ button }, clock, onLook) => {
  let stopTimer = () => {}
  const sample = () => {
    onLook({ ...frameOf(button), isFramed: false, isInFront: document.hasFocus() })
    stopTimer = clock.after(LOOK_EVERY_MS, sample)
  }
  sample()
  return () => stopTimer()
}

/**
 * Samples a page in the dialog, which may cover, move or shrink it. A browser that does not report covers has to give the
 * page the focus, which it gets by a press on it.
 */
const sampleFrame: Sampler = ({ button, card }, _clock, onLook) =>
  watchVisibility(card, ({ method, visible }) => {
    const isInFront = visible && (method === 'composited' || document.hasFocus())
    onLook({ ...frameOf(button), isFramed: true, isInFront })
  })

/** Returns a function that ends it. */
export function senseApproval(
  { button, card }: Sampled,
  clock: Clock,
  tell: (noticed: Noticed) => void,
): () => void {
  const ending = new AbortController()
  const { signal } = ending
  const options = { signal, capture: true }
  const isFramed = window.parent !== window
  const stopSampling = (isFramed ? sampleFrame : sampleWindow)({ button, card }, clock, (look) =>
    tell({ what: 'look', look, atMs: performance.now() }),
  )

  const change = ofPerson((event) => tell({ what: 'change', atMs: timeOf(event) }))
  // The samples of a frame include its focus where that counts.
  if (!isFramed)
    window.addEventListener('blur', (event) => event.target === window && change(event), { signal })
  window.addEventListener('resize', change, options)
  document.addEventListener('visibilitychange', change, options)

  const over = (isOver: boolean) =>
    ofPerson((event: PointerEvent) => {
      if (event.pointerType !== 'touch') tell({ what: 'over', isOver, atMs: timeOf(event) })
    })
  button.addEventListener('pointerenter', over(true), options)
  button.addEventListener('pointerleave', over(false), options)
  const focus = (isFocused: boolean) =>
    ofPerson((event) => tell({ what: 'focus', isFocused, atMs: timeOf(event) }))
  button.addEventListener('focus', focus(true), options)
  button.addEventListener('blur', focus(false), options)

  const begin = (by: PressedBy, event: Event) => tell({ what: 'down', by, atMs: timeOf(event) })
  button.addEventListener(
    'pointerdown',
    ofPerson((event) => begin(event.pointerType === 'touch' ? 'touch' : 'mouse', event)),
    options,
  )
  button.addEventListener(
    'keydown',
    ofPerson((event) => {
      if (event.key !== 'Enter' && event.key !== ' ') return
      // A key that is held clicks again and again, also one that went down elsewhere.
      if (event.repeat) event.preventDefault()
      else begin('key', event)
    }),
    options,
  )
  button.addEventListener(
    'pointercancel',
    ofPerson((event) => tell({ what: 'cancel', atMs: timeOf(event) })),
    options,
  )
  button.addEventListener(
    'click',
    ofPerson((event) => tell({ what: 'press', atMs: timeOf(event) })),
    options,
  )
  return () => {
    ending.abort()
    stopSampling()
  }
}

function frameOf(button: HTMLElement): Omit<WindowLook, 'isFramed' | 'isInFront'> {
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

/** Chromium gives some pointer events a time that is hours ahead, which would keep the gate waiting. */
const timeOf = ({ timeStamp }: Event) => Math.min(timeStamp, performance.now())

const ofPerson =
  <E extends Event>(listen: (event: E) => void) =>
  (event: E) => {
    if (event.isTrusted) listen(event)
  }
