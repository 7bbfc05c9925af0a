/**
 * Measures throughput and CPU time of the server for logins and refreshes, at 16 connections. Users act like
 * browsers: each has a key for its proofs and an IP address for rate limits.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { openConnections } from '../client/http.ts'
import { type LoggedIn, logIn, type Place, refresh } from '../client/user.ts'
import { type Fleet, startFleet } from '../soak/fleet.ts'
import type { Stack } from '../stack/stack.ts'
import { heading, plain } from './statistics.ts'

export const CONNECTIONS = 16
/** Enough for a stable result, within a minute on a small machine. */
const LOGINS = 400
const REFRESHES = 2_000

const aims = { SQLite: { login: 1.5, refresh: 0.4 }, PostgreSQL: { login: 2.2, refresh: 0.6 } } as const

export async function measureServer(stack: Stack, engine: keyof typeof aims) {
  const aim = aims[engine]
  const connections = openConnections(stack.serverPort, CONNECTIONS)
  const place: Place = { connections, ...stack }
  console.log(`\nThe server on ${engine}, ${CONNECTIONS} connections`)
  await load(CONNECTIONS * 4, () => logIn(place))
  const users = await createUsers(place)
  const logins = await timed(stack, LOGINS, () => logIn(place))
  plain(
    'e-mail logins',
    logins.perSecond,
    '/s',
    `${logins.cpuMs.toFixed(2)} ms of server CPU each (aim ${aim.login})`,
  )
  const refreshes = await timed(stack, REFRESHES, users.refresh)
  plain(
    'refreshes',
    refreshes.perSecond,
    '/s',
    `${refreshes.cpuMs.toFixed(2)} ms of server CPU each (aim ${aim.refresh})`,
  )
  connections.close()
}

const IDLE_MS = 60_000

/** Measures an idle server on SQLite, started as docs/operating.md recommends. */
export async function measureIdle(port: number) {
  heading('The idle server, a minute after its start')
  const fleet = await startFleet({
    port,
    size: 1,
    databaseUrl: undefined,
    environment: { LOG_LEVEL: 'info', NODE_OPTIONS: '--max-semi-space-size=2' },
  })
  try {
    // The first start fills the compile cache for the second.
    await fleet.drain(0)
    await fleet.start(0)
    await sleep(IDLE_MS)
    for (const pid of fleet.pids()) plain('memory', residentMegabytes(pid), 'MB', '(aim 90)')
  } finally {
    await fleet.stop()
  }
}

async function timed(stack: Stack, count: number, work: (worker: number) => Promise<unknown>) {
  const cpuBefore = cpuMs(stack.serverPid())
  const start = performance.now()
  await load(count, work)
  const ms = performance.now() - start
  return { perSecond: (count / ms) * 1_000, cpuMs: (cpuMs(stack.serverPid()) - cpuBefore) / count }
}

/** Creates a user per worker. A refresh stores the next token. */
export async function createUsers(place: Place) {
  const users: LoggedIn[] = await Promise.all(Array.from({ length: CONNECTIONS }, () => logIn(place)))
  const of = (worker: number): LoggedIn => {
    const user = users[worker]
    if (user === undefined) throw new Error(`No user for worker ${worker}`)
    return user
  }
  return {
    all: users as readonly LoggedIn[],
    of,
    async refresh(worker: number) {
      const user = of(worker)
      users[worker] = { ...user, ...(await refresh(place, user)) }
    },
  }
}

/** Runs the work with this number of workers, each starting its next call when the last is done. */
export async function load(count: number, work: (worker: number) => Promise<unknown>, workers = CONNECTIONS) {
  let started = 0
  const worker = async (index: number) => {
    while (started < count) {
      started += 1
      await work(index)
    }
  }
  await Promise.all(Array.from({ length: workers }, (_, index) => worker(index)))
}

/** Returns the user and system time of a process, all threads, as the kernel counts it. */
export function cpuMs(pid: number | undefined): number {
  if (process.platform === 'linux') {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    return (Number(fields[11]) + Number(fields[12])) * 10
  }
  const [minutes = '0', seconds = '0'] = execFileSync('ps', ['-o', 'cputime=', '-p', String(pid)])
    .toString()
    .trim()
    .split(':')
    .slice(-2)
  return (Number(minutes) * 60 + Number(seconds)) * 1_000
}

/** Returns the sum over all servers of a fleet. */
export const fleetCpuMs = (fleet: Fleet): number => fleet.pids().reduce((sum, pid) => sum + cpuMs(pid), 0)

const residentMegabytes = (pid: number) =>
  Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)]).toString()) / 1_024
