import { vi } from 'vitest'
import type { Clock } from '../browser/ports.ts'

type Timer = { atMs: number; run: () => void }

/**
 * Runs everything that waits for no timer of a test: promises, scripts that load, and the engine's crypto on other
 * threads, however long they take on this machine.
 */
export async function settle() {
  let wasRunning: boolean
  do {
    wasRunning = isCryptoRunning()
    await takeTurns()
    // Takes a millisecond, so only once. It also runs timers without a delay, such as those of TanStack Query.
    await vi.dynamicImportSettled()
    await takeTurns()
  } while (wasRunning || isCryptoRunning())
}

/** Runs the event loop. React needs several turns to render into a simulated document. */
async function takeTurns() {
  const count = typeof document === 'undefined' ? 1 : 10
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}

/** A clock that only tests move. */
export function makeFakeClock(startMs = Date.UTC(2026, 0, 1)) {
  let nowMs = startMs
  const timers = new Set<Timer>()
  const nextDue = (untilMs: number) =>
    [...timers].filter((timer) => timer.atMs <= untilMs).sort((a, b) => a.atMs - b.atMs)[0]

  const clock: Clock = {
    nowMs: () => nowMs,
    after(delayMs, run) {
      const timer = { atMs: nowMs + delayMs, run }
      timers.add(timer)
      return () => timers.delete(timer)
    },
  }

  return {
    ...clock,
    /** Returns the delays of all timers, soonest first. */
    waiting: () => [...timers].map((timer) => timer.atMs - nowMs).sort((a, b) => a - b),
    /** Advances the time without running timers, like a sleeping machine. */
    sleep(byMs: number) {
      nowMs += byMs
    },
    async advance(byMs: number) {
      const untilMs = nowMs + byMs
      await settle()
      for (let timer = nextDue(untilMs); timer; timer = nextDue(untilMs)) {
        timers.delete(timer)
        nowMs = Math.max(nowMs, timer.atMs)
        timer.run()
        await settle()
      }
      nowMs = untilMs
    },
  }
}
export type FakeClock = ReturnType<typeof makeFakeClock>

/** Returns the number of pending crypto operations. They run on other threads, which no turn of the event loop awaits. */
let running = 0
const isCryptoRunning = () => running > 0

const { subtle } = globalThis.crypto
const names = Object.getOwnPropertyNames(Object.getPrototypeOf(subtle)).filter(
  (name) => name !== 'constructor',
)
for (const name of names) {
  const original: unknown = Reflect.get(subtle, name)
  if (typeof original !== 'function') continue
  Object.defineProperty(subtle, name, {
    configurable: true,
    value(...given: unknown[]) {
      const answer: unknown = Reflect.apply(original, subtle, given)
      if (answer instanceof Promise) {
        running += 1
        const end = () => {
          running -= 1
        }
        answer.then(end, end)
      }
      return answer
    },
  })
}
