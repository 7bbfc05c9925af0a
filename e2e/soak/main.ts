/**
 * Servers are disturbed under load, again and again, and whatever they had acknowledged must be there afterwards.
 *
 *     npm run soak -- --kills 100 [--engine sqlite|postgres|both]      one process, killed at random moments
 *     npm run soak -- --processes 3 --minutes 3                         several on one PostgreSQL, behind a balancer:
 *                                                                       kills, rolling restarts, rotation of keys,
 *                                                                       fast and immediate stops of the database
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { Postgres } from '../../scripts/local/postgres.ts'
import { openConnections } from '../client/http.ts'
import type { Place } from '../client/user.ts'
import { readDatabase } from '../stack/database.ts'
import { type Disturbance, disturbancesOf, killAgainAndAgain } from './disturbances.ts'
import { type Fleet, startFleet } from './fleet.ts'
import { checkAccounts, checkRows, createLedger, type Ledger } from './ledger.ts'
import { live } from './visitor.ts'

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '100' },
    processes: { type: 'string', default: '1' },
    minutes: { type: 'string', default: '3' },
    users: { type: 'string', default: '8' },
    engine: { type: 'string', default: 'both' },
    port: { type: 'string', default: '4600' },
  },
})
const processes = Number(values.processes)

type Disturb = (fleet: Fleet, ledger: Ledger) => AsyncGenerator<string>

/** Above the deadlines of a restart of the database. */
const patienceMs = 30_000
/** A call that a killed process had in hand is another one's after twenty seconds, and here the next kill comes before. */
const patienceUnderKillsMs = 3_000

async function soak(name: string, disturb: Disturb, postgres?: Postgres): Promise<readonly string[]> {
  const fleet = await startFleet(Number(values.port), processes, postgres?.url)
  try {
    return await soakFleet(fleet, name, disturb, postgres)
  } finally {
    await fleet.stop()
  }
}

async function soakFleet(
  fleet: Fleet,
  name: string,
  disturb: Disturb,
  postgres: Postgres | undefined,
): Promise<readonly string[]> {
  const ledger = createLedger()
  const patience = processes > 1 ? patienceMs : patienceUnderKillsMs
  const connections = openConnections(fleet.port, Number(values.users) * guessesAtOnce)
  const place: Place = { ...fleet, connections, patienceMs }
  let isOver = false
  const startedAt = Date.now()
  const visitors = Array.from({ length: Number(values.users) }, () =>
    live({ place: { ...place, patienceMs: patience }, ledger }, () => isOver),
  )
  let disturbed = 0
  const kinds = new Map<string, number>()
  const cuts = new Map<string, number>()
  let cut = 0
  for await (const what of disturb(fleet, ledger)) {
    disturbed += 1
    kinds.set(what, (kinds.get(what) ?? 0) + 1)
    cuts.set(what, (cuts.get(what) ?? 0) + fleet.balancer.cut() - cut)
    cut = fleet.balancer.cut()
    if (disturbed % 10 === 0)
      console.log(`  ${name}: ${told(kinds)}; ${told(Object.entries(ledger.counts()))}`)
  }
  isOver = true
  await Promise.all(visitors)

  console.log(`  ${name}: checking ${ledger.accounts.length} acknowledged logins`)
  await checkAccounts(ledger, place)
  await checkRows(ledger, postgres ? postgres.rowsOf : (sql) => readDatabase(fleet.databaseFile, sql))
  const ended = fleet.endedByThemselves()
  if (ended > 0) ledger.lose(`${ended} processes stopped by themselves`)
  connections.close()
  const seconds = Math.round((Date.now() - startedAt) / 1_000)
  console.log(
    `${name}: ${told(kinds)} in ${seconds} s; ${told(Object.entries(ledger.counts()))}; ` +
      `calls cut under the balancer: ${told(cuts)}; lost = ${ledger.losses.length}`,
  )
  return ledger.losses
}

const guessesAtOnce = 16
const told = (counts: Iterable<readonly [string, unknown]>) =>
  [...counts].map(([what, count]) => `${what} ${count}`).join(', ')

async function onPostgres(work: (postgres: Postgres) => Promise<readonly string[]>) {
  const { startPostgres } = await import('../../scripts/local/postgres.ts')
  const postgres = await startPostgres()
  try {
    return await work(postgres)
  } finally {
    await postgres.stop()
  }
}

const kill: Disturb = (fleet, ledger) => killAgainAndAgain(fleet, ledger, Number(values.kills))

async function* allKinds(fleet: Fleet, ledger: Ledger, postgres: Postgres): AsyncGenerator<string> {
  const endAt = Date.now() + Number(values.minutes) * 60_000
  const kinds: readonly Disturbance[] = disturbancesOf(fleet, postgres)
  for (let at = 0; Date.now() < endAt; at += 1) {
    // Calm for a while, in which repeated calls must look as if they were sent once.
    await sleep(1_500 + Math.random() * 1_500)
    const next = kinds[at % kinds.length]
    if (!next) throw new Error('There is nothing to disturb with')
    ledger.disturb()
    await next.run()
    ledger.disturb()
    yield next.name
  }
}

const losses: string[] = []
if (processes > 1) {
  losses.push(
    ...(await onPostgres((postgres) =>
      soak(`${processes} processes`, (fleet, ledger) => allKinds(fleet, ledger, postgres), postgres),
    )),
  )
} else {
  if (values.engine !== 'postgres') losses.push(...(await soak('sqlite', kill)))
  if (values.engine !== 'sqlite') {
    losses.push(...(await onPostgres((postgres) => soak('postgres', kill, postgres))))
  }
}
for (const loss of losses.slice(0, 20)) console.error(`LOST ${loss}`)
console.log(losses.length === 0 ? 'Nothing that was acknowledged was lost.' : `${losses.length} losses`)
process.exit(losses.length === 0 ? 0 : 1)
