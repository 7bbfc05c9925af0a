import { createContext, use } from 'react'

/** The card around a screen. */
export type Card = {
  titleId: string
  /** Returns the card's element once it is mounted. An approval observes its visibility. */
  element: () => Element | null
}

export const CardContext = createContext<Card>({
  titleId: 'title',
  element: () => null,
})
export const useCard = () => use(CardContext)
