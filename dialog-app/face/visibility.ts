/**
 * Is this element really seen? IntersectionObserver v2 asks the compositor: nothing over it, no opacity, filter
 * or transform on it or on any frame around it. Browsers without it (Firefox, Safari) tell only whether it is
 * within the viewport, and say so, since that is worth less.
 *
 * https://w3c.github.io/IntersectionObserver/v2/
 */
import type { Visibility, VisibilityMethod } from '../core/gate.ts'

/** The least that v2 allows. */
const compositedDelayMs = 100
/** All of it; what is missing is a fraction of a pixel at a zoomed page's edge. */
const wholeRatio = 0.99

type CompositedInit = IntersectionObserverInit & { readonly trackVisibility: true; readonly delay: number }
type CompositedEntry = IntersectionObserverEntry & { readonly isVisible?: boolean }

/**
 * Tells at first, at each change of what is seen, and at each move or resize of the element (the same reading
 * again: a change that whoever waits for stillness must hear of). The answer ends it.
 */
export function watchVisibility(element: Element, onChange: (reading: Visibility) => void): () => void {
  const document = element.ownerDocument
  const hasComposited = 'isVisible' in IntersectionObserverEntry.prototype
  const method: VisibilityMethod = hasComposited ? 'composited' : 'intersecting'
  let seen = false
  const tell = () => onChange({ visible: seen && document.visibilityState === 'visible', method })

  const init: CompositedInit | IntersectionObserverInit = hasComposited
    ? { threshold: [wholeRatio, 1], trackVisibility: true, delay: compositedDelayMs }
    : { threshold: [wholeRatio, 1] }
  const intersections = new IntersectionObserver((entries: CompositedEntry[]) => {
    const entry = entries.at(-1)
    if (!entry) return
    seen =
      entry.isIntersecting &&
      entry.intersectionRatio >= wholeRatio &&
      (!hasComposited || entry.isVisible === true)
    tell()
  }, init)
  intersections.observe(element)

  document.addEventListener('visibilitychange', tell)
  const stopMoves = watchMoves(element, tell)
  return () => {
    intersections.disconnect()
    document.removeEventListener('visibilitychange', tell)
    stopMoves()
  }
}

/** No observer reports that an element moved, so its place is looked at before each paint. */
function watchMoves(element: Element, onMove: () => void): () => void {
  const place = () => {
    const { x, y, width, height } = element.getBoundingClientRect()
    return [x, y, width, height].map(Math.round).join()
  }
  let last = place()
  let frame = requestAnimationFrame(function look() {
    const now = place()
    if (now !== last) {
      last = now
      onMove()
    }
    frame = requestAnimationFrame(look)
  })
  return () => cancelAnimationFrame(frame)
}
