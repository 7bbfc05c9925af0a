/** Idempotency keys of changing calls. The answer is stored in the transaction of the change. */
import { adminLimits } from '@latchkey/protocol/admin'
import * as v from 'valibot'
import { AdminError } from '../../kernel/http/admin-endpoint.ts'
import { isRequestId } from '../../kernel/http/replay/request-id.ts'
import { type Clock, nowSeconds, type Trx } from '../../kernel/ports.ts'
import { withAdminTables } from './tables.ts'

/** The stored part of an answer. Answers of changes contain ids and counts, no addresses. */
const storedAnswer = v.object({ body: v.unknown(), digest: v.nullable(v.string()) })
export type StoredAnswer = v.InferOutput<typeof storedAnswer>

export type IdempotentRequest = { keyId: string; idempotencyKey: string; requestHash: string }

export function parseIdempotencyKey(header: string | undefined): string | undefined {
  if (header === undefined || isRequestId(header)) return header
  throw new AdminError('invalid_data', 'The key needs 8 to 64 letters, digits, - or _', {
    path: 'idempotency-key',
  })
}

/** Claims the idempotency key. Returns the stored answer if an earlier call had the same key. */
export async function claimAnswer(
  trx: Trx,
  clock: Clock,
  { keyId, idempotencyKey, requestHash }: IdempotentRequest,
): Promise<StoredAnswer | undefined> {
  const now = nowSeconds(clock)
  const fresh = { request_hash: requestHash, answer: null, expires_at: now + adminLimits.idempotencySeconds }
  const db = withAdminTables(trx)
  const claimed = await db
    .insertInto('admin_answers')
    .values({ key_id: keyId, idempotency_key: idempotencyKey, ...fresh })
    .onConflict((conflict) =>
      conflict
        .columns(['key_id', 'idempotency_key'])
        .doUpdateSet(fresh)
        .where('admin_answers.expires_at', '<=', now),
    )
    .returning('key_id')
    .executeTakeFirst()
  if (claimed !== undefined) return undefined
  const row = await db
    .selectFrom('admin_answers')
    .select(['request_hash', 'answer'])
    .where('key_id', '=', keyId)
    .where('idempotency_key', '=', idempotencyKey)
    .executeTakeFirstOrThrow()
  if (row.request_hash !== requestHash) {
    throw new AdminError('idempotency_key_reused', 'Send another key with another request', {
      path: 'idempotency-key',
    })
  }
  return v.parse(storedAnswer, JSON.parse(row.answer ?? 'null'))
}

export async function storeAnswer(
  trx: Trx,
  { keyId, idempotencyKey }: IdempotentRequest,
  answer: StoredAnswer,
): Promise<void> {
  await withAdminTables(trx)
    .updateTable('admin_answers')
    .set({ answer: JSON.stringify(answer) })
    .where('key_id', '=', keyId)
    .where('idempotency_key', '=', idempotencyKey)
    .execute()
}
