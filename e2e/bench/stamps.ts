/** Timestamps of events in all frames, on their shared clock. */
import type { BrowserContext, Page } from '@playwright/test'

/**
 * `clicked` and `digit` are user input, `window` is a call that opens one, `field` is the focus of an e-mail
 * field, `focus` any focus in a frame; `card` is a visible approval, `armed` one that can be pressed;
 * `loggedIn` and `signed` are resolved promises of the host; `free` is the host page without a dialog.
 */
export type Moment =
  | 'clicked'
  | 'digit'
  | 'field'
  | 'focus'
  | 'window'
  | 'card'
  | 'armed'
  | 'loggedIn'
  | 'signed'
  | 'free'

const script = `{
  self.stamp = (name) => self.__stamp?.(name, performance.timeOrigin + performance.now())
  addEventListener('focusin', ({ target }) => {
    if (target.type === 'email') stamp('field')
    if (self !== top) stamp('focus')
  }, true)
  addEventListener('click', ({ isTrusted }) => isTrusted && stamp('clicked'), true)
  addEventListener('keydown', ({ isTrusted, key }) => isTrusted && /^\\d$/.test(key) && stamp('digit'), true)
  // Close events do not bubble.
  addEventListener('close', ({ target }) => target instanceof HTMLDialogElement && stamp('free'), true)
  const openWindow = self.open
  self.open = (...given) => {
    stamp('window')
    return openWindow.apply(self, given)
  }
  const armed = ['armed', 'settling', 'ready']
  let gate = null
  new MutationObserver(() => {
    const now = document.querySelector('[data-gate]')?.getAttribute('data-gate') ?? null
    if (now !== null && gate === null) stamp('card')
    // A pointer that already rests there arms the gate at once.
    if (armed.includes(now) && !armed.includes(gate)) stamp('armed')
    gate = now
  }).observe(document, { subtree: true, childList: true, attributeFilter: ['data-gate'] })
  self.drawn = []
  requestAnimationFrame(function draw(at) {
    drawn.push(performance.timeOrigin + at)
    requestAnimationFrame(draw)
  })
}`

const DEADLINE_MS = 60_000

export type Stamps = {
  last: (moment: Moment) => number
  count: (moment: Moment) => number
  /** Waits for the n-th occurrence. Returns its time. */
  until: (moment: Moment, count?: number) => Promise<number>
}

export async function collectStamps(page: Page | BrowserContext): Promise<Stamps> {
  const seen = new Map<string, number[]>()
  const waiting = new Set<() => void>()
  await page.exposeFunction('__stamp', (name: string, at: number) => {
    seen.set(name, [...(seen.get(name) ?? []), at])
    for (const check of waiting) check()
  })
  await page.addInitScript(script)
  const count = (moment: Moment) => seen.get(moment)?.length ?? 0
  const last = (moment: Moment) => seen.get(moment)?.at(-1) ?? Number.NaN

  async function until(moment: Moment, times = 1) {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const check = () => count(moment) >= times && resolve()
    const late = setTimeout(() => reject(new Error(`The moment ${moment} did not occur`)), DEADLINE_MS)
    waiting.add(check)
    check()
    try {
      await promise
    } finally {
      clearTimeout(late)
      waiting.delete(check)
    }
    return last(moment)
  }
  return { last, count, until }
}

const FRAME_MS = 1_000 / 60

export const framesWithin = (fromMs: number, untilMs: number) => Math.round((untilMs - fromMs) / FRAME_MS)

/** Counts the frames that a window dropped between the frames that it drew in this period. */
export function droppedFrames(drawn: readonly number[], fromMs: number, untilMs: number): number {
  const within = drawn.filter((at) => at >= fromMs && at <= untilMs)
  return within
    .slice(1)
    .map((at, index) => Math.max(0, framesWithin(within[index] ?? at, at) - 1))
    .reduce((sum, dropped) => sum + dropped, 0)
}
