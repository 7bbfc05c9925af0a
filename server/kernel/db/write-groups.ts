/**
 * Who writes to SQLite, and when it reaches the disk.
 *
 * A commit waits for the disk, and the disk takes as long for twenty changes as for one. So changes that come
 * within the same turn of the event loop share one commit, each in a savepoint of its own, one after the other.
 * Nobody is told before that commit returned; when it fails, it failed for all of them.
 */
import type { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { databaseLimits } from '../limits.ts'
import { commitFailed, databaseBusy, isBusy } from './failures.ts'

export type OpenTransaction = {
  /** Returns when the changes are on the disk. */
  commit: () => Promise<void>
  rollback: () => void
}

type Group = {
  onDisk: Promise<void>
  settle: (error?: unknown) => void
  members: number
}

const SAVEPOINT = 'member'

/** What of a connection is needed here. */
export type Transactional = Pick<DatabaseSync, 'exec' | 'isTransaction'>

export function createWriteGroups(database: () => Transactional) {
  const turns = createTurns()
  let group: Group | undefined
  let scheduled = false

  /** The caller has its turn. */
  async function join(): Promise<Group> {
    // SQLite itself gives up a whole transaction after some failures, a full disk for one.
    if (group && !database().isTransaction) giveUp(new Error('SQLite gave up the transaction'))
    if (!group) {
      rollBack()
      await whenNotBusy(() => database().exec('BEGIN IMMEDIATE'))
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      // Whoever waits hears of it; a group whose members all rolled back has nobody who does.
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

  /** Nothing of the group is kept, and each of its members hears of it. */
  function giveUp(cause: unknown): void {
    const failed = group
    group = undefined
    try {
      rollBack()
    } catch {
      // It is tried again before the next group begins.
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
      giveUp(error)
      return
    }
    group.settle()
    group = undefined
  }

  /** The next in line goes on in this group, unless it is full; at the end of this turn of the loop it closes. */
  function leave(endTurn: () => void): void {
    if (group && group.members >= databaseLimits.writeGroupMembers) commit()
    endTurn()
    if (!group || scheduled) return
    scheduled = true
    setImmediate(() => {
      scheduled = false
      // Whoever is writing just now leaves later, and comes by here again.
      if (!turns.isTaken()) commit()
    })
  }

  return {
    async write<Result>(run: () => Result): Promise<Result> {
      const endTurn = await turns.begin()
      let mine: Group
      let result: Result
      try {
        mine = await join()
        result = run()
      } finally {
        leave(endTurn)
      }
      await mine.onDisk
      return result
    },

    /** `onDeadline` is told first: whoever waits for what is no SQL would hold the database for everybody. */
    async begin(onDeadline: () => void): Promise<OpenTransaction> {
      const endTurn = await turns.begin()
      let mine: Group
      try {
        mine = await join()
        database().exec(`SAVEPOINT ${SAVEPOINT}`)
      } catch (error) {
        leave(endTurn)
        throw error
      }
      /** What can be neither kept nor undone by itself goes with its whole group. */
      const end = (statements: string) => {
        clearTimeout(deadline)
        try {
          if (database().isTransaction) database().exec(statements)
        } catch (error) {
          giveUp(error)
        } finally {
          leave(endTurn)
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

/** Another process may be writing: its transactions are short, so this asks again until the deadline. */
export async function whenNotBusy<Result>(run: () => Result): Promise<Result> {
  const giveUpAt = performance.now() + databaseLimits.transactionDeadlineMs
  for (;;) {
    try {
      return run()
    } catch (error) {
      if (!isBusy(error) || performance.now() > giveUpAt) throw error
      await sleep(databaseLimits.retryFirstDelayMs)
    }
  }
}

/** One writer at a time, in the order of asking; who waits too long gives up. */
function createTurns() {
  let taken = false
  const waiting = new Set<() => void>()
  const end = () => {
    const [next] = waiting
    if (next) next()
    else taken = false
  }
  return {
    isTaken: () => taken,
    begin(): Promise<() => void> | (() => void) {
      if (!taken) {
        taken = true
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
