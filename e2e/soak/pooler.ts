/** PgBouncer in front of PostgreSQL, in transaction mode, like operators use it. */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { freePort } from '../../scripts/local/ports.ts'
import { ensureTool, giveAway, startDaemon } from './debian.ts'

export type Pooler = {
  url: string
  version: string
  pid: number | undefined
  stop: () => Promise<void>
}

const program = '/usr/sbin/pgbouncer'
const startDeadlineMs = 10_000

export async function startPooler(databaseUrl: string): Promise<Pooler> {
  await ensureTool({ name: 'PgBouncer', programs: [program], packages: ['pgbouncer'] })
  const { hostname, port: databasePort, username, password, pathname } = new URL(databaseUrl)
  const database = pathname.slice(1)
  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-pooler-'))
  writeFileSync(join(folder, 'users.txt'), `"${username}" "${password}"\n`)
  writeFileSync(
    join(folder, 'pgbouncer.ini'),
    `[databases]
${database} = host=${hostname} port=${databasePort} dbname=${database}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
auth_type = scram-sha-256
auth_file = ${join(folder, 'users.txt')}
pool_mode = transaction
default_pool_size = 10
max_client_conn = 500
server_login_retry = 1
stats_users = ${username}
unix_socket_dir =
`,
  )
  chmodSync(folder, 0o755)
  giveAway(folder)
  const daemon = startDaemon(program, [join(folder, 'pgbouncer.ini')], { logFile: join(folder, 'log') })
  const url = new URL(databaseUrl)
  url.port = String(port)
  const version = await getVersion(`postgres://${username}:${password}@127.0.0.1:${port}/pgbouncer`)
  return {
    url: url.href,
    version,
    pid: daemon.child.pid,
    async stop() {
      await daemon.end('SIGTERM')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function getVersion(adminUrl: string): Promise<string> {
  const giveUpAt = Date.now() + startDeadlineMs
  for (;;) {
    const client = new pg.Client({ connectionString: adminUrl })
    try {
      await client.connect()
      const { rows } = await client.query('show version')
      return String(rows[0]?.version)
    } catch (error) {
      if (Date.now() > giveUpAt) throw new Error('PgBouncer did not start', { cause: error })
      await new Promise((resolve) => setTimeout(resolve, 100))
    } finally {
      await client.end().catch(() => {})
    }
  }
}
