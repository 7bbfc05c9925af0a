import { createWaits, type Pause } from '../kernel/http/waits.ts'

/** Calls that are held open end as soon as they can: no time passes, and no budget is used up. */
export const endsAtOnce = createWaits(
  async () => {},
  (_ms, signal) =>
    new Promise<void>((resolve) => {
      setImmediate(resolve)
      signal?.addEventListener('abort', () => resolve(), { once: true })
    }),
)('203.0.113.1')

/** Pauses that are over when the test says that so much time has passed. */
export function movedPauses() {
  let nowMs = 0
  let sleepers: readonly { untilMs: number; wake: () => void }[] = []
  const pause: Pause = (ms, signal) =>
    new Promise<void>((wake) => {
      sleepers = [...sleepers, { untilMs: nowMs + ms, wake }]
      signal?.addEventListener('abort', () => wake(), { once: true })
    })
  /** Whatever was woken has done what it could. */
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve))

  async function advanceMs(byMs: number): Promise<void> {
    const endMs = nowMs + byMs
    for (;;) {
      await settle()
      const nextMs = Math.min(...sleepers.map(({ untilMs }) => untilMs))
      if (nextMs > endMs) break
      nowMs = nextMs
      const woken = sleepers.filter(({ untilMs }) => untilMs <= nowMs)
      sleepers = sleepers.filter(({ untilMs }) => untilMs > nowMs)
      for (const { wake } of woken) wake()
    }
    nowMs = endMs
  }
  return { pause, settle, advanceMs }
}
