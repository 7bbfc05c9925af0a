/**
 * Samples whether an element is visible. IntersectionObserver v2 asks the compositor about covers, opacity, filters and
 * transforms on the element and on every frame around it. Firefox and Safari only report the viewport.
 *
 * An observer reports a change after 100 ms at best, which a cover could time. Each sample therefore uses a new observer,
 * which reports with the next frame, and the delay between samples is random.
 *
 * https://w3c.github.io/IntersectionObserver/v2/
 */
import { approvalLimits } from '../../limits/approval.ts'

/** The minimum of v2. The first report of an observer does not wait for it. */
const compositedDelayMs = 100
/** The edge of a zoomed page cuts off a fraction of a pixel. */
const wholeRatio = 0.99

/**
 * `composited` is v2. `intersecting` is v1, which reports an element under a cover as visible. `top-level` is the focus of
 * a window: other pages cannot cover a top-level page.
 */
export type VisibilityMethod = 'composited' | 'intersecting' | 'top-level'

export type VisibilitySample = {
  method: VisibilityMethod
  visible: boolean
  card: { x: number; y: number; widthPx: number; heightPx: number }
  pixelRatio: number
}

type CompositedInit = IntersectionObserverInit & { trackVisibility: true; delay: number }
type CompositedEntry = IntersectionObserverEntry & { isVisible?: boolean }

/** Samples immediately and then repeatedly. Returns a function that stops it. */
export function watchVisibility(card: Element, onSample: (sample: VisibilitySample) => void): () => void {
  const hasComposited = 'isVisible' in IntersectionObserverEntry.prototype
  const method: VisibilityMethod = hasComposited ? 'composited' : 'intersecting'
  const init: CompositedInit | IntersectionObserverInit = hasComposited
    ? { trackVisibility: true, delay: compositedDelayMs }
    : {}
  const { shortestLookMs, longestLookMs } = approvalLimits
  let stopWaiting = () => {}

  function sample() {
    const observer = new IntersectionObserver((entries: CompositedEntry[]) => {
      observer.disconnect()
      const timer = setTimeout(sample, shortestLookMs + Math.random() * (longestLookMs - shortestLookMs))
      stopWaiting = () => clearTimeout(timer)
      const entry = entries.at(-1)
      if (entry) onSample({ method, ...readingOf(entry) })
    }, init)
    stopWaiting = () => observer.disconnect()
    observer.observe(card)
  }

  function readingOf(entry: CompositedEntry): Omit<VisibilitySample, 'method'> {
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

  sample()
  return () => stopWaiting()
}
