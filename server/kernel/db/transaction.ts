import { setTimeout as sleep } from 'node:timers/promises'
import { databaseLimits } from '../limits.ts'
import type { Db, Trx } from '../ports.ts'
import { countRetry } from './database-metrics.ts'
import { databaseBusy, isRetryable } from './failures.ts'

/** Runs the work in one transaction. Retries if the engine rolled back in favour of another transaction. */
export async function withTransaction<Result>(
  db: Db,
  work: (trx: Trx) => Promise<Result>,
  deadlineMs: number = databaseLimits.transactionDeadlineMs,
): Promise<Result> {
  const deadlineAt = performance.now() + deadlineMs
  let delayMs: number = databaseLimits.retryFirstDelayMs
  for (;;) {
    try {
      return await beforeDeadline(db.transaction().execute(work), deadlineAt - performance.now())
    } catch (error) {
      if (!isRetryable(error) || performance.now() + delayMs > deadlineAt) throw error
      countRetry(error)
    }
    await sleep(delayMs * (0.5 + Math.random()))
    delayMs = Math.min(delayMs * 2, databaseLimits.retryLongestDelayMs)
  }
}

/** Rejects at the deadline. The engines end the open transaction themselves. */
async function beforeDeadline<Result>(work: Promise<Result>, leftMs: number): Promise<Result> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(databaseBusy()), leftMs)
  })
  try {
    return await Promise.race([work, deadline])
  } finally {
    clearTimeout(timer)
  }
}
