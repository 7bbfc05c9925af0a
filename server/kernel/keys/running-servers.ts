/**
 * The running servers and their master keys. Nothing is wrapped with a key that one of them lacks. A server updates its
 * row at start and whenever it reads its keys; rows of stopped servers expire.
 */
import { keyLimits } from '../limits.ts'
import type { Db, Reader } from '../ports.ts'

/** A row per server, renewed while it runs. */
type RunningServerTable = {
  id: string
  /** Host name and process, for operators. */
  name: string
  /** The ids of its master keys and peppers, separated by spaces. */
  master_keys: string
  expires_at: number
}

declare module '../db/schema.ts' {
  interface Database {
    running_servers: RunningServerTable
  }
}

/** Describes one database at one moment, so copies and backups leave it out. */
export const runningServersTable = 'running_servers'

export type RunningServer = { id: string; name: string; keys: readonly string[] }

export async function updateRunningServer(
  db: Db,
  { id, name, keys }: RunningServer,
  nowSeconds: number,
): Promise<void> {
  const columns = {
    name,
    master_keys: keys.join(' '),
    expires_at: nowSeconds + keyLimits.runningServerSeconds,
  }
  await db
    .insertInto('running_servers')
    .values({ id, ...columns })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(columns))
    .execute()
  await db.deleteFrom('running_servers').where('expires_at', '<=', nowSeconds).execute()
}

export async function removeRunningServer(db: Db, id: string): Promise<void> {
  await db.deleteFrom('running_servers').where('id', '=', id).execute()
}

/** Returns the names of running servers that lack the key. */
export async function listServersWithout(
  db: Db,
  keyId: string,
  nowSeconds: number,
): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('running_servers')
    .select(['name', 'master_keys'])
    .where('expires_at', '>', nowSeconds)
    .orderBy('name')
    .execute()
  return rows.filter(({ master_keys }) => !master_keys.split(' ').includes(keyId)).map(({ name }) => name)
}

/** Returns the names of all running servers. */
export async function listRunningServers(reader: Reader, nowSeconds: number): Promise<readonly string[]> {
  const rows = await reader
    .selectFrom('running_servers')
    .select('name')
    .where('expires_at', '>', nowSeconds)
    .orderBy('name')
    .execute()
  return rows.map(({ name }) => name)
}
