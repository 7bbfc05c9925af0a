/** Measures PgBouncer in transaction mode: the same calls with and without it, on one PostgreSQL. */
import { type Postgres, startPostgres } from '../../scripts/local/postgres.ts'
import { openConnections } from '../client/http.ts'
import { logIn, type Place } from '../client/user.ts'
import { type Fleet, startFleet } from '../soak/fleet.ts'
import { type Pooler, startPooler } from '../soak/pooler.ts'
import { treeCpuMs } from './scale.ts'
import { CONNECTIONS, cpuMs, createUsers, fleetCpuMs } from './server.ts'
import { heading, line } from './statistics.ts'
import { inTurns, type Pair, ratio, type Side } from './turns.ts'

const counts = { login: 200, refresh: 1_500 } as const
/** On a busy machine the balancer may drop a call. */
const PATIENCE_MS = 20_000

export async function measurePooler(firstPort: number): Promise<void> {
  const postgres = await startPostgres()
  try {
    await postgres.rowsOf('create database pooled')
    const pooled = new URL(postgres.url)
    pooled.pathname = '/pooled'
    const pooler = await startPooler(pooled.href)
    try {
      await compare(firstPort, postgres, pooler)
    } finally {
      await pooler.stop()
    }
  } finally {
    await postgres.stop()
  }
}

async function compare(firstPort: number, postgres: Postgres, pooler: Pooler): Promise<void> {
  const direct = await startFleet({ port: firstPort, size: 1, databaseUrl: postgres.url })
  try {
    const through = await startFleet({
      port: firstPort + 40,
      size: 1,
      databaseUrl: pooler.url,
      environment: { DATABASE_POOLER: 'transaction' },
    })
    try {
      heading(
        `Through ${pooler.version} in transaction mode, beside PostgreSQL alone, ${CONNECTIONS} connections`,
      )
      const [one, other] = [
        await createVisitors(through, () => ({
          database: treeCpuMs(postgres.pid),
          pooler: cpuMs(pooler.pid),
        })),
        await createVisitors(direct, () => ({ database: treeCpuMs(postgres.pid) })),
      ]
      report('login', await inTurns(counts.login, one.login, other.login))
      report('refresh', await inTurns(counts.refresh, one.refresh, other.refresh))
      one.close()
      other.close()
    } finally {
      await through.stop()
    }
  } finally {
    await direct.stop()
  }
}

async function createVisitors(fleet: Fleet, cpuBehind: () => Readonly<Record<string, number>>) {
  const connections = openConnections(fleet.port, CONNECTIONS)
  const place: Place = { ...fleet, connections, patienceMs: PATIENCE_MS }
  const users = await createUsers(place)
  const side = (work: Side['work']): Side => ({
    work,
    cpuMs: () => ({ server: fleetCpuMs(fleet), ...cpuBehind() }),
  })
  return {
    login: side(() => logIn(place)),
    refresh: side(users.refresh),
    close: connections.close,
  }
}

function report(name: keyof typeof counts, pairs: readonly Pair[]): void {
  ratio(`${name}: processor time of the server`, pairs, (turn) => turn.cpuMs.server, { unit: 'ms' })
  ratio(`${name}: processor time of the database`, pairs, (turn) => turn.cpuMs.database, { unit: 'ms' })
  line(
    `${name}: processor time of the pooler`,
    pairs.map(({ one }) => one.cpuMs.pooler ?? Number.NaN),
    'ms',
  )
  ratio(`${name}: calls in a second`, pairs, (turn) => turn.perSecond, { unit: '/s' })
  ratio(`${name}: wait for an answer`, pairs, (turn) => turn.waitMs, { unit: 'ms' })
}
