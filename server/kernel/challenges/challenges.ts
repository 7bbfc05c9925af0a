/**
 * Single-use values that the server creates for one response: a SIWE nonce, a passkey challenge, a Farcaster relay
 * channel. Consuming a challenge deletes its row, so parallel responses cannot both succeed, and a consumed challenge
 * is indistinguishable from an unknown one.
 */

import type { Migration } from '../db/migrations/migration.ts'
import type { Reader, Trx } from '../ports.ts'

type ChallengeTable = {
  app_id: string
  /** The only purpose that the challenge is valid for, prefixed with its capability. */
  purpose: string
  /** The value itself, or its hash if the value is secret. */
  id: string
  /** The user; empty before login. */
  user_id: string
  /** Binds the response: the hash of the login-binding header, the session, or the approval. */
  binding: string
  /** JSON that the purpose compares the response with. */
  data: string
  /**
   * The call that currently verifies the response with a third party. It excludes other calls. Null if there is none.
   */
  held_by: string | null
  created_at: number
  expires_at: number
}
const challengeTable = (reader: Reader) => reader.withTables<{ challenges: ChallengeTable }>()

/**
 * Replaces `siwe_nonces`, `passkey_challenges` and `farcaster_channels`. Rows live for minutes and are not copied: a
 * response to an older challenge is rejected as expired. The old tables stay for servers of the previous release, which
 * run during a rolling upgrade.
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

/** All fields must match: a challenge is valid for one app, one purpose and one binding. */
export type ChallengeKey = {
  appId: string
  purpose: string
  id: string
  /** Empty before login. */
  userId: string
  binding: string
}
export type Challenge = { data: string; createdAt: number }

const toKeyColumns = ({ appId, purpose, id, userId, binding }: ChallengeKey) => ({
  app_id: appId,
  purpose,
  id,
  user_id: userId,
  binding,
})
const toChallenge = ({ data, created_at }: ChallengeTable): Challenge => ({ data, createdAt: created_at })

export async function putChallenge(
  trx: Trx,
  key: ChallengeKey,
  life: { nowSeconds: number; seconds: number },
  data: unknown = null,
): Promise<void> {
  await challengeTable(trx)
    .insertInto('challenges')
    .values({
      ...toKeyColumns(key),
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
  const challenge = await challengeTable(reader)
    .selectFrom('challenges')
    .selectAll()
    .where((row) => row.and(toKeyColumns(key)))
    .where('expires_at', '>', nowSeconds)
    .executeTakeFirst()
  return challenge && toChallenge(challenge)
}

/** Replaces the data of a challenge. */
export async function updateChallengeData(reader: Reader, key: ChallengeKey, data: unknown): Promise<void> {
  await challengeTable(reader)
    .updateTable('challenges')
    .set({ data: JSON.stringify(data) })
    .where((row) => row.and(toKeyColumns(key)))
    .execute()
}

/**
 * Reserves the challenge for one call that verifies the response with a third party. Returns undefined if another call
 * holds it, or if it is consumed or expired.
 */
export async function reserveChallenge(
  trx: Trx,
  key: ChallengeKey,
  heldBy: string,
  nowSeconds: number,
): Promise<Challenge | undefined> {
  const challenge = await challengeTable(trx)
    .updateTable('challenges')
    .set({ held_by: heldBy })
    .where((row) => row.and(toKeyColumns(key)))
    .where('expires_at', '>', nowSeconds)
    .where((row) => row.or([row('held_by', 'is', null), row('held_by', '=', heldBy)]))
    .returningAll()
    .executeTakeFirst()
  return challenge && toChallenge(challenge)
}

/** Releases the reservation after a verification without a result, so that the response can be sent again. */
export async function releaseChallenge(reader: Reader, key: ChallengeKey, heldBy: string): Promise<void> {
  await challengeTable(reader)
    .updateTable('challenges')
    .set({ held_by: null })
    .where((row) => row.and(toKeyColumns(key)))
    .where('held_by', '=', heldBy)
    .execute()
}

/**
 * Deletes the challenge. Returns true for the one call that consumed it. Pass `livingAt` if its expiry was not checked
 * before, and `heldBy` if the call reserved it.
 */
export async function consumeChallenge(
  trx: Trx,
  key: ChallengeKey,
  { livingAt, heldBy }: { livingAt?: number; heldBy?: string },
): Promise<boolean> {
  let challenges = challengeTable(trx)
    .deleteFrom('challenges')
    .where((row) => row.and(toKeyColumns(key)))
  if (livingAt !== undefined) challenges = challenges.where('expires_at', '>', livingAt)
  if (heldBy !== undefined) challenges = challenges.where('held_by', '=', heldBy)
  return (await challenges.returning('id').executeTakeFirst()) !== undefined
}
