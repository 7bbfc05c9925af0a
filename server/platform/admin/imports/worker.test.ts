/** Workers of several processes, killed ones and failing ones. */
import { beforeEach, expect, test, vi } from 'vitest'
import { findExpectedAccounts } from '../../../identity/users/users.ts'
import type { ServerContext } from '../../../kernel/context.ts'
import { forEachEngine } from '../../../kernel/db/test-engines.ts'
import { importLimits } from './limits.ts'
import { withImportTables } from './tables.ts'
import { type ImportFixture, importFixture } from './testing/fixture.ts'
import { createImportWorker } from './worker.ts'

const total = 2 * importLimits.chunkRecords + 1

forEachEngine((database) => {
  let fixture: ImportFixture
  let id = ''
  beforeEach(async () => {
    fixture = await importFixture(database())
    id = (await fixture.create('csv')).body.id
    const rows = Array.from({ length: total }, (_, index) => `${index},user${index}@example.com,true\n`)
    await fixture.upload(id, `id,email,email_verified\n${rows.join('')}`, { type: 'text/csv' })
    await fixture.start(id)
  })

  /** Expects one row for each record, and one user for each row. */
  async function expectWhole(): Promise<void> {
    expect(await fixture.read(id)).toMatchObject({ state: 'finished', done: total, created: total })
    const report = await fixture.readReport(id)
    expect(report.map(({ line }) => line)).toEqual(Array.from({ length: total }, (_, index) => index + 2))
    const users = await fixture.context.db.selectFrom('users').select('id').execute()
    expect(new Set(report.map((row) => row.id))).toEqual(new Set(users.map((user) => user.id)))
    expect(users).toHaveLength(total)
    expect((await findExpectedAccounts(fixture.context.db, [users[0]?.id ?? ''])).size).toBe(1)
  }

  /** The context of a process that is killed around its nth transaction. */
  function killedAt(nth: number, moment: 'before' | 'after'): ServerContext {
    let transactions = 0
    return {
      ...fixture.context,
      async transaction(work) {
        transactions += 1
        if (transactions > nth) throw new Error('killed')
        const isLast = transactions === nth
        const result = await fixture.context.transaction(async (trx) => {
          const done = await work(trx)
          // The database rolls back what a killed process did not commit.
          if (isLast && moment === 'before') throw new Error('killed')
          return done
        })
        if (isLast) throw new Error('killed')
        return result
      },
    }
  }

  test.each([
    // 1 is the lease, 2 to 4 are the chunks, and 5 is the end.
    ...[1, 2, 3, 4, 5].map((nth) => [nth, 'before'] as const),
    ...[1, 2, 3, 4, 5].map((nth) => [nth, 'after'] as const),
  ])('another process continues after a kill around transaction %i, %s its commit', async (nth, moment) => {
    await fixture.poll(killedAt(nth, moment))
    // The lease of the killed process is not over.
    if (nth > 1 || moment === 'after') {
      const { state, done } = await fixture.read(id)
      await fixture.poll()
      expect(await fixture.read(id)).toMatchObject({ state, done })
    }
    fixture.context.clock.advanceSeconds(importLimits.leaseMs / 1_000)
    await fixture.poll()
    await expectWhole()
  })

  test('several processes import each record once', async () => {
    await Promise.all([fixture.poll(), fixture.poll(), fixture.poll()])
    await fixture.poll()
    await expectWhole()
  })

  test('a process that lost its lease stores nothing', async () => {
    const { context } = fixture
    let isSlow = true
    await fixture.poll({
      ...context,
      transaction: async (work) => {
        const result = await context.transaction(work)
        if (!isSlow) return result
        isSlow = false
        // The lease ends while the process does not run, and another process does all the work.
        context.clock.advanceSeconds(importLimits.leaseMs / 1_000)
        await fixture.poll()
        return result
      },
    })
    await expectWhole()
  })

  test('an import stops between chunks at a cancellation', async () => {
    const { context } = fixture
    let transactions = 0
    await fixture.poll({
      ...context,
      async transaction(work) {
        transactions += 1
        if (transactions === 3) await fixture.call('POST', `/imports/${id}/cancel`)
        return context.transaction(work)
      },
    })
    expect(await fixture.read(id)).toMatchObject({ state: 'cancelled', done: importLimits.chunkRecords })
    expect(await fixture.readReport(id)).toHaveLength(importLimits.chunkRecords)
  })

  test('two imports take turns', async () => {
    const { context } = fixture
    const other = (await fixture.create('csv')).body.id
    const row = (index: number) => `b${index},b${index}@example.com,true\n`
    const rows = Array.from({ length: 2 * importLimits.chunkRecords }, (_, index) => row(index))
    await fixture.upload(other, `id,email,email_verified\n${rows.join('')}`, { type: 'text/csv' })
    await fixture.start(other)
    // Each chunk has one record, so that both imports need several turns.
    const chunks = await withImportTables(context.db).selectFrom('import_chunks').selectAll().execute()
    await withImportTables(context.db).deleteFrom('import_chunks').execute()
    for (const { content, ...chunk } of chunks) {
      const few = JSON.parse(content).slice(0, 25)
      const split = few.map((record: object, index: number) => ({
        ...chunk,
        chunk: chunk.chunk * importLimits.chunkRecords + index,
        content: JSON.stringify([record]),
      }))
      await withImportTables(context.db).insertInto('import_chunks').values(split).execute()
    }
    const turns: string[] = []
    await fixture.poll({
      ...context,
      async transaction(work) {
        context.clock.advanceSeconds(1)
        const result = await context.transaction(work)
        const { id: latest } = await withImportTables(context.db)
          .selectFrom('imports')
          .select('id')
          .where('state', '=', 'running')
          .orderBy('lease_until_ms', 'desc')
          .limit(1)
          .executeTakeFirstOrThrow()
          .catch(() => ({ id: '' }))
        if (turns.at(-1) !== latest) turns.push(latest)
        return result
      },
    })
    expect(turns.filter((turn) => turn === id).length).toBeGreaterThan(1)
    expect(turns.filter((turn) => turn === other).length).toBeGreaterThan(1)
  })

  test('a stopped process lets another one continue at once', async () => {
    const { context } = fixture
    const worker = createImportWorker({
      ...context,
      async transaction(work) {
        const result = await context.transaction(work)
        worker.stop()
        return result
      },
    })
    await worker.poll()
    expect((await fixture.read(id)).state).toBe('running')
    await fixture.poll()
    await expectWhole()
  })

  test('an import waits for the operator after five failures, and start continues it', async () => {
    const { context } = fixture
    const log = { ...context.log, error: vi.fn() } as unknown as ServerContext['log']
    await withImportTables(context.db).updateTable('import_chunks').set({ content: 'broken' }).execute()
    for (let attempt = 0; attempt < 5; attempt += 1) {
      expect((await fixture.read(id)).state).toBe('running')
      await createImportWorker({ ...context, log }).poll()
      context.clock.advanceSeconds(importLimits.leaseMs / 1_000)
    }
    expect(await fixture.read(id)).toMatchObject({ state: 'failed', done: 0 })
    expect(log.error).toHaveBeenCalledTimes(5)
    await withImportTables(context.db).updateTable('import_chunks').set({ content: '[]' }).execute()
    expect((await fixture.start(id)).body).toMatchObject({ state: 'running' })
  })
})
