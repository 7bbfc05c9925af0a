/** Disturbances of servers and their database, as operators see them. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Postgres } from '../../scripts/local/postgres.ts'
import type { Fleet } from './fleet.ts'
import type { Ledger } from './ledger.ts'

export type Disturbance = { name: string; run: () => Promise<unknown> }

export function createDisturbances(fleet: Fleet, postgres: Postgres): readonly Disturbance[] {
  const any = () => Math.floor(Math.random() * fleet.size)
  const kill = async () => {
    const at = any()
    await fleet.kill(at)
    await fleet.start(at)
  }
  /** Restarts the servers one after the other, like a deploy. */
  const roll = async () => {
    for (let at = 0; at < fleet.size; at += 1) {
      await fleet.drain(at)
      await fleet.start(at)
    }
  }
  /** Closes all connections while the database keeps running. */
  const cutConnections = () =>
    postgres.rowsOf('select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()')
  return [
    { name: 'kill', run: kill },
    { name: 'connections cut', run: cutConnections },
    { name: 'rolling restart', run: roll },
    { name: 'database stopped fast', run: () => postgres.restart('SIGINT') },
    { name: 'signing key rotated', run: () => fleet.keys('rotate', 'signing') },
    { name: 'kill', run: kill },
    { name: 'database stopped at once', run: () => postgres.restart('SIGQUIT') },
    { name: 'sealing key rotated', run: () => fleet.keys('rotate', 'sealing') },
  ]
}

/** Kills a single process repeatedly. No other one serves until it is back. */
export async function* killAgainAndAgain(
  fleet: Fleet,
  ledger: Ledger,
  kills: number,
): AsyncGenerator<string> {
  for (let kill = 0; kill < kills; kill += 1) {
    await sleep(150 + Math.random() * 1_500)
    ledger.disturb()
    await fleet.kill(0)
    await fleet.start(0)
    ledger.disturb()
    yield 'kill'
  }
}
