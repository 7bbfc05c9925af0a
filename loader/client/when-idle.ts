import { loaderLimits } from '../frame/limits.ts'

/** Runs a callback when the page has loaded and is idle. */
export function whenIdle(run: () => void) {
  const wait = () => {
    // Safari lacks it before 18.4.
    if ('requestIdleCallback' in globalThis) requestIdleCallback(run, { timeout: loaderLimits.idleTimeoutMs })
    else setTimeout(run)
  }
  if (document.readyState === 'complete') wait()
  else addEventListener('load', wait, { once: true })
}
