import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createDatabaseClock } from './database-clock.ts'
import { forEachEngine } from './test-engines.ts'

forEachEngine((database, engine) => {
  const ofDatabase = async () => {
    const { rows } = await sql<{ now_ms: number }>`
      select cast(extract(epoch from clock_timestamp()) * 1000 as bigint) as now_ms`.execute(database().db)
    return rows[0]?.now_ms ?? 0
  }

  test('machines whose clocks differ by ten seconds agree on the time of a shared database', async () => {
    const skews = [-10_000, 0, 10_000]
    const clocks = await Promise.all(
      skews.map((skew) => createDatabaseClock(database(), { nowMs: () => Date.now() + skew })),
    )
    await sleep(50)
    await Promise.all(clocks.map(({ adjust }) => adjust()))
    const times = clocks.map(({ nowMs }) => nowMs())
    if (engine === 'sqlite') {
      const now = Date.now()
      for (const [index, skew] of skews.entries()) {
        expect(Math.abs((times[index] ?? 0) - skew - now)).toBeLessThan(1_000)
      }
      return
    }
    const now = await ofDatabase()
    for (const time of times) expect(Math.abs(time - now)).toBeLessThan(1_000)
    expect(times.every(Number.isInteger)).toBe(true)
  })
})
