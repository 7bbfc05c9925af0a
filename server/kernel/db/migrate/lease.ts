/**
 * Ensures that one process migrates at a time. The lease is a row that expires by the database clock. An advisory lock
 * would not work: it belongs to a connection, which poolers share, and distributed engines lack it.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { product } from '@latchkey/protocol'
import { sql } from 'kysely'
import { randomId } from '../../ids.ts'
import { migrationLimits } from '../../limits.ts'
import type { Db } from '../../ports.ts'
import { databaseNowMs } from '../database-clock.ts'

const leaseTable = `${product.key}_migration_lease`
type Tables = { [leaseTable]: { id: string; holder: string; until_ms: number } }
const row = 'migrations'

export type Lease = {
  /** Throws after another process has taken over the lease. */
  check: () => void
  release: () => Promise<void>
}

/** Waits for the lease. Throws after `waitForLeaseMs`. */
export async function acquireLease(db: Db, onWait: () => void): Promise<Lease> {
  const tables = db.withTables<Tables>()
  const holder = randomId()
  const until = sql<number>`${databaseNowMs} + ${migrationLimits.leaseMs}`
  await createLeaseTable(db)

  const tryAcquire = async () => {
    const leaseRow = await tables
      .insertInto(leaseTable)
      .values({ id: row, holder, until_ms: until })
      .onConflict((conflict) =>
        conflict
          .column('id')
          .doUpdateSet({ holder, until_ms: until })
          .where((lease) =>
            lease.or([
              lease(`${leaseTable}.holder`, '=', holder),
              lease(`${leaseTable}.until_ms`, '<', databaseNowMs),
            ]),
          ),
      )
      .returning('id')
      .executeTakeFirst()
    return leaseRow !== undefined
  }

  const deadlineAt = performance.now() + migrationLimits.waitForLeaseMs
  for (let isFirst = true; !(await tryAcquire()); isFirst = false) {
    if (isFirst) onWait()
    if (performance.now() > deadlineAt)
      throw new Error('Another process has been migrating this database for too long')
    await sleep(migrationLimits.pollLeaseMs)
  }

  let lost: Error | undefined
  const renewing = setInterval(() => {
    tryAcquire()
      .then((isOurs) => {
        if (!isOurs) lost = new Error('Another process took over the migration of this database')
      })
      // If the database is unreachable, the statements of the migration fail as well.
      .catch(() => {})
  }, migrationLimits.renewLeaseMs)
  return {
    check() {
      if (lost) throw lost
    },
    async release() {
      clearInterval(renewing)
      await tables.deleteFrom(leaseTable).where('holder', '=', holder).execute()
    },
  }
}

async function createLeaseTable(db: Db): Promise<void> {
  try {
    await db.schema
      .createTable(leaseTable)
      .ifNotExists()
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('holder', 'text', (column) => column.notNull())
      .addColumn('until_ms', 'bigint', (column) => column.notNull())
      .execute()
  } catch (error) {
    // If two processes create the table in parallel, PostgreSQL reports a unique violation to one of them.
    if (Object(error).code !== '23505') throw error
  }
}
