/** What takes nothing from what the user waits for: while a card opens it is kept, until that has the focus. */
import { dialogLimits } from '@latchkey/protocol'
import type { Clock } from '../browser/ports.ts'

export type Deferral = {
  readonly run: (task: () => void) => void
  readonly hold: () => void
  readonly release: () => void
}

export function createDeferral(clock: Clock): Deferral {
  let kept: (() => void)[] | undefined
  let stopTimer = () => {}

  function release() {
    stopTimer()
    const tasks = kept ?? []
    kept = undefined
    for (const task of tasks) task()
  }

  return {
    run(task) {
      if (kept) kept.push(task)
      else task()
    },
    hold() {
      if (kept) return
      kept = []
      stopTimer = clock.after(dialogLimits.heldMs, release)
    },
    release,
  }
}
