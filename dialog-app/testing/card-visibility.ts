/**
 * Reports the visibility of a card, and presses its approve button, at the times of a test. The simulated document has
 * no layout, and its events are not trusted.
 */
import type { GateEvent, VisibilityMethod, VisibilitySample } from '@latchkey/protocol/browser'
import { vi } from 'vitest'

/** `intersecting` stands for Firefox and Safari, which do not report covers. */
export function simulateVisibility(method: VisibilityMethod) {
  const observers = new Set<SimulatedObserver>()

  class SimulatedObserver {
    readonly report: IntersectionObserverCallback

    constructor(report: IntersectionObserverCallback) {
      this.report = report
    }
    observe() {
      observers.add(this)
    }
    disconnect() {
      observers.delete(this)
    }
  }
  class SimulatedEntry {}
  if (method === 'composited') Object.assign(SimulatedEntry.prototype, { isVisible: false })
  vi.stubGlobal('IntersectionObserver', SimulatedObserver)
  vi.stubGlobal('IntersectionObserverEntry', SimulatedEntry)

  return {
    /** Reports a sample at its time. The next observer starts immediately instead of after a random delay. */
    sample({ visible, card, pixelRatio }: VisibilitySample, atMs: number) {
      const { x, y, widthPx: width, heightPx: height } = card
      const entry = {
        boundingClientRect: { x, y, width, height },
        isIntersecting: visible,
        intersectionRatio: visible ? 1 : 0,
        isVisible: visible,
      } as unknown as IntersectionObserverEntry
      vi.stubGlobal('devicePixelRatio', pixelRatio)
      const now = vi.spyOn(performance, 'now').mockReturnValue(atMs)
      const timer = vi.spyOn(globalThis, 'setTimeout').mockImplementation(((run: () => void) => {
        run()
        return 0
      }) as unknown as typeof setTimeout)
      for (const observer of [...observers]) observer.report([entry], observer as never)
      timer.mockRestore()
      now.mockRestore()
    },
  }
}

const domEvents: { [Type in GateEvent['type']]?: string } = {
  down: 'pointerdown',
  press: 'click',
}

/** Dispatches a trusted event of a press on the button. Samples are for `simulateVisibility`. */
export function dispatchPress(button: Element, noticed: GateEvent) {
  const name = domEvents[noticed.type]
  if (!name) throw new Error(`No press has an event ${noticed.type}`)
  const event = new PointerEvent(name, { bubbles: true, pointerType: 'touch' })
  Object.defineProperty(event, 'isTrusted', { value: true })
  Object.defineProperty(event, 'timeStamp', { value: noticed.atMs })
  const now = vi.spyOn(performance, 'now').mockReturnValue(noticed.atMs)
  button.dispatchEvent(event)
  now.mockRestore()
}
