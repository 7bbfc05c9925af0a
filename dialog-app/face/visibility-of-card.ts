import { useEffect, useEffectEvent } from 'react'
import type { Visibility } from '../core/gate.ts'
import { useCard } from '../ui/card.ts'
import { watchVisibility } from './visibility.ts'

/** What the browser says of the card while the screen is there: at first, and at each change and move. */
export function useVisibilityOfCard(onReading: (reading: Visibility) => void): void {
  const card = useCard()
  const tell = useEffectEvent(onReading)
  useEffect(() => {
    const element = card.element()
    return element ? watchVisibility(element, tell) : undefined
  }, [card])
}
