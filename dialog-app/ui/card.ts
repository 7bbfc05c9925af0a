import { createContext, use } from 'react'

/** What a screen may know of the card that it is on. */
export type Card = {
  titleId: string
  /** The card itself, once it is drawn: an approval watches whether it is seen. */
  element: () => Element | null
}

export const CardContext = createContext<Card>({
  titleId: 'title',
  element: () => null,
})
export const useCard = () => use(CardContext)
