import { useLayoutEffect, useRef, useState } from 'react'

/** The button that shows the rest of a list goes with its press: the focus stays with the list. */
export function useShowAll() {
  const [showsAll, setShowsAll] = useState(false)
  const list = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (showsAll) list.current?.focus({ preventScroll: true })
  }, [showsAll])
  return { showsAll, showAll: () => setShowsAll(true), list }
}
