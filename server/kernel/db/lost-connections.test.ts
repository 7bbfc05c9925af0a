/** PostgreSQL may end connections at any moment: during a transaction, during a statement, or while idle. */
import { createServer, type Socket } from 'node:net'
import { sql } from 'kysely'
import pg from 'pg'
import { expect, test, vi } from 'vitest'
import type { Reader } from '../ports.ts'
import { openDatabase } from './database.ts'
import { isUnavailable } from './failures.ts'
import { forPostgres } from './test-engines.ts'

vi.setConfig({ testTimeout: 30_000 })

const attempt = (key: string) => ({ key, window_start: 1, count: 0, expires_at: 2 })

async function getBackendPid(reader: Reader): Promise<number> {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(reader)
  const [row] = rows
  if (!row) throw new Error('PostgreSQL has no process')
  return row.pid
}

/** Classifies an error, to compare the results of many calls. */
const classifyError = (error: unknown) => (isUnavailable(error) ? 'unavailable' : String(error))

forPostgres((_database, _engine, url) => {
  async function openDatabases() {
    const lost: Error[] = []
    const administrator = new pg.Client({ connectionString: url() })
    await administrator.connect()
    const database = openDatabase(url(), { connections: 4, onLost: (error) => lost.push(error) })
    return {
      ...database,
      lost,
      terminate: (pid: number) => administrator.query('select pg_terminate_backend($1)', [pid]),
      async end() {
        await database.close()
        await administrator.end()
      },
    }
  }

  test('a connection that ends between two statements rolls back, and the next call gets a new one', async () => {
    const { db, transaction, terminate, lost, end } = await openDatabases()
    const ended = transaction(async (trx) => {
      await trx.insertInto('attempts').values(attempt('in the middle')).execute()
      await terminate(await getBackendPid(trx))
      // The client notices the loss while it is idle.
      await vi.waitFor(() => expect(lost).not.toEqual([]), { timeout: 20_000 })
      await trx.insertInto('attempts').values(attempt('later')).execute()
    })
    await expect(ended.catch(classifyError)).resolves.toBe('unavailable')
    expect(await db.selectFrom('attempts').select('key').execute()).toEqual([])
    await transaction((trx) => trx.insertInto('attempts').values(attempt('next')).execute())
    expect(await db.selectFrom('attempts').select('key').execute()).toMatchObject([{ key: 'next' }])
    await end()
  })

  test('a connection that ends during a statement fails it as unavailable', async () => {
    const { db, terminate, end } = await openDatabases()
    const pid = Promise.withResolvers<number>()
    const asleep = db
      .connection()
      .execute(async (connection) => {
        pid.resolve(await getBackendPid(connection))
        await sql`select pg_sleep(5)`.execute(connection)
      })
      .catch(classifyError)
    await terminate(await pid.promise)
    expect(await asleep).toBe('unavailable')
    expect(await db.selectFrom('attempts').select('key').execute()).toEqual([])
    await end()
  })

  test('under load, every failure is reported as unavailable and acknowledged rows exist', async () => {
    const { db, transaction, terminate, end } = await openDatabases()
    const acknowledged: string[] = []
    const answers: string[] = []
    let running = true
    const work = async (worker: number) => {
      for (let turn = 0; running; turn += 1) {
        const key = `${worker}/${turn}`
        try {
          await transaction(async (trx) => {
            await trx.insertInto('attempts').values(attempt(key)).execute()
            await trx.updateTable('attempts').set({ count: 1 }).where('key', '=', key).execute()
          })
          acknowledged.push(key)
        } catch (error) {
          answers.push(classifyError(error))
        }
      }
    }
    const workers = Array.from({ length: 6 }, (_, worker) => work(worker))
    while (answers.length < 20) {
      const pid = await getBackendPid(db).catch(() => undefined)
      if (pid !== undefined) await terminate(pid)
    }
    running = false
    await Promise.all(workers)
    expect(new Set(answers)).toEqual(new Set(['unavailable']))
    const rows = await db.selectFrom('attempts').select('key').where('count', '=', 1).execute()
    const kept = new Set(rows.map((row) => row.key))
    expect(acknowledged.filter((key) => !kept.has(key))).toEqual([])
    expect(acknowledged.length).toBeGreaterThan(0)
    await end()
  })
})

test('a refused, closed or unreachable connection is reported as unavailable', async () => {
  const sockets = new Set<Socket>()
  const hangsUp = createServer((socket) => {
    sockets.add(socket)
    socket.once('data', () => socket.destroy())
  })
  const port = await new Promise<number>((resolve) => {
    hangsUp.listen(0, '127.0.0.1', () => {
      const address = hangsUp.address()
      resolve(typeof address === 'object' && address ? address.port : 0)
    })
  })
  const connectAndRead = async () => {
    const database = openDatabase(`postgres://somebody:a-password@127.0.0.1:${port}/none`)
    const outcome = await database.db.selectFrom('apps').select('id').execute().catch(classifyError)
    await database.close()
    return outcome
  }
  expect(await connectAndRead()).toBe('unavailable')
  await new Promise((resolve) => hangsUp.close(resolve))
  expect(await connectAndRead()).toBe('unavailable')
})
