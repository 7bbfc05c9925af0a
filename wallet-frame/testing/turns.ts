/**
 * Tabs that take turns: all wait until a chosen one takes one step. So a sequence of numbers is one order of
 * all their steps, and the same sequence repeats the same order.
 */
import type { TabLife } from './tab-life.ts'

export function takingTurns(choose: () => number) {
  let running = 0
  const waiting: (() => void)[] = []

  function resume() {
    if (waiting.length === 0 || waiting.length < running) return
    const [chosen] = waiting.splice(choose() % waiting.length, 1)
    chosen?.()
  }
  const turn = () =>
    new Promise<void>((resolve) => {
      waiting.push(resolve)
      resume()
    })

  const life: TabLife = {
    step: async (act) => {
      await turn()
      const result = await act()
      await turn()
      return result
    },
    steps: () => 0,
    hasEnded: () => false,
  }

  async function together<T>(tabs: readonly (() => Promise<T>)[]): Promise<T[]> {
    running = tabs.length
    const settled = await Promise.allSettled(
      tabs.map(async (tab) => {
        try {
          return await tab()
        } finally {
          running -= 1
          resume()
        }
      }),
    )
    return settled.map((outcome) => {
      if (outcome.status === 'rejected') throw outcome.reason
      return outcome.value
    })
  }
  return { life, together }
}
