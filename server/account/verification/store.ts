import type { MfaMethodType } from '@latchkey/protocol'
import { compileQuery, type Placeholder } from '../../kernel/db/compile-query.ts'
import type { Reader, Trx } from '../../kernel/ports.ts'
import { mfaServerLimits } from './limits.ts'
import { type VerificationTables, verificationTables } from './tables.ts'

const enrolled = compileQuery((db, value: Placeholder<{ userId: string }>) =>
  db
    .selectFrom('mfa_methods')
    .select('method')
    .where('user_id', '=', value('userId'))
    .where('status', '=', 'enrolled')
    .orderBy('method'),
)
export const enrolledMethods = async (reader: Reader, userId: string): Promise<readonly MfaMethodType[]> =>
  (await enrolled(reader, { userId })).map(({ method }) => method)

export type Verification = VerificationTables['mfa_verifications']

export async function insertVerification(trx: Trx, verification: Verification): Promise<void> {
  await verificationTables(trx).insertInto('mfa_verifications').values(verification).execute()
}

/** Whether an unexpired verification matches. Does not consume it. */
export async function isVerified(
  trx: Trx,
  key: Omit<Verification, 'method' | 'expires_at'>,
  nowSeconds: number,
): Promise<boolean> {
  const row = await verificationTables(trx)
    .selectFrom('mfa_verifications')
    .select('method')
    .where((row) => row.and(key))
    .where('expires_at', '>', nowSeconds)
    .executeTakeFirst()
  return row !== undefined
}

/** Consumes a matching, unexpired verification and returns its method. */
export async function consumeVerification(
  trx: Trx,
  key: Omit<Verification, 'method' | 'expires_at'>,
  nowSeconds: number,
): Promise<MfaMethodType | undefined> {
  const used = await verificationTables(trx)
    .deleteFrom('mfa_verifications')
    .where('token_hash', '=', key.token_hash)
    .where('app_id', '=', key.app_id)
    .where('user_id', '=', key.user_id)
    .where('session_id', '=', key.session_id)
    .where('operation_id', '=', key.operation_id)
    .where('purpose', '=', key.purpose)
    .where('wallet_id', '=', key.wallet_id)
    .where('expires_at', '>', nowSeconds)
    .returning('method')
    .executeTakeFirst()
  return used?.method
}

const { triesBeforeLock, lockSeconds, triesKeptSeconds } = mfaServerLimits
const longestLock = Math.max(...lockSeconds)

export type Attempt = { userId: string; method: MfaMethodType; nowSeconds: number }

/** Counts an attempt and locks the method at the limit, in one statement. Returns false if the method is locked. */
export async function countAttempt(trx: Trx, { userId, method, nowSeconds }: Attempt): Promise<boolean> {
  const counted = await verificationTables(trx)
    .insertInto('mfa_tries')
    .values({
      user_id: userId,
      method,
      count: 1,
      locked_until: 0,
      expires_at: nowSeconds + triesKeptSeconds,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['user_id', 'method'])
        .doUpdateSet((row) => {
          const isOver = row('mfa_tries.expires_at', '<=', nowSeconds)
          const next = row('mfa_tries.count', '+', 1)
          const at = (seconds: number) => row.cast<number>(row.val(nowSeconds + seconds), 'bigint')
          const locked = lockSeconds.reduce(
            (cases, seconds, turn) => cases.when(next, '=', (turn + 1) * triesBeforeLock).then(at(seconds)),
            row.case().when(isOver).then(at(0)),
          )
          return {
            count: row.case().when(isOver).then(row.ref('excluded.count')).else(next).end(),
            locked_until: locked
              .when(row(next, '>', lockSeconds.length * triesBeforeLock))
              .then(at(longestLock))
              .else(at(0))
              .end(),
            expires_at: row.ref('excluded.expires_at'),
          }
        })
        .where('mfa_tries.locked_until', '<=', nowSeconds),
    )
    .returning('count')
    .executeTakeFirst()
  return counted !== undefined
}

export const lockedUntil = async (reader: Reader, userId: string, method: MfaMethodType): Promise<number> =>
  (
    await verificationTables(reader)
      .selectFrom('mfa_tries')
      .select('locked_until')
      .where('user_id', '=', userId)
      .where('method', '=', method)
      .executeTakeFirst()
  )?.locked_until ?? 0

export async function resetAttempts(trx: Trx, userId: string, method: MfaMethodType): Promise<void> {
  await verificationTables(trx)
    .deleteFrom('mfa_tries')
    .where('user_id', '=', userId)
    .where('method', '=', method)
    .execute()
}
