/** Tasks that no caller waits for, such as mails after a login. A crash of the process loses them. */
import type { Logger } from 'pino'
import { registryKey } from './registry.ts'

export type BackgroundTasks = {
  /** Starts a task. A failure is logged, and never reaches the caller. */
  start: (name: string, task: () => Promise<void>) => void
}

export const backgroundTasks = registryKey<BackgroundTasks>('the background tasks')

/** An outage of a third party must not fill the memory with waiting tasks. */
export const backgroundLimits = { running: 500 } as const

/** `close` waits for the running tasks, each of which has its own deadline. */
export function createBackgroundTasks(log: Logger): BackgroundTasks & { close: () => Promise<void> } {
  const running = new Set<Promise<void>>()
  return {
    start(name, task) {
      if (running.size >= backgroundLimits.running) {
        log.error({ task: name }, 'A background task was dropped, because too many are running')
        return
      }
      const run = Promise.resolve()
        .then(task)
        .catch((error: unknown) => log.error({ err: error, task: name }, 'A background task failed'))
        .finally(() => running.delete(run))
      running.add(run)
    },
    async close() {
      await Promise.all(running)
    },
  }
}
