import { useLayoutEffect, useRef, useState } from 'react'

/** Expands a list. The expand button disappears, so the list receives the focus. */
export function useShowAll() {
  const [showsAll, setShowsAll] = useState(false)
  const list = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (showsAll) list.current?.focus({ preventScroll: true })
  }, [showsAll])
  return { showsAll, showAll: () => setShowsAll(true), list }
}
