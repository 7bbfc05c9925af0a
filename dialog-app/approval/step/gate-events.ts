import { type GateEvent, listenForCardEvents } from '@latchkey/protocol/browser'
import { type RefObject, useEffect, useEffectEvent, useRef } from 'react'
import { useCard } from '../../ui/card.ts'

/** Emits the gate events of the card. Returns the ref for the approve button. */
export function useGateEvents(onEvent: (event: GateEvent) => void): RefObject<HTMLButtonElement | null> {
  const card = useCard()
  const button = useRef<HTMLButtonElement>(null)
  const emit = useEffectEvent(onEvent)
  useEffect(() => {
    const cardElement = card.element()
    if (!cardElement || !button.current) return undefined
    return listenForCardEvents(cardElement, button.current, emit)
  }, [card])
  return button
}
