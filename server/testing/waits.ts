import { createWaits, type Pause } from '../kernel/http/waits.ts'

/** Waits that end immediately and consume no quota. */
export const immediateWaits = createWaits(
  async () => {},
  (_ms, signal) =>
    new Promise<void>((resolve) => {
      setImmediate(resolve)
      signal?.addEventListener('abort', () => resolve(), { once: true })
    }),
)('203.0.113.1')

/** Pauses that end when the test advances the time. */
export function createManualPauses() {
  let nowMs = 0
  let sleepers: readonly { untilMs: number; wake: () => void }[] = []
  const pause: Pause = (ms, signal) =>
    new Promise<void>((wake) => {
      sleepers = [...sleepers, { untilMs: nowMs + ms, wake }]
      signal?.addEventListener('abort', () => wake(), { once: true })
    })
  /** Lets woken calls run. */
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
