/**
 * The life of a tab in steps: each use of its disk and each exchange with the server is one. It can be made
 * to die at a step, before its effect or after it but before the result arrives. A dead tab does nothing
 * more.
 */
export type TabDeath = { at: number; when: 'before it' | 'after it' }
export type TabLife = {
  step: <T>(act: () => T | Promise<T>) => Promise<T>
  steps: () => number
  hasEnded: () => boolean
}

class TabDied extends Error {}

export function tabLife(death?: TabDeath): TabLife {
  let steps = 0
  let dead = false
  return {
    steps: () => steps,
    hasEnded: () => dead,
    step: async (act) => {
      if (dead) throw new TabDied()
      steps += 1
      const dies = death !== undefined && steps === death.at
      if (dies) dead = true
      if (dies && death.when === 'before it') throw new TabDied()
      const result = await act()
      if (dies) throw new TabDied()
      return result
    },
  }
}
