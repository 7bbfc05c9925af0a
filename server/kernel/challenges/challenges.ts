/**
 * Values that this server made for one answer: a nonce that a wallet signs, a challenge of a passkey, a channel of a
 * relay. Whoever uses one up deletes its row, so of several who answer one does, and what was used is as unknown as
 * what never was.
 */

import type { Migration } from '../db/migrations/migration.ts'
import type { Reader, Trx } from '../ports.ts'

type ChallengeTable = {
  app_id: string
  /** What it is for: it is of no use for anything else. The capability that made it begins the name. */
  purpose: string
  /** The value itself, which is worth nothing without the answer; or its hash, where it is a secret. */
  id: string
  /** Whose it is; empty where nobody is logged in. */
  user_id: string
  /** Who may answer: the hash of the login-binding header, the session, or what is approved. */
  binding: string
  /** JSON of what the purpose compares the answer with. */
  data: string
  /** The call that asks somebody about the answer; no other call asks meanwhile. Null where none does. */
  held_by: string | null
  created_at: number
  expires_at: number
}
const challengesIn = (reader: Reader) => reader.withTables<{ challenges: ChallengeTable }>()

/**
 * One table in place of `siwe_nonces`, `passkey_challenges` and `farcaster_channels`. Nothing is copied: a row lives for
 * minutes, and an answer to a challenge in the tables before is refused as one that came too late. Those tables stay
 * for the servers of the last release, which run beside this one during an upgrade.
 */
export const challengeTables: Migration = {
  async up({ schema }) {
    await schema
      .createTable('challenges')
      .addColumn('app_id', 'text', (column) => column.notNull())
      .addColumn('purpose', 'text', (column) => column.notNull())
      .addColumn('id', 'text', (column) => column.notNull())
      .addColumn('user_id', 'text', (column) => column.notNull())
      .addColumn('binding', 'text', (column) => column.notNull())
      .addColumn('data', 'text', (column) => column.notNull())
      .addColumn('held_by', 'text')
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('challenges_key', ['app_id', 'purpose', 'id'])
      .execute()
    await schema.createIndex('challenges_by_end').on('challenges').column('expires_at').execute()
  },
}

/** All of it has to be right: a challenge is for one purpose of one app, in one hand. */
export type ChallengeKey = {
  appId: string
  purpose: string
  id: string
  /** Empty where nobody is logged in. */
  userId: string
  binding: string
}
export type Challenge = { data: string; createdAt: number }

const rowOf = ({ appId, purpose, id, userId, binding }: ChallengeKey) => ({
  app_id: appId,
  purpose,
  id,
  user_id: userId,
  binding,
})
const challengeIn = ({ data, created_at }: ChallengeTable): Challenge => ({ data, createdAt: created_at })

export async function putChallenge(
  trx: Trx,
  key: ChallengeKey,
  life: { nowSeconds: number; seconds: number },
  data: unknown = null,
): Promise<void> {
  await challengesIn(trx)
    .insertInto('challenges')
    .values({
      ...rowOf(key),
      data: JSON.stringify(data),
      held_by: null,
      created_at: life.nowSeconds,
      expires_at: life.nowSeconds + life.seconds,
    })
    .execute()
}

export async function findChallenge(
  reader: Reader,
  key: ChallengeKey,
  nowSeconds: number,
): Promise<Challenge | undefined> {
  const found = await challengesIn(reader)
    .selectFrom('challenges')
    .selectAll()
    .where((row) => row.and(rowOf(key)))
    .where('expires_at', '>', nowSeconds)
    .executeTakeFirst()
  return found && challengeIn(found)
}

/** Writes what the purpose has learnt meanwhile. */
export async function describeChallenge(reader: Reader, key: ChallengeKey, data: unknown): Promise<void> {
  await challengesIn(reader)
    .updateTable('challenges')
    .set({ data: JSON.stringify(data) })
    .where((row) => row.and(rowOf(key)))
    .execute()
}

/**
 * Reserves the challenge for the one call that asks about its answer. Undefined where another call has it, and where it
 * is used or expired.
 */
export async function holdChallenge(
  trx: Trx,
  key: ChallengeKey,
  heldBy: string,
  nowSeconds: number,
): Promise<Challenge | undefined> {
  const held = await challengesIn(trx)
    .updateTable('challenges')
    .set({ held_by: heldBy })
    .where((row) => row.and(rowOf(key)))
    .where('expires_at', '>', nowSeconds)
    .where((row) => row.or([row('held_by', 'is', null), row('held_by', '=', heldBy)]))
    .returningAll()
    .executeTakeFirst()
  return held && challengeIn(held)
}

/** Nobody said whether the answer is right, so it can be brought again. */
export async function releaseChallenge(reader: Reader, key: ChallengeKey, heldBy: string): Promise<void> {
  await challengesIn(reader)
    .updateTable('challenges')
    .set({ held_by: null })
    .where((row) => row.and(rowOf(key)))
    .where('held_by', '=', heldBy)
    .execute()
}

/**
 * True for the one that uses it up. `livingAt` is for a challenge that was not looked at before; `heldBy` for the call
 * that holds it.
 */
export async function useUpChallenge(
  trx: Trx,
  key: ChallengeKey,
  { livingAt, heldBy }: { livingAt?: number; heldBy?: string },
): Promise<boolean> {
  let challenges = challengesIn(trx)
    .deleteFrom('challenges')
    .where((row) => row.and(rowOf(key)))
  if (livingAt !== undefined) challenges = challenges.where('expires_at', '>', livingAt)
  if (heldBy !== undefined) challenges = challenges.where('held_by', '=', heldBy)
  return (await challenges.returning('id').executeTakeFirst()) !== undefined
}
