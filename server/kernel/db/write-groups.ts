/**
 * Group commit for SQLite.
 *
 * A commit waits for the disk, which takes as long for twenty changes as for one. Changes in the same turn of the event
 * loop therefore share one commit. They run one after the other, each in its own savepoint. Callers resume after the
 * commit; if it fails, it fails for all of them.
 */
import type { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { databaseLimits } from '../limits.ts'
import { commitFailed, databaseBusy, isBusy } from './failures.ts'

export type OpenTransaction = {
  /** Resolves when the changes are on disk. */
  commit: () => Promise<void>
  rollback: () => void
}

type Group = {
  onDisk: Promise<void>
  settle: (error?: unknown) => void
  members: number
}

const SAVEPOINT = 'member'

/** The methods of a connection that the groups use. */
export type Transactional = Pick<DatabaseSync, 'exec' | 'isTransaction'>

export function createWriteGroups(database: () => Transactional) {
  const turns = createTurns()
  let group: Group | undefined
  let scheduled = false

  /** Joins the open group or begins one. The caller must have its turn. */
  async function joinGroup(): Promise<Group> {
    // SQLite itself rolls back the whole transaction after some errors, such as a full disk.
    if (group && !database().isTransaction) failGroup(new Error('SQLite rolled back the transaction'))
    if (!group) {
      rollBack()
      await whenNotBusy(() => database().exec('BEGIN IMMEDIATE'))
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      // Avoids an unhandled rejection for a group without waiting members, because all of them rolled back.
      promise.catch(() => {})
      group = {
        onDisk: promise,
        settle: (error) => (error === undefined ? resolve() : reject(error)),
        members: 0,
      }
    }
    group.members += 1
    return group
  }

  /** Rolls back the group and rejects all of its members. */
  function failGroup(cause: unknown): void {
    const failed = group
    group = undefined
    try {
      rollBack()
    } catch {
      // `joinGroup` rolls back again before the next group.
    }
    failed?.settle(commitFailed(cause))
  }

  function rollBack(): void {
    try {
      if (database().isTransaction) database().exec('ROLLBACK')
    } catch (error) {
      throw commitFailed(error)
    }
  }

  function commit(): void {
    if (!group) return
    try {
      database().exec('COMMIT')
    } catch (error) {
      failGroup(error)
      return
    }
    group.settle()
    group = undefined
  }

  /**
   * Ends the turn. The next writer joins this group unless it is full. The group commits at the end of the loop turn.
   */
  function leaveGroup(endTurn: () => void): void {
    if (group && group.members >= databaseLimits.writeGroupMembers) commit()
    endTurn()
    if (!group || scheduled) return
    scheduled = true
    setImmediate(() => {
      scheduled = false
      // A running writer calls `leaveGroup` later, which schedules the commit again.
      if (!turns.isTaken()) commit()
    })
  }

  return {
    async write<Result>(run: () => Result): Promise<Result> {
      const endTurn = await turns.begin()
      let mine: Group
      let result: Result
      try {
        mine = await joinGroup()
        result = run()
      } finally {
        leaveGroup(endTurn)
      }
      await mine.onDisk
      return result
    },

    /** Begins a transaction. Work that does not finish in time is rolled back, after a call of `onDeadline`. */
    async begin(onDeadline: () => void): Promise<OpenTransaction> {
      const endTurn = await turns.begin()
      let mine: Group
      try {
        mine = await joinGroup()
        database().exec(`SAVEPOINT ${SAVEPOINT}`)
      } catch (error) {
        leaveGroup(endTurn)
        throw error
      }
      /** Ends the savepoint. If that fails, the whole group is rolled back. */
      const end = (statements: string) => {
        clearTimeout(deadline)
        try {
          if (database().isTransaction) database().exec(statements)
        } catch (error) {
          failGroup(error)
        } finally {
          leaveGroup(endTurn)
        }
      }
      const undo = () => end(`ROLLBACK TO ${SAVEPOINT}; RELEASE ${SAVEPOINT}`)
      const deadline = setTimeout(() => {
        onDeadline()
        undo()
      }, databaseLimits.transactionDeadlineMs)
      return {
        async commit() {
          end(`RELEASE ${SAVEPOINT}`)
          await mine.onDisk
        },
        rollback: undo,
      }
    },

    async close(): Promise<void> {
      const endTurn = await turns.begin()
      commit()
      endTurn()
    },
  }
}

/** Retries until the deadline while another process writes. */
export async function whenNotBusy<Result>(run: () => Result): Promise<Result> {
  const deadlineAt = performance.now() + databaseLimits.transactionDeadlineMs
  for (;;) {
    try {
      return run()
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadlineAt) throw error
      await sleep(databaseLimits.retryFirstDelayMs)
    }
  }
}

/** A queue of writers. Rejects a writer that has waited for too long. */
function createTurns() {
  let isHeld = false
  const waiting = new Set<() => void>()
  const end = () => {
    const [next] = waiting
    if (next) next()
    else isHeld = false
  }
  return {
    isTaken: () => isHeld,
    begin(): Promise<() => void> | (() => void) {
      if (!isHeld) {
        isHeld = true
        return end
      }
      return new Promise((resolve, reject) => {
        const start = () => {
          waiting.delete(start)
          clearTimeout(timer)
          resolve(end)
        }
        const timer = setTimeout(() => {
          waiting.delete(start)
          reject(databaseBusy())
        }, databaseLimits.transactionDeadlineMs)
        waiting.add(start)
      })
    },
  }
}
