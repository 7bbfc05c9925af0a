/** What the page notices of its window and of the hand on its button. Events that a script made are ignored. */
import type { Clock } from '../../clock.ts'
import type { Noticed, PressedBy, WindowLook } from './gate.ts'

const LOOK_EVERY_MS = 50

/** Answers how to end it. */
export function senseApproval(
  button: HTMLElement,
  clock: Clock,
  tell: (noticed: Noticed) => void,
): () => void {
  const ending = new AbortController()
  const { signal } = ending
  const options = { signal, capture: true }
  let callOff = () => {}

  const look = () => {
    tell({ what: 'look', look: lookAt(button), atMs: performance.now() })
    callOff = clock.after(LOOK_EVERY_MS, look)
  }
  look()

  const change = ofPerson(({ timeStamp }) => tell({ what: 'change', atMs: timeStamp }))
  window.addEventListener('blur', (event) => event.target === window && change(event), { signal })
  window.addEventListener('resize', change, options)
  document.addEventListener('visibilitychange', change, options)

  const over = (isOver: boolean) =>
    ofPerson((event: PointerEvent) => {
      if (event.pointerType !== 'touch') tell({ what: 'over', isOver, atMs: event.timeStamp })
    })
  button.addEventListener('pointerenter', over(true), options)
  button.addEventListener('pointerleave', over(false), options)
  const focus = (isFocused: boolean) =>
    ofPerson(({ timeStamp }) => tell({ what: 'focus', isFocused, atMs: timeStamp }))
  button.addEventListener('focus', focus(true), options)
  button.addEventListener('blur', focus(false), options)

  const begin = (by: PressedBy, { timeStamp }: Event) => tell({ what: 'down', by, atMs: timeStamp })
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
    ofPerson(({ timeStamp }) => tell({ what: 'cancel', atMs: timeStamp })),
    options,
  )
  button.addEventListener(
    'click',
    ofPerson(({ timeStamp }) => tell({ what: 'press', atMs: timeStamp })),
    options,
  )
  return () => {
    ending.abort()
    callOff()
  }
}

function lookAt(button: HTMLElement): WindowLook {
  const { top, bottom, left, right } = button.getBoundingClientRect()
  const { innerWidth, innerHeight } = window
  return {
    isFocused: document.hasFocus(),
    x: window.screenX,
    y: window.screenY,
    widthPx: innerWidth,
    heightPx: innerHeight,
    pixelRatio: window.devicePixelRatio,
    isButtonSeen: top >= 0 && left >= 0 && bottom <= innerHeight && right <= innerWidth,
  }
}

const ofPerson =
  <E extends Event>(listen: (event: E) => void) =>
  (event: E) => {
    if (event.isTrusted) listen(event)
  }
