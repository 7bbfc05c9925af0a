/**
 * A changing call that timed out is sent again with the same `latchkey-request-id`, and must not change things
 * twice. What is under way, and what it led to, stands in the row of the id, for the next try may reach another
 * process:
 *
 *     asking ──▶ performing ──▶ done
 *        └─────▶ unknown          an ask that may not be repeated was cut off
 *
 * Whoever asks or performs holds a lease. Without an ask there is one transaction, which keeps the outcome with
 * what it decided, so there is never one without the other. A second try finds the outcome; or it waits for it, with
 * short reads and without holding a connection; or it takes over a lease that is over.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { LatchkeyError } from '@latchkey/protocol'
import type { ServerContext } from '../context.ts'
import { leaseLimits, waitLimits } from '../limits.ts'
import type { Reader, Trx } from '../ports.ts'
import {
  changeRequest,
  claimRequest,
  findRequest,
  type Lease,
  leased,
  newLease,
  noLease,
  type RequestChange,
  type RequestRow,
  takeLease,
} from './replay-store.ts'
import { idOfAnotherRequest, type RequestKey } from './request-id.ts'
import {
  askInTime,
  decide,
  leftOut,
  outcomeUnknown,
  reserve,
  reserveAndDecide,
  runSteps,
  type Steps,
} from './steps.ts'

export type WaitLimits = {
  readonly waitMs: number
  readonly pollFirstMs: number
  readonly pollLongestMs: number
}

/** What a try finds to do next. */
type Turn<Reserved, Outcome> =
  | { readonly type: 'ask'; readonly lease: Lease; readonly reserved: Reserved }
  | { readonly type: 'perform'; readonly lease: Lease; readonly outcome: Outcome }
  | { readonly type: 'done'; readonly outcome: Outcome }
  | { readonly type: 'unknown' }
  | { readonly type: 'wait' }

export async function answerOnce<Reserved, Answer, Outcome>(
  context: ServerContext,
  key: RequestKey | undefined,
  steps: Steps<Reserved, Answer, Outcome>,
  limits: WaitLimits = waitLimits,
): Promise<unknown> {
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
        turn = await performed(call, turn)
        break
      case 'done':
        return steps.render(turn.outcome)
      case 'unknown':
        throw outcomeUnknown()
      case 'wait':
        await wait.untilOver()
        turn = await nextTurn(call)
        break
      default:
        return turn satisfies never
    }
  }
}

type KeptCall<Reserved, Answer, Outcome> = {
  readonly context: ServerContext
  readonly key: RequestKey
  readonly steps: Steps<Reserved, Answer, Outcome>
}
type TurnOf<Reserved, Outcome, Type> = Extract<Turn<Reserved, Outcome>, { readonly type: Type }>

function nextTurn<Reserved, Answer, Outcome>(
  call: KeptCall<Reserved, Answer, Outcome>,
): Promise<Turn<Reserved, Outcome>> {
  const { context, key, steps } = call
  const { clock } = context
  return context.transaction(async (trx) => {
    const first = askingLease(context, steps)
    if (await claimRequest(trx, clock, key, first)) return begin(trx, call, first, undefined)
    const row = await findRequest(trx, key)
    if (row === undefined) return { type: 'wait' }
    if (row.request_hash !== key.requestHash) throw idOfAnotherRequest()
    if (row.state === 'done') return { type: 'done', outcome: outcomeIn<Outcome>(row) }
    if (row.state === 'unknown') return { type: 'unknown' }
    if (row.lease_until_ms > clock.nowMs()) return { type: 'wait' }
    return takeOver(trx, call, row)
  })
}

/** Nobody works on it any more. Of several who find that, one goes on. */
async function takeOver<Reserved, Answer, Outcome>(
  trx: Trx,
  call: KeptCall<Reserved, Answer, Outcome>,
  row: RequestRow,
): Promise<Turn<Reserved, Outcome>> {
  const { context, key, steps } = call
  if (row.state === 'performing') {
    const lease = performingLease(context)
    if (!(await takeLease(trx, context.clock, key, row, lease))) return { type: 'wait' }
    return { type: 'perform', lease, outcome: outcomeIn<Outcome>(row) }
  }
  if (steps.ask?.repeatable === false) {
    const unknown: RequestChange = { state: 'unknown', ...noLease }
    if (!(await changeRequest(trx, key, row.lease_id, unknown))) return { type: 'wait' }
    return { type: 'unknown' }
  }
  const lease = askingLease(context, steps)
  if (!(await takeLease(trx, context.clock, key, row, lease))) return { type: 'wait' }
  return begin(trx, call, lease, reservedIn<Reserved>(row))
}

/** With an ask, up to it; without one, all that is decided. `before` is what an ask that was cut off had reserved. */
async function begin<Reserved, Answer, Outcome>(
  trx: Trx,
  { context, key, steps }: KeptCall<Reserved, Answer, Outcome>,
  lease: Lease,
  before: Reserved | undefined,
): Promise<Turn<Reserved, Outcome>> {
  if (!steps.ask) return keep(trx, { context, key, steps }, lease, await reserveAndDecide(steps, trx))
  const kept = JSON.stringify({ reserved: await reserve(steps, trx, before) })
  if (steps.reserve) await changeRequest(trx, key, lease.id, { kept })
  return { type: 'ask', lease, reserved: reservedIn<Reserved>({ kept }) }
}

async function askAndDecide<Reserved, Answer, Outcome>(
  call: KeptCall<Reserved, Answer, Outcome>,
  { lease, reserved }: TurnOf<Reserved, Outcome, 'ask'>,
): Promise<Turn<Reserved, Outcome>> {
  const { context, key, steps } = call
  const { ask } = steps
  if (!ask) throw new Error('Nothing is asked in this call')
  try {
    const answer = await askInTime(ask, reserved)
    if (!steps.decide) return await keep(context.db, call, lease, leftOut)
    return await context.transaction(async (trx) =>
      keep(trx, call, lease, await decide(steps, trx, { reserved, answer })),
    )
  } catch (error) {
    if (error instanceof LeaseLost) return { type: 'wait' }
    // Whoever comes next takes over: it asks again, or finds that nobody knows.
    await changeRequest(context.db, key, lease.id, noLease)
    throw error
  }
}

async function performed<Reserved, Answer, Outcome>(
  { context, key, steps }: KeptCall<Reserved, Answer, Outcome>,
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
 * What was decided stands in the row from here on. Throws where somebody else took the call over meanwhile. Performing
 * has a lease of its own: whoever fails without knowing that this was committed no longer holds the one before.
 */
async function keep<Reserved, Answer, Outcome>(
  reader: Reader,
  { context, key, steps }: KeptCall<Reserved, Answer, Outcome>,
  { id }: Lease,
  decided: Outcome,
): Promise<Turn<Reserved, Outcome>> {
  const kept = JSON.stringify({ outcome: decided })
  const outcome = outcomeIn<Outcome>({ kept })
  const lease = performingLease(context)
  const change: RequestChange = steps.perform
    ? { state: 'performing', kept, ...leased(lease) }
    : { state: 'done', kept, ...noLease }
  if (!(await changeRequest(reader, key, id, change))) throw new LeaseLost()
  return steps.perform ? { type: 'perform', lease, outcome } : { type: 'done', outcome }
}

/** Rolls back what was decided too late. */
class LeaseLost extends Error {
  override readonly name = 'LeaseLost'
}

/** An ask is still under its lease when what comes of it is decided. */
function askingLease<Reserved, Answer, Outcome>(
  { clock }: ServerContext,
  { ask, decide }: Steps<Reserved, Answer, Outcome>,
): Lease {
  const { decideMs, keepMs } = leaseLimits
  return newLease(clock, (ask?.deadlineMs ?? 0) + (decide ? decideMs : keepMs))
}

const performingLease = ({ clock }: ServerContext) => newLease(clock, leaseLimits.performMs)

/** What is fresh takes this way too, so that the first try goes on with what later ones go on with. */
type KeptJson = Pick<RequestRow, 'kept'>
const reservedIn = <Reserved>({ kept }: KeptJson): Reserved => JSON.parse(kept ?? '{}').reserved
const outcomeIn = <Outcome>({ kept }: KeptJson): Outcome => JSON.parse(kept ?? '{}').outcome

/** Waits in all for `waitMs`, however often the call changes hands meanwhile. */
function createWait({ db, clock }: ServerContext, key: RequestKey, limits: WaitLimits) {
  const giveUpAt = performance.now() + limits.waitMs
  let pauseMs = limits.pollFirstMs
  return {
    async untilOver(): Promise<void> {
      for (;;) {
        await sleep(Math.min(pauseMs, giveUpAt - performance.now()))
        pauseMs = Math.min(pauseMs * 2, limits.pollLongestMs)
        const row = await findRequest(db, key)
        const leftMs = row ? row.lease_until_ms - clock.nowMs() : 0
        if (leftMs <= 0) return
        if (performance.now() >= giveUpAt) throw requestInProgress(leftMs)
      }
    },
  }
}

const requestInProgress = (leftMs: number) =>
  new LatchkeyError('request_in_progress', 'This is still being done. Please wait a moment.', {
    retryAfterSeconds: Math.ceil(leftMs / 1_000),
  })
