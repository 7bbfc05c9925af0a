/**
 * Which servers run, and which master keys each has: nothing is wrapped under a key that one of them can not read. A
 * server says it when it starts and each time that it reads its keys; one that says nothing any more is forgotten.
 */
import { keyLimits } from '../limits.ts'
import type { Db, Reader } from '../ports.ts'

/** One row a server, which it renews while it runs. */
type RunningServerTable = {
  id: string
  /** The machine and the process, as operators read them. */
  name: string
  /** The ids of those in its files, and of the peppers that it knows, with a space between. */
  master_keys: string
  expires_at: number
}

declare module '../db/schema.ts' {
  interface Database {
    running_servers: RunningServerTable
  }
}

/** It says what is true of one database at one moment: no copy has its rows. */
export const runningServersTable = 'running_servers'

export type HeldKeys = { id: string; name: string; keys: readonly string[] }

export async function sayHeldKeys(db: Db, { id, name, keys }: HeldKeys, nowSeconds: number): Promise<void> {
  const said = {
    name,
    master_keys: keys.join(' '),
    expires_at: nowSeconds + keyLimits.runningServerSeconds,
  }
  await db
    .insertInto('running_servers')
    .values({ id, ...said })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(said))
    .execute()
  await db.deleteFrom('running_servers').where('expires_at', '<=', nowSeconds).execute()
}

export async function forgetServer(db: Db, id: string): Promise<void> {
  await db.deleteFrom('running_servers').where('id', '=', id).execute()
}

/** The names of those that run without the key. */
export async function serversWithout(db: Db, keyId: string, nowSeconds: number): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('running_servers')
    .select(['name', 'master_keys'])
    .where('expires_at', '>', nowSeconds)
    .orderBy('name')
    .execute()
  return rows.filter(({ master_keys }) => !master_keys.split(' ').includes(keyId)).map(({ name }) => name)
}

/** The names of all that run. */
export async function runningServers(reader: Reader, nowSeconds: number): Promise<readonly string[]> {
  const rows = await reader
    .selectFrom('running_servers')
    .select('name')
    .where('expires_at', '>', nowSeconds)
    .orderBy('name')
    .execute()
  return rows.map(({ name }) => name)
}
