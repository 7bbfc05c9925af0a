/**
 * The row of a request id: the state of its call, and then the outcome.
 *
 * The process that works on a call holds the lease. Every update is conditional on that lease, so only one process
 * continues, and a process that lost its lease changes nothing.
 */
import { serverLimits } from '@latchkey/protocol'
import { compileQuery, type Placeholder } from '../../db/compile-query.ts'
import type { Row } from '../../db/schema.ts'
import { randomId } from '../../ids.ts'
import { type Clock, nowSeconds, type Reader, type Trx } from '../../ports.ts'
import type { RequestKey } from './request-id.ts'

/** The state and the outcome of a request id. */
type RequestReplayTable = {
  app_id: string
  request_id: string
  /** Hash of method, path, body and caller. Another request with the same id is rejected. */
  request_hash: string
  state: 'asking' | 'performing' | 'done' | 'unknown'
  /** JSON of the reservation, then of the outcome. Contains no secrets, only data needed to continue and respond. */
  kept: string | null
  /** The lease of the process that works on the call, or empty. */
  lease_id: string
  lease_until_ms: number
  expires_at: number
}

declare module '../../db/schema.ts' {
  interface Database {
    request_replays: RequestReplayTable
  }
}

export type RequestRow = Pick<
  Row<'request_replays'>,
  'request_hash' | 'state' | 'kept' | 'lease_id' | 'lease_until_ms'
>

export type Lease = { id: string; untilMs: number }

export const newLease = (clock: Clock, forMs: number): Lease => ({
  id: randomId(),
  untilMs: clock.nowMs() + forMs,
})

export const leaseColumns = ({ id, untilMs }: Lease) => ({ lease_id: id, lease_until_ms: untilMs })
/** The call is finished, or another process may take it over. */
export const noLease = { lease_id: '', lease_until_ms: 0 } as const

const computeExpiry = (clock: Clock) => nowSeconds(clock) + serverLimits.requestReplaySeconds

export type RequestState = Omit<RequestRow, 'request_hash'>
type NewRow = Row<'request_replays'> & { now: number }

const claim = compileQuery((db, value: Placeholder<NewRow>) => {
  const fresh = {
    request_hash: value('request_hash'),
    state: value('state'),
    kept: value('kept'),
    lease_id: value('lease_id'),
    lease_until_ms: value('lease_until_ms'),
    expires_at: value('expires_at'),
  }
  return db
    .insertInto('request_replays')
    .values({ app_id: value('app_id'), request_id: value('request_id'), ...fresh })
    .onConflict((conflict) =>
      conflict
        .columns(['app_id', 'request_id'])
        .doUpdateSet(fresh)
        .where('request_replays.expires_at', '<=', value('now')),
    )
    .returning('request_id')
})

/** Returns true for the first caller, and again after the row has expired. */
export async function claimRequest(
  trx: Trx,
  clock: Clock,
  key: RequestKey,
  state: RequestState,
): Promise<boolean> {
  const [claimed] = await claim(trx, {
    app_id: key.appId,
    request_id: key.requestId,
    request_hash: key.requestHash,
    ...state,
    expires_at: computeExpiry(clock),
    now: nowSeconds(clock),
  })
  return claimed !== undefined
}

/** Returns undefined after the row has expired, too. */
export const findRequest = (reader: Reader, clock: Clock, key: RequestKey): Promise<RequestRow | undefined> =>
  reader
    .selectFrom('request_replays')
    .select(['request_hash', 'state', 'kept', 'lease_id', 'lease_until_ms'])
    .where('app_id', '=', key.appId)
    .where('request_id', '=', key.requestId)
    .where('expires_at', '>', nowSeconds(clock))
    .executeTakeFirst()

type Settled = RequestState & {
  app_id: string
  request_id: string
  under_lease: string
}
const settle = compileQuery((db, value: Placeholder<Settled>) =>
  db
    .updateTable('request_replays')
    .set({
      state: value('state'),
      kept: value('kept'),
      lease_id: value('lease_id'),
      lease_until_ms: value('lease_until_ms'),
    })
    .where('app_id', '=', value('app_id'))
    .where('request_id', '=', value('request_id'))
    .where('lease_id', '=', value('under_lease'))
    .returning('request_id'),
)

/** Returns false without a change if another process holds the lease. */
export async function settleRequest(
  reader: Reader,
  { appId, requestId }: RequestKey,
  leaseId: string,
  state: RequestState,
): Promise<boolean> {
  const settled = { app_id: appId, request_id: requestId, under_lease: leaseId, ...state }
  const [updated] = await settle(reader, settled)
  return updated !== undefined
}

export type RequestChange = Partial<RequestState>

/** Like `settleRequest`, for some fields only. */
export const changeRequest = (
  reader: Reader,
  key: RequestKey,
  leaseId: string,
  change: RequestChange,
): Promise<boolean> => updateRequest(reader, key, leaseId, change)

/** Takes over an expired lease and extends the row. Returns true for one of several callers. */
export const takeLease = (
  trx: Trx,
  clock: Clock,
  key: RequestKey,
  from: RequestRow,
  lease: Lease,
): Promise<boolean> =>
  updateRequest(trx, key, from.lease_id, {
    ...leaseColumns(lease),
    expires_at: computeExpiry(clock),
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
