/**
 * Tells whether an element is really seen. IntersectionObserver v2 asks the compositor: nothing over it, no opacity, filter
 * or transform on it or on any frame around it. Browsers without it (Firefox, Safari) tell only whether it is
 * within the viewport, and say so, since that is worth less.
 *
 * An observer tells of a change 100 ms later at best, and a cover that knows its hours is away by then. A new
 * observer answers with the next frame, so each look is one, and the time to the next is random.
 *
 * https://w3c.github.io/IntersectionObserver/v2/
 */
import { approvalLimits } from '@latchkey/protocol'
import type { Look, VisibilityMethod } from '../gate.ts'

/** The least that v2 allows; a first answer does not wait for it. */
const compositedDelayMs = 100
/** All of it; what is missing is a fraction of a pixel at a zoomed page's edge. */
const wholeRatio = 0.99

type CompositedInit = IntersectionObserverInit & { readonly trackVisibility: true; readonly delay: number }
type CompositedEntry = IntersectionObserverEntry & { readonly isVisible?: boolean }

/** Looks at once and again and again, until the answer is called. */
export function watchVisibility(card: Element, onLook: (look: Look) => void): () => void {
  const hasComposited = 'isVisible' in IntersectionObserverEntry.prototype
  const method: VisibilityMethod = hasComposited ? 'composited' : 'intersecting'
  const init: CompositedInit | IntersectionObserverInit = hasComposited
    ? { trackVisibility: true, delay: compositedDelayMs }
    : {}
  const { shortestLookMs, longestLookMs } = approvalLimits
  let stopWaiting = () => {}

  function look() {
    const observer = new IntersectionObserver((entries: CompositedEntry[]) => {
      observer.disconnect()
      const timer = setTimeout(look, shortestLookMs + Math.random() * (longestLookMs - shortestLookMs))
      stopWaiting = () => clearTimeout(timer)
      const entry = entries.at(-1)
      if (entry) onLook({ method, ...readingOf(entry) })
    }, init)
    stopWaiting = () => observer.disconnect()
    observer.observe(card)
  }

  function readingOf(entry: CompositedEntry): Omit<Look, 'method'> {
    const { x, y, width, height } = entry.boundingClientRect
    return {
      visible:
        document.visibilityState === 'visible' &&
        entry.isIntersecting &&
        entry.intersectionRatio >= wholeRatio &&
        (!hasComposited || entry.isVisible === true),
      card: { x, y, widthPx: width, heightPx: height },
      pixelRatio: devicePixelRatio,
    }
  }

  look()
  return () => stopWaiting()
}
