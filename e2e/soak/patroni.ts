/**
 * A primary and a standby with synchronous replication, managed by Patroni over etcd, and a router to the
 * current primary.
 */
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { freePort } from '../../scripts/local/ports.ts'
import { type Daemon, ensureTool, giveAway, startDaemon } from './debian.ts'
import { startTcpProxy } from './tcp-proxy.ts'

/**
 * In seconds. Patroni replaces a primary that has not renewed its lease within `ttl`, and checks every
 * `loop_wait`.
 */
export const patroniTimes = { ttl: 20, loop_wait: 5, retry_timeout: 5 } as const

const binaries = '/usr/lib/postgresql/15/bin'
const account = 'latchkey'
const startDeadlineMs = 90_000
const lookEveryMs = 250

export type Cluster = {
  url: string
  rowsOf: (sql: string) => Promise<readonly Readonly<Record<string, unknown>>[]>
  /**
   * Kills the machine of the primary: PostgreSQL and its Patroni. Resolves with the time until another one is
   * primary.
   */
  killPrimary: () => Promise<number>
  /** Restarts the killed machine, and waits until it is the synchronous standby. */
  bringBack: () => Promise<void>
  stop: () => Promise<void>
}

type Node = {
  name: string
  restPort: number
  port: number
  config: string
  place: string
  daemon: Daemon | undefined
}

export async function startCluster(): Promise<Cluster> {
  await ensureTool({
    name: 'PostgreSQL with Patroni and etcd',
    programs: [`${binaries}/pg_basebackup`, '/usr/bin/patroni', '/usr/bin/etcd'],
    packages: ['postgresql-15', 'patroni', 'etcd-server', 'python3-etcd', 'python3-psycopg2'],
  })
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-patroni-'))
  chmodSync(folder, 0o755)
  const [etcdPort, peerPort] = [await freePort(), await freePort()]
  const nodes: Node[] = []
  for (const name of ['one', 'two']) {
    const place = join(folder, name)
    mkdirSync(place)
    const [restPort, port] = [await freePort(), await freePort()]
    const config = join(place, 'patroni.yml')
    writeFileSync(config, createConfig({ name, place, restPort, port, etcdPort }))
    nodes.push({ name, place, restPort, port, config, daemon: undefined })
  }
  mkdirSync(join(folder, 'etcd'), { mode: 0o700 })
  giveAway(folder)
  const etcd = startDaemon(
    '/usr/bin/etcd',
    [
      ...['--data-dir', join(folder, 'etcd'), '--name', 'only', '--log-level', 'error'],
      ...[
        '--listen-client-urls',
        `http://127.0.0.1:${etcdPort}`,
        '--advertise-client-urls',
        `http://127.0.0.1:${etcdPort}`,
      ],
      ...[
        '--listen-peer-urls',
        `http://127.0.0.1:${peerPort}`,
        '--initial-advertise-peer-urls',
        `http://127.0.0.1:${peerPort}`,
      ],
      ...['--initial-cluster', `only=http://127.0.0.1:${peerPort}`],
    ],
    { logFile: join(folder, 'etcd.log') },
  )
  const start = (node: Node) => {
    node.daemon = startDaemon('/usr/bin/patroni', [node.config], {
      logFile: join(folder, `${node.name}.log`),
    })
  }
  const says = async ({ restPort }: Node, path: string) => {
    const answer = await fetch(`http://127.0.0.1:${restPort}${path}`, {
      signal: AbortSignal.timeout(1_000),
    }).catch(() => undefined)
    return answer?.status === 200
  }
  const nodeThat = async (path: string) => {
    for (const node of nodes) if (node.daemon && (await says(node, path))) return node
    return undefined
  }
  const until = async (what: string, condition: () => Promise<boolean>) => {
    const giveUpAt = Date.now() + startDeadlineMs
    while (!(await condition())) {
      if (Date.now() > giveUpAt)
        throw new Error(`${what} was not ready within ${startDeadlineMs / 1_000} s: see ${folder}`)
      await sleep(lookEveryMs)
    }
  }
  for (const node of nodes) start(node)
  await until('A primary', async () => (await nodeThat('/primary')) !== undefined)
  await until('A synchronous standby', async () => (await nodeThat('/sync')) !== undefined)

  const router = await startRouter(async () => (await nodeThat('/primary'))?.port)
  const url = `postgres://${account}:${account}@127.0.0.1:${router.port}/postgres`
  let killed: Node | undefined
  return {
    url,
    async rowsOf(sql) {
      const client = new pg.Client({ connectionString: url })
      await client.connect()
      try {
        return (await client.query(sql)).rows
      } finally {
        await client.end()
      }
    },
    async killPrimary() {
      killed = await nodeThat('/primary')
      if (!killed) throw new Error('No primary to kill')
      const startedAt = performance.now()
      const { daemon } = killed
      killed.daemon = undefined
      // Patroni starts PostgreSQL in its own session, which must die with the machine.
      const [postmaster] = readFileSync(join(killed.place, 'data', 'postmaster.pid'), 'utf8').split('\n')
      await daemon?.end('SIGKILL')
      process.kill(Number(postmaster), 'SIGKILL')
      await until('Another primary', async () => (await nodeThat('/primary')) !== undefined)
      return performance.now() - startedAt
    },
    async bringBack() {
      if (killed) start(killed)
      await until('A synchronous standby', async () => (await nodeThat('/sync')) !== undefined)
    },
    async stop() {
      await router.close()
      // Patroni stops its PostgreSQL.
      await Promise.all(nodes.map(({ daemon }) => daemon?.end('SIGTERM')))
      await etcd.end('SIGKILL')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

type NodeConfig = {
  name: string
  place: string
  restPort: number
  port: number
  etcdPort: number
}

const createConfig = ({ name, place, restPort, port, etcdPort }: NodeConfig) => `scope: latchkey
name: ${name}
restapi: { listen: '127.0.0.1:${restPort}', connect_address: '127.0.0.1:${restPort}' }
etcd3: { host: '127.0.0.1:${etcdPort}' }
bootstrap:
  dcs:
    ttl: ${patroniTimes.ttl}
    loop_wait: ${patroniTimes.loop_wait}
    retry_timeout: ${patroniTimes.retry_timeout}
    primary_start_timeout: 0
    synchronous_mode: true
    postgresql: { use_pg_rewind: true, parameters: { max_connections: 200, wal_log_hints: 'on' } }
  initdb: [{ encoding: UTF8 }, data-checksums]
  pg_hba: ['host all all 127.0.0.1/32 scram-sha-256', 'host replication all 127.0.0.1/32 scram-sha-256']
postgresql:
  listen: 127.0.0.1:${port}
  connect_address: 127.0.0.1:${port}
  data_dir: ${place}/data
  bin_dir: ${binaries}
  pgpass: ${place}/pgpass
  authentication:
    superuser: { username: ${account}, password: ${account} }
    replication: { username: replica, password: replica }
    rewind: { username: rewind, password: rewind }
  parameters: { unix_socket_directories: '${place}' }
`

/** Routes to the primary, and closes connections to a former one. */
async function startRouter(portOfPrimary: () => Promise<number | undefined>) {
  let target = await portOfPrimary()
  const proxy = await startTcpProxy({
    target: () => (target === undefined ? undefined : { port: target, hostname: '127.0.0.1' }),
    pass: (client, upstream) => client.pipe(upstream).pipe(client),
  })
  const timer = setInterval(async () => {
    const now = await portOfPrimary()
    if (now === target) return
    target = now
    proxy.cut()
  }, lookEveryMs)
  return {
    port: proxy.port,
    async close() {
      clearInterval(timer)
      await proxy.close()
    },
  }
}
