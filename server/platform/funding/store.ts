import { onRampTransaction } from '@latchkey/protocol/api'
import * as v from 'valibot'
import { type Clock, nowSeconds, type Reader, type Trx } from '../../kernel/ports.ts'
import type { ProviderNotice } from './provider.ts'
import { type FundingRow, fundingTables } from './tables.ts'

type Owner = { appId: string; userId: string }

export async function addSession(
  trx: Trx,
  session: Pick<FundingRow, 'id' | 'app_id' | 'user_id' | 'provider' | 'address' | 'is_test' | 'created_at'>,
): Promise<void> {
  const nothingSaid = { transaction_said: null, said_at_ms: null, is_over: 0, heard_at: null }
  await fundingTables(trx)
    .insertInto('funding_sessions')
    .values({ ...session, ...nothingSaid })
    .execute()
}

export const findSession = (
  reader: Reader,
  { appId, userId }: Owner,
  id: string,
): Promise<FundingRow | undefined> =>
  fundingTables(reader)
    .selectFrom('funding_sessions')
    .selectAll()
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where('app_id', '=', appId)
    .executeTakeFirst()

const saidSchema = v.pipe(v.string(), v.parseJson(), onRampTransaction)
export const parseNotice = ({ transaction_said: said }: FundingRow) =>
  said === null ? undefined : v.parse(saidSchema, said)

/**
 * Stores a webhook notice. Notices may arrive twice or out of order. One statement accepts only a newer notice, and
 * none after the payment is final.
 */
export async function storeNotice(
  reader: Reader,
  clock: Clock,
  provider: string,
  { reference, isTest, transaction, atMs }: ProviderNotice,
): Promise<boolean> {
  const { status } = transaction
  const changed = await fundingTables(reader)
    .updateTable('funding_sessions')
    .set({
      transaction_said: JSON.stringify(transaction),
      said_at_ms: atMs,
      is_over: status === 'completed' || status === 'failed' ? 1 : 0,
      heard_at: nowSeconds(clock),
    })
    .where('id', '=', reference)
    .where('provider', '=', provider)
    .where('is_test', '=', isTest ? 1 : 0)
    .where('is_over', '=', 0)
    .where(({ eb, or }) => or([eb('said_at_ms', 'is', null), eb('said_at_ms', '<', atMs)]))
    .returning('id')
    .executeTakeFirst()
  return changed !== undefined
}
