/**
 * A changing call in steps, so that a repeated request id gets the same answer and nothing is done twice. Each step
 * but `render` may be left out.
 *
 *     before → reserve → ask → decide → perform → render
 *
 * 0. `before`, outside of any transaction and with a deadline: asks somebody whether this call may begin. Nothing is
 *    reserved until they say yes, so nobody's budget is spent by who is refused. A call that was cut off asks the same
 *    again, and reserves anew.
 * 1. `reserve`, in a transaction: counts, and says what the ask needs. It runs before each ask: also when an ask
 *    that was cut off is asked again, and then it is given what it said earlier.
 * 2. `ask`, outside of any transaction and with a deadline: talks to somebody outside.
 * 3. `decide`, in a transaction: what comes of it, with the answer. A failure that must be kept (a wrong code that
 *    was counted) is an outcome, not an exception: what throws is rolled back and may be decided anew.
 * 4. `perform`, after the commit: what can not be rolled back and may be done again. It runs for a repeated id too,
 *    until it once returned, so it makes what it needs from the outcome.
 * 5. `render` makes the answer from the outcome, each time, and throws the error where the outcome is one. It mints
 *    tokens; it changes nothing in the database.
 *
 * What `reserve` and `decide` return is JSON and holds no secret. In them only `trx` is used and nothing but SQL is
 * awaited, for they may run again. Without an ask they share one transaction.
 *
 * Here the steps have their call; how they run under a request id is in `replay/replay.ts`.
 */
import { randomUUID } from 'node:crypto'
import { type ErrorCode, LatchkeyError } from '@latchkey/protocol'
import type { ServerContext } from '../context.ts'
import type { Trx } from '../ports.ts'

export type Steps<Reserved, Answer, Outcome> = {
  before?: Before | undefined
  reserve?: ((trx: Trx, earlier: Reserved | undefined) => Promise<Reserved>) | undefined
  ask?: Ask<Reserved, Answer> | undefined
  decide?: ((trx: Trx, asked: Asked<Reserved, Answer>) => Promise<Outcome>) | undefined
  perform?: ((outcome: Outcome) => Promise<void>) | undefined
  render: (outcome: Outcome) => unknown
}

/** It may be asked again, so whoever is asked knows the same check by its id. */
export type Before = {
  deadlineMs: number
  /** Undefined where the call may begin. */
  run: (checkId: string, signal: AbortSignal) => Promise<Refusal | undefined>
}
/** The error of the call, as the row of its id stores it. */
export type Refusal = { code: ErrorCode; message: string }

/** Undefined where there is no such step. */
export type Asked<Reserved, Answer> = { reserved: Reserved; answer: Answer }

/**
 * Whatever somebody outside said is an answer, a refusal too. It throws only where nobody knows whether they heard.
 *
 * `repeatable`: asking the same a second time does no harm. An ask that may not be repeated and was cut off ends in
 * `outcome_unknown`, and is never asked again.
 */
export type Ask<Reserved, Answer> = {
  repeatable: boolean
  deadlineMs: number
  run: (reserved: Reserved, signal: AbortSignal) => Promise<Answer>
}

export const outcomeUnknown = (cause?: unknown) =>
  new LatchkeyError(
    'outcome_unknown',
    'It is not known whether this was done. Please look before you try again.',
    { cause },
  )

/** A call without a request id can not be repeated, so nothing of it is kept. */
export async function runSteps<Reserved, Answer, Outcome>(
  context: ServerContext,
  steps: Steps<Reserved, Answer, Outcome>,
): Promise<unknown> {
  const { before, ask } = steps
  if (before) return runSteps(context, behind(context, before, steps))
  const outcome = ask
    ? await askAndDecide(context, steps, ask)
    : await context.transaction((trx) => reserveAndDecide(steps, trx))
  await steps.perform?.(outcome)
  return steps.render(outcome)
}

async function askAndDecide<Reserved, Answer, Outcome>(
  context: ServerContext,
  steps: Steps<Reserved, Answer, Outcome>,
  ask: Ask<Reserved, Answer>,
): Promise<Outcome> {
  const reserved = await context.transaction((trx) => reserve(steps, trx, undefined))
  const answer = await askInTime(ask, reserved)
  return context.transaction((trx) => decide(steps, trx, { reserved, answer }))
}

export async function reserveAndDecide<Reserved, Answer, Outcome>(
  steps: Steps<Reserved, Answer, Outcome>,
  trx: Trx,
): Promise<Outcome> {
  const reserved = await reserve(steps, trx, undefined)
  return decide(steps, trx, { reserved, answer: leftOut })
}

export async function reserve<Reserved, Answer, Outcome>(
  { reserve }: Steps<Reserved, Answer, Outcome>,
  trx: Trx,
  earlier: Reserved | undefined,
): Promise<Reserved> {
  return reserve ? reserve(trx, earlier) : leftOut
}

export async function decide<Reserved, Answer, Outcome>(
  { decide }: Steps<Reserved, Answer, Outcome>,
  trx: Trx,
  asked: Asked<Reserved, Answer>,
): Promise<Outcome> {
  return decide ? decide(trx, asked) : leftOut
}

/** `asked` is undefined for a call that has no `ask` of its own: nothing of it is reserved before it is decided. */
type Checked<Reserved, Answer> =
  | { type: 'refused'; refusal: Refusal }
  | { type: 'passed'; asked: Asked<Reserved, Answer> | undefined }
type CheckedOutcome<Outcome> = { type: 'refused'; refusal: Refusal } | { type: 'passed'; outcome: Outcome }

/** The same steps with the check in their ask, in front of what they ask themselves. */
export function behind<Reserved, Answer, Outcome>(
  context: ServerContext,
  { deadlineMs, run }: Before,
  steps: Steps<Reserved, Answer, Outcome>,
): Steps<{ checkId: string }, Checked<Reserved, Answer>, CheckedOutcome<Outcome>> {
  const { ask, perform } = steps
  return {
    reserve: async (_trx, earlier) => earlier ?? { checkId: randomUUID() },
    ask: {
      repeatable: ask?.repeatable ?? true,
      deadlineMs: deadlineMs + (ask?.deadlineMs ?? 0),
      async run({ checkId }) {
        const refusal = await askInTime({ repeatable: true, deadlineMs, run }, checkId)
        if (refusal) return { type: 'refused', refusal }
        if (!ask) return { type: 'passed', asked: undefined }
        const reserved = await context.transaction((trx) => reserve(steps, trx, undefined))
        return { type: 'passed', asked: { reserved, answer: await askInTime(ask, reserved) } }
      },
    },
    async decide(trx, { answer }) {
      if (answer.type === 'refused') return answer
      const { asked } = answer
      const outcome = asked ? await decide(steps, trx, asked) : await reserveAndDecide(steps, trx)
      return { type: 'passed', outcome }
    },
    perform:
      perform &&
      (async (checked) => {
        if (checked.type === 'passed') await perform(checked.outcome)
      }),
    render(checked) {
      if (checked.type === 'passed') return steps.render(checked.outcome)
      throw new LatchkeyError(checked.refusal.code, checked.refusal.message)
    },
  }
}

/** What a step says that a handler left out: the type of it is then `undefined`, which is not seen from here. */
export const leftOut = undefined as never

/** An ask that throws was cut off, or is: nobody listens any more when the deadline is over. */
export async function askInTime<Reserved, Answer>(
  { run, repeatable, deadlineMs }: Ask<Reserved, Answer>,
  reserved: Reserved,
): Promise<Answer> {
  const deadline = new AbortController()
  const { promise: overdue, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    const late = new LatchkeyError('unavailable', 'Nobody answered in time. Please try again.')
    reject(late)
    deadline.abort(late)
  }, deadlineMs)
  try {
    return await Promise.race([run(reserved, deadline.signal), overdue])
  } catch (error) {
    throw repeatable ? error : outcomeUnknown(error)
  } finally {
    clearTimeout(timer)
  }
}
