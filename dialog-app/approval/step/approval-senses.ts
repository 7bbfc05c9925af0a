/**
 * What the screen of an approval notices of the card, the window and the hand on the button: events of the document
 * in, `Noticed` out, no decision. What a script made is not heard.
 */
import { watchVisibility } from '@latchkey/protocol/wallet'
import { type RefObject, useEffect, useEffectEvent, useRef } from 'react'
import { useCard } from '../../ui/card.ts'
import type { Noticed, PressedBy } from '../gate.ts'

/** The answer is for the approving button. */
export function useApprovalSenses(
  onNoticed: (noticed: Noticed) => void,
): RefObject<HTMLButtonElement | null> {
  const card = useCard()
  const button = useRef<HTMLButtonElement>(null)
  const tell = useEffectEvent(onNoticed)
  useEffect(() => {
    const whole = card.element()
    if (!whole || !button.current) return undefined
    return senseApproval(whole, button.current, tell)
  }, [card])
  return button
}

function senseApproval(card: Element, button: HTMLElement, tell: (noticed: Noticed) => void): () => void {
  const ending = new AbortController()
  const options = { signal: ending.signal, capture: true }
  const stopLooking = watchVisibility(card, (look) => tell({ what: 'look', look, atMs: performance.now() }))

  const change = ofPerson((event) => tell({ what: 'change', atMs: event.timeStamp }))
  // Not heard on its way down to an element inside: only the window's own blur has it as its target.
  window.addEventListener('blur', change, { signal: ending.signal })
  window.addEventListener('resize', change, options)
  document.addEventListener('visibilitychange', change, options)

  const isOfButton = ({ target }: Event) => target instanceof Node && button.contains(target)
  const over = (isOver: boolean, { pointerType, timeStamp }: PointerEvent) => {
    if (pointerType !== 'touch') tell({ what: 'over', isOver, atMs: timeStamp })
  }
  const point = ofPerson((event: PointerEvent) => {
    const screen = { x: event.screenX, y: event.screenY }
    const client = { x: event.clientX, y: event.clientY }
    const point = { screen, client, pointer: event.pointerType }
    tell({ what: 'point', point, atMs: event.timeStamp })
    // One that came before anybody listened enters no more.
    if (isOfButton(event)) over(true, event)
  })
  for (const name of ['pointerover', 'pointermove', 'pointerdown', 'pointerup'] as const) {
    document.addEventListener(name, point, options)
  }
  button.addEventListener(
    'pointerleave',
    ofPerson((event) => over(false, event)),
    options,
  )

  const focus = (isFocused: boolean) =>
    ofPerson((event) => tell({ what: 'focus', isFocused, atMs: event.timeStamp }))
  button.addEventListener('focus', focus(true), options)
  button.addEventListener('blur', focus(false), options)

  const begin = (by: PressedBy, { timeStamp }: Event) => tell({ what: 'down', by, atMs: timeStamp })
  const keyDown = ofPerson((event: KeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== ' ') return
    // A key that is held clicks again and again, also one that went down elsewhere.
    if (event.repeat) event.preventDefault()
    else begin('key', event)
  })
  button.addEventListener(
    'pointerdown',
    ofPerson((event) => begin(pointerOf(event), event)),
    options,
  )
  button.addEventListener('keydown', keyDown, options)
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
    stopLooking()
  }
}

const ofPerson =
  <Heard extends Event>(hear: (event: Heard) => void) =>
  (event: Heard) => {
    if (event.isTrusted) hear(event)
  }

/** What browsers call a kind that they do not know is held to what a mouse is. */
const pointerOf = ({ pointerType }: PointerEvent): PressedBy =>
  pointerType === 'touch' || pointerType === 'pen' ? pointerType : 'mouse'
