import type { HostViewport } from '@latchkey/protocol/host'
import { loaderLimits } from './limits.ts'

/** Returns the viewport for the dialog, because a cross-origin frame sees neither keyboard nor safe areas. */
export function readViewport(element: Element): HostViewport {
  const style = getComputedStyle(element)
  const view = window.visualViewport
  const inset = (side: string) => Number.parseFloat(style.getPropertyValue(`${insetProperty}-${side}`)) || 0
  return {
    heightPx: view?.height ?? innerHeight,
    offsetTopPx: view?.offsetTop ?? 0,
    insets: { top: inset('top'), right: inset('right'), bottom: inset('bottom'), left: inset('left') },
    address: location.href,
  }
}

/** A property without effect here, in which the browser resolves `env()` to pixels. */
const insetProperty = 'scroll-padding'
const env = (side: string) => `env(safe-area-inset-${side},0px)`
export const insetStyle = `${insetProperty}:${['top', 'right', 'bottom', 'left'].map(env).join(' ')}`

/** Calls back when the viewport changes, throttled. The last change is always reported. */
export function watchViewport(tell: () => void): () => void {
  const view = window.visualViewport
  let timer: ReturnType<typeof setTimeout> | undefined
  const changed = () => {
    timer ??= setTimeout(() => {
      timer = undefined
      tell()
    }, loaderLimits.viewportGapMs)
  }
  const listening = new AbortController()
  for (const change of ['resize', 'scroll']) view?.addEventListener(change, changed, listening)
  return () => {
    clearTimeout(timer)
    listening.abort()
  }
}
