import { loaderLimits } from '../frame/limits.ts'

/** After the page has what it needs for itself. */
export function whenIdle(run: () => void) {
  const wait = () => {
    // Safari has none before 18.4.
    if ('requestIdleCallback' in globalThis) requestIdleCallback(run, { timeout: loaderLimits.idleTimeoutMs })
    else setTimeout(run)
  }
  if (document.readyState === 'complete') wait()
  else addEventListener('load', wait, { once: true })
}
