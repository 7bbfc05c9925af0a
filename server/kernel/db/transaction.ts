import { setTimeout as sleep } from 'node:timers/promises'
import { databaseLimits } from '../limits.ts'
import type { Db, Trx } from '../ports.ts'
import { databaseBusy, mayRunAgain } from './failures.ts'
import { countRetry } from './measured.ts'

/** Runs the work in one transaction, and again when the engine undid it for the sake of another one. */
export async function withTransaction<Result>(
  db: Db,
  work: (trx: Trx) => Promise<Result>,
  deadlineMs: number = databaseLimits.transactionDeadlineMs,
): Promise<Result> {
  const giveUpAt = performance.now() + deadlineMs
  let delayMs: number = databaseLimits.retryFirstDelayMs
  for (;;) {
    try {
      return await beforeDeadline(db.transaction().execute(work), giveUpAt - performance.now())
    } catch (error) {
      if (!mayRunAgain(error) || performance.now() + delayMs > giveUpAt) throw error
      countRetry(error)
    }
    await sleep(delayMs * (0.5 + Math.random()))
    delayMs = Math.min(delayMs * 2, databaseLimits.retryLongestDelayMs)
  }
}

/** The engines end what is left open; this lets the caller go. */
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
