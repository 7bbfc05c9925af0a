/**
 * The row of a request id: what is under way, and what it led to.
 *
 * Whoever works on the call holds the lease. Every change of the row names the lease that it was made under, so
 * that of two processes one goes on, and one that was taken for dead changes nothing when it comes back.
 */
import { apiLimits } from '@latchkey/protocol'
import type { Row } from '../db/schema.ts'
import { randomId } from '../ids.ts'
import { type Clock, nowSeconds, type Reader, type Trx } from '../ports.ts'
import type { RequestKey } from './request-id.ts'

export type RequestRow = Pick<
  Row<'request_replays'>,
  'request_hash' | 'state' | 'kept' | 'lease_id' | 'lease_until_ms'
>

export type Lease = { readonly id: string; readonly untilMs: number }

export const newLease = (clock: Clock, forMs: number): Lease => ({
  id: randomId(),
  untilMs: clock.nowMs() + forMs,
})

const endOfReplay = (clock: Clock) => nowSeconds(clock) + apiLimits.requestReplaySeconds

/** True for whoever comes first, and again when the two minutes are over. */
export async function claimRequest(trx: Trx, clock: Clock, key: RequestKey, lease: Lease): Promise<boolean> {
  const fresh = {
    request_hash: key.requestHash,
    state: 'asking',
    kept: null,
    ...leased(lease),
    expires_at: endOfReplay(clock),
  } as const
  const claimed = await trx
    .insertInto('request_replays')
    .values({ app_id: key.appId, request_id: key.requestId, ...fresh })
    .onConflict((conflict) =>
      conflict
        .columns(['app_id', 'request_id'])
        .doUpdateSet(fresh)
        .where('request_replays.expires_at', '<=', nowSeconds(clock)),
    )
    .returning('request_id')
    .executeTakeFirst()
  return claimed !== undefined
}

export const findRequest = (reader: Reader, key: RequestKey): Promise<RequestRow | undefined> =>
  reader
    .selectFrom('request_replays')
    .select(['request_hash', 'state', 'kept', 'lease_id', 'lease_until_ms'])
    .where('app_id', '=', key.appId)
    .where('request_id', '=', key.requestId)
    .executeTakeFirst()

export const leased = ({ id, untilMs }: Lease) => ({ lease_id: id, lease_until_ms: untilMs })
/** Nobody works on the call: it is over, or whoever comes next may go on. */
export const noLease = { lease_id: '', lease_until_ms: 0 } as const

export type RequestChange = Partial<Omit<RequestRow, 'request_hash'>>

/** False where the lease is somebody else's by now: nothing was changed. */
export const changeRequest = (
  reader: Reader,
  key: RequestKey,
  leaseId: string,
  change: RequestChange,
): Promise<boolean> => updateRequest(reader, key, leaseId, change)

/** Of several who find a lease that is over, one takes it, and the row stays for two more minutes. */
export const takeLease = (
  trx: Trx,
  clock: Clock,
  key: RequestKey,
  from: RequestRow,
  lease: Lease,
): Promise<boolean> =>
  updateRequest(trx, key, from.lease_id, {
    ...leased(lease),
    expires_at: endOfReplay(clock),
  })

async function updateRequest(
  reader: Reader,
  key: RequestKey,
  leaseId: string,
  change: Partial<Row<'request_replays'>>,
): Promise<boolean> {
  const updated = await reader
    .updateTable('request_replays')
    .set(change)
    .where('app_id', '=', key.appId)
    .where('request_id', '=', key.requestId)
    .where('lease_id', '=', leaseId)
    .returning('request_id')
    .executeTakeFirst()
  return updated !== undefined
}
