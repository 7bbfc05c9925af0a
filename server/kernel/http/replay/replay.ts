/**
 * Idempotency keys. A client sends a timed-out call again with the same `latchkey-request-id`, and the change must not
 * run twice. The retry may reach another process, so the state and the outcome are stored in the row of the id:
 *
 *     asking ──▶ performing ──▶ done
 *        └─────▶ unknown          a non-repeatable ask was interrupted
 *
 * The process that asks or performs holds a lease. A call without an ask is one transaction, which stores the outcome
 * together with its changes.
 *
 * The first transaction writes the row at its end. A retry runs that transaction too, fails because the id is taken (or
 * because of the first call's changes), and rolls back. Then it returns the stored outcome, polls for it without
 * holding a connection, or takes over an expired lease.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { LatchkeyError } from '@latchkey/protocol'
import type { ServerContext } from '../../context.ts'
import { randomId } from '../../ids.ts'
import { leaseLimits, waitLimits } from '../../limits.ts'
import type { Reader, Trx } from '../../ports.ts'
import {
  askWithDeadline,
  decide,
  omitted,
  outcomeUnknown,
  reserve,
  reserveAndDecide,
  runSteps,
  type Steps,
  withPreCheck,
} from '../steps.ts'
import type { Wait } from '../waits.ts'
import {
  changeRequest,
  claimRequest,
  findRequest,
  type Lease,
  leaseColumns,
  newLease,
  noLease,
  type RequestChange,
  type RequestRow,
  type RequestState,
  settleRequest,
  takeLease,
} from './replay-store.ts'
import { type RequestKey, requestIdConflict } from './request-id.ts'

export type WaitLimits = {
  waitMs: number
  pollFirstMs: number
  pollLongestMs: number
}

/** The next action of a call. */
type Turn<Reserved, Outcome> =
  | { type: 'ask'; lease: Lease; reserved: Reserved }
  | { type: 'perform'; lease: Lease; outcome: Outcome }
  | { type: 'done'; outcome: Outcome }
  | { type: 'unknown' }
  | { type: 'wait' }

export async function answerOnce<Reserved, Answer, Outcome>(
  context: ServerContext,
  key: RequestKey | undefined,
  steps: Steps<Reserved, Answer, Outcome>,
  limits: WaitLimits = waitLimits,
  hold: Wait['hold'] = (_key, run) => run(new AbortController().signal),
): Promise<unknown> {
  const { before } = steps
  if (before) return answerOnce(context, key, withPreCheck(context, before, steps), limits, hold)
  if (!key) return runSteps(context, steps)
  const call = { context, key, steps }
  const wait = createWait(context, key, limits)
  let turn = await nextTurn(call)
  for (;;) {
    switch (turn.type) {
      case 'ask':
        turn = await askAndDecide(call, turn)
        break
      case 'perform':
        turn = await performAndFinish(call, turn)
        break
      case 'done':
        return steps.render(turn.outcome)
      case 'unknown':
        throw outcomeUnknown()
      case 'wait':
        // A random key, so that parallel retries do not end each other: the client may be listening to any of them.
        if (!(await hold(`replay|${randomId()}`, wait.untilOver))) throw requestInProgress(0)
        turn = await nextTurn(call)
        break
      default:
        return turn satisfies never
    }
  }
}

type RepeatableCall<Reserved, Answer, Outcome> = {
  context: ServerContext
  key: RequestKey
  steps: Steps<Reserved, Answer, Outcome>
}
type TurnOf<Reserved, Outcome, Type> = Extract<Turn<Reserved, Outcome>, { type: Type }>

async function nextTurn<Reserved, Answer, Outcome>(
  call: RepeatableCall<Reserved, Answer, Outcome>,
): Promise<Turn<Reserved, Outcome>> {
  const { context, key, steps } = call
  const { clock } = context
  try {
    return await context.transaction((trx) =>
      begin(trx, call, createAskLease(context, steps), undefined, async (state) => {
        if (!(await claimRequest(trx, clock, key, state))) throw new IdTaken()
      }),
    )
  } catch (error) {
    const row = await findRequest(context.db, clock, key)
    if (row) return turnForRow(call, row)
    if (error instanceof IdTaken) return { type: 'wait' }
    throw error
  }
}

async function turnForRow<Reserved, Answer, Outcome>(
  call: RepeatableCall<Reserved, Answer, Outcome>,
  row: RequestRow,
): Promise<Turn<Reserved, Outcome>> {
  if (row.request_hash !== call.key.requestHash) throw requestIdConflict()
  if (row.state === 'done') return { type: 'done', outcome: parseOutcome<Outcome>(row) }
  if (row.state === 'unknown') return { type: 'unknown' }
  if (row.lease_until_ms > call.context.clock.nowMs()) return { type: 'wait' }
  return call.context.transaction((trx) => takeOver(trx, call, row))
}

/** Takes over an expired lease. Only one of several callers succeeds. */
async function takeOver<Reserved, Answer, Outcome>(
  trx: Trx,
  call: RepeatableCall<Reserved, Answer, Outcome>,
  row: RequestRow,
): Promise<Turn<Reserved, Outcome>> {
  const { context, key, steps } = call
  if (row.state === 'performing') {
    const lease = createPerformLease(context)
    if (!(await takeLease(trx, context.clock, key, row, lease))) return { type: 'wait' }
    return { type: 'perform', lease, outcome: parseOutcome<Outcome>(row) }
  }
  if (steps.ask?.repeatable === false) {
    const unknown: RequestChange = { state: 'unknown', ...noLease }
    if (!(await changeRequest(trx, key, row.lease_id, unknown))) return { type: 'wait' }
    return { type: 'unknown' }
  }
  const lease = createAskLease(context, steps)
  if (!(await takeLease(trx, context.clock, key, row, lease))) return { type: 'wait' }
  return begin(trx, call, lease, parseReserved<Reserved>(row), storeUnderLease(trx, key, lease))
}

/** Writes the row. Throws if another process owns the call. */
type StoreState = (state: RequestState) => Promise<void>

const storeUnderLease =
  (reader: Reader, key: RequestKey, { id }: Lease): StoreState =>
  async (state) => {
    if (!(await settleRequest(reader, key, id, state))) throw new LeaseLost()
  }

/** Runs a call up to its ask, or completely if it has none. `earlier` is the reservation of an interrupted ask. */
async function begin<Reserved, Answer, Outcome>(
  trx: Trx,
  call: RepeatableCall<Reserved, Answer, Outcome>,
  lease: Lease,
  earlier: Reserved | undefined,
  storeState: StoreState,
): Promise<Turn<Reserved, Outcome>> {
  const { steps } = call
  if (!steps.ask) return storeOutcome(call, await reserveAndDecide(steps, trx), storeState)
  const storedJson = JSON.stringify({ reserved: await reserve(steps, trx, earlier) })
  await storeState({ state: 'asking', kept: storedJson, ...leaseColumns(lease) })
  return { type: 'ask', lease, reserved: parseReserved<Reserved>({ kept: storedJson }) }
}

async function askAndDecide<Reserved, Answer, Outcome>(
  call: RepeatableCall<Reserved, Answer, Outcome>,
  { lease, reserved }: TurnOf<Reserved, Outcome, 'ask'>,
): Promise<Turn<Reserved, Outcome>> {
  const { context, key, steps } = call
  const { ask } = steps
  if (!ask) throw new Error('This call has no ask step')
  try {
    const answer = await askWithDeadline(ask, reserved)
    if (!steps.decide) return await storeOutcome(call, omitted, storeUnderLease(context.db, key, lease))
    return await context.transaction(async (trx) =>
      storeOutcome(call, await decide(steps, trx, { reserved, answer }), storeUnderLease(trx, key, lease)),
    )
  } catch (error) {
    if (error instanceof LeaseLost) return { type: 'wait' }
    // Releases the lease, so that the next retry asks again or reports `outcome_unknown`.
    await changeRequest(context.db, key, lease.id, noLease)
    throw error
  }
}

async function performAndFinish<Reserved, Answer, Outcome>(
  { context, key, steps }: RepeatableCall<Reserved, Answer, Outcome>,
  { lease, outcome }: TurnOf<Reserved, Outcome, 'perform'>,
): Promise<Turn<Reserved, Outcome>> {
  try {
    await steps.perform?.(outcome)
  } catch (error) {
    await changeRequest(context.db, key, lease.id, noLease)
    throw error
  }
  await changeRequest(context.db, key, lease.id, { state: 'done', ...noLease })
  return { type: 'done', outcome }
}

/**
 * Stores the outcome. `perform` gets a new lease: a failure that hides a successful commit then cannot release it.
 */
async function storeOutcome<Reserved, Answer, Outcome>(
  { context, steps }: RepeatableCall<Reserved, Answer, Outcome>,
  fresh: Outcome,
  storeState: StoreState,
): Promise<Turn<Reserved, Outcome>> {
  const storedJson = JSON.stringify({ outcome: fresh })
  const outcome = parseOutcome<Outcome>({ kept: storedJson })
  if (!steps.perform) {
    await storeState({ state: 'done', kept: storedJson, ...noLease })
    return { type: 'done', outcome }
  }
  const lease = createPerformLease(context)
  await storeState({ state: 'performing', kept: storedJson, ...leaseColumns(lease) })
  return { type: 'perform', lease, outcome }
}

/** Rolls back the changes, because another call with the same id came first. */
class IdTaken extends Error {
  override readonly name = 'IdTaken'
}

/** Rolls back a decision that was made after the lease had expired. */
class LeaseLost extends Error {
  override readonly name = 'LeaseLost'
}

/** Returns a lease that covers the ask and the following decision. */
function createAskLease<Reserved, Answer, Outcome>(
  { clock }: ServerContext,
  { ask, decide }: Steps<Reserved, Answer, Outcome>,
): Lease {
  const { decideMs, keepMs } = leaseLimits
  return newLease(clock, (ask?.deadlineMs ?? 0) + (decide ? decideMs : keepMs))
}

const createPerformLease = ({ clock }: ServerContext) => newLease(clock, leaseLimits.performMs)

/** Fresh values are serialised too, so that the first call and its retries continue with identical data. */
type StoredJson = Pick<RequestRow, 'kept'>
const parseReserved = <Reserved>({ kept }: StoredJson): Reserved => JSON.parse(kept ?? '{}').reserved
const parseOutcome = <Outcome>({ kept }: StoredJson): Outcome => JSON.parse(kept ?? '{}').outcome

/** Waits for `waitMs` in total, even if the call changes owners meanwhile. */
function createWait({ db, clock }: ServerContext, key: RequestKey, limits: WaitLimits) {
  const deadlineAt = performance.now() + limits.waitMs
  let pauseMs = limits.pollFirstMs
  return {
    async untilOver(signal: AbortSignal): Promise<true> {
      for (;;) {
        await sleep(Math.max(0, Math.min(pauseMs, deadlineAt - performance.now())))
        pauseMs = Math.min(pauseMs * 2, limits.pollLongestMs)
        const row = await findRequest(db, clock, key)
        const leftMs = row ? row.lease_until_ms - clock.nowMs() : 0
        if (leftMs <= 0 || signal.aborted) return true
        if (performance.now() >= deadlineAt) throw requestInProgress(leftMs)
      }
    },
  }
}

const requestInProgress = (leftMs: number) =>
  new LatchkeyError('request_in_progress', 'This is still being done. Please wait a moment.', {
    retryAfterSeconds: Math.ceil(leftMs / 1_000),
  })
