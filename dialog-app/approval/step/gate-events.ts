/** Converts DOM events of the card, the window and the button into gate events. Scripted events are ignored. */
import { watchVisibility } from '@latchkey/protocol/wallet'
import { type RefObject, useEffect, useEffectEvent, useRef } from 'react'
import { useCard } from '../../ui/card.ts'
import type { GateEvent, PressSource } from '../gate.ts'

/** Returns the ref for the approve button. */
export function useGateEvents(onNoticed: (noticed: GateEvent) => void): RefObject<HTMLButtonElement | null> {
  const card = useCard()
  const button = useRef<HTMLButtonElement>(null)
  const emit = useEffectEvent(onNoticed)
  useEffect(() => {
    const cardElement = card.element()
    if (!cardElement || !button.current) return undefined
    return listenForGateEvents(cardElement, button.current, emit)
  }, [card])
  return button
}

function listenForGateEvents(
  card: Element,
  button: HTMLElement,
  emit: (noticed: GateEvent) => void,
): () => void {
  const ending = new AbortController()
  const options = { signal: ending.signal, capture: true }
  const stopLooking = watchVisibility(card, (look) =>
    emit({ type: 'sample', sample: look, atMs: performance.now() }),
  )

  const change = ifTrusted((event) => emit({ type: 'change', atMs: event.timeStamp }))
  // Not in the capture phase, which would include the blur events of inner elements.
  window.addEventListener('blur', change, { signal: ending.signal })
  window.addEventListener('resize', change, options)
  document.addEventListener('visibilitychange', change, options)

  const isOnButton = ({ target }: Event) => target instanceof Node && button.contains(target)
  const over = (isOver: boolean, { pointerType, timeStamp }: PointerEvent) => {
    if (pointerType !== 'touch') emit({ type: 'over', isOver, atMs: timeStamp })
  }
  const point = ifTrusted((event: PointerEvent) => {
    const screen = { x: event.screenX, y: event.screenY }
    const client = { x: event.clientX, y: event.clientY }
    const point = { screen, client, pointer: event.pointerType }
    emit({ type: 'point', point, atMs: event.timeStamp })
    // A pointer that was on the button before the listener was attached emits no enter event.
    if (isOnButton(event)) over(true, event)
  })
  for (const name of ['pointerover', 'pointermove', 'pointerdown', 'pointerup'] as const) {
    document.addEventListener(name, point, options)
  }
  button.addEventListener(
    'pointerleave',
    ifTrusted((event) => over(false, event)),
    options,
  )

  const focus = (isFocused: boolean) =>
    ifTrusted((event) => emit({ type: 'focus', isFocused, atMs: event.timeStamp }))
  button.addEventListener('focus', focus(true), options)
  button.addEventListener('blur', focus(false), options)

  const begin = (by: PressSource, { timeStamp }: Event) => emit({ type: 'down', by, atMs: timeStamp })
  const keyDown = ifTrusted((event: KeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== ' ') return
    // A held key repeats its click, even if it was pressed on another element.
    if (event.repeat) event.preventDefault()
    else begin('key', event)
  })
  button.addEventListener(
    'pointerdown',
    ifTrusted((event) => begin(toPressSource(event), event)),
    options,
  )
  button.addEventListener('keydown', keyDown, options)
  button.addEventListener(
    'pointercancel',
    ifTrusted(({ timeStamp }) => emit({ type: 'cancel', atMs: timeStamp })),
    options,
  )
  button.addEventListener(
    'click',
    ifTrusted(({ timeStamp }) => emit({ type: 'press', atMs: timeStamp })),
    options,
  )

  return () => {
    ending.abort()
    stopLooking()
  }
}

const ifTrusted =
  <TrustedEvent extends Event>(listener: (event: TrustedEvent) => void) =>
  (event: TrustedEvent) => {
    if (event.isTrusted) listener(event)
  }

/** Treats unknown pointer types as a mouse. */
const toPressSource = ({ pointerType }: PointerEvent): PressSource =>
  pointerType === 'touch' || pointerType === 'pen' ? pointerType : 'mouse'
