/** Movement that CSS alone can not say: a height from one content to the next. */
import { type RefObject, useLayoutEffect, useRef } from 'react'

const HEIGHT_MS = 220
const calm = () => matchMedia('(prefers-reduced-motion: reduce)').matches

/** The element grows and shrinks with its content, whatever made it change. */
export function useSmoothHeight(
  element: RefObject<HTMLElement | null>,
  content: RefObject<HTMLElement | null>,
) {
  const last = useRef<number>(undefined)
  useLayoutEffect(() => {
    const box = element.current
    const inner = content.current
    if (!box || !inner) return
    const observer = new ResizeObserver(() => {
      const next = inner.getBoundingClientRect().height
      const before = last.current
      last.current = next
      if (before === undefined || Math.abs(before - next) < 1 || calm()) return
      box.animate([{ blockSize: `${before}px` }, { blockSize: `${next}px` }], {
        duration: HEIGHT_MS,
        easing: 'ease-out',
      })
    })
    observer.observe(inner)
    return () => observer.disconnect()
  }, [element, content])
}
