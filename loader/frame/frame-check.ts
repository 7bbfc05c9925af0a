import { loaderLimits } from './limits.ts'

/** Nobody tells when a page removes or moves a frame, so it is looked at while somebody waits for it. */
export function createFrameCheck(isAlive: () => boolean, onGone: () => void) {
  let timer: ReturnType<typeof setInterval> | undefined
  return {
    keep(wanted: boolean) {
      clearInterval(timer)
      timer = wanted ? setInterval(() => isAlive() || onGone(), loaderLimits.frameCheckMs) : undefined
    },
  }
}
