/**
 * A changing call in steps, so that a repeated request id gets the same response and no change runs twice. Every step
 * except `render` is optional.
 *
 *     before → reserve → ask → decide → perform → render
 *
 * 0. `before`, outside of transactions and with a deadline: asks a third party whether the call may begin. Nothing is
 *    reserved before its consent, so a refused caller consumes no quota. A retry asks and reserves again.
 * 1. `reserve`, in a transaction: consumes quotas and prepares the ask. It runs before each ask. If an interrupted ask
 *    is repeated, it receives its earlier result.
 * 2. `ask`, outside of transactions and with a deadline: calls a third party.
 * 3. `decide`, in a transaction: applies the answer. A failure that must be stored (a counted wrong code) is an
 *    outcome, not an exception: an exception rolls back and may be decided again.
 * 4. `perform`, after the commit: side effects that cannot be rolled back but may be repeated. It runs for a repeated
 *    id too until it has succeeded once, so it must derive everything from the outcome.
 * 5. `render` creates the response from the outcome, on every call, or throws the error of the outcome. It issues
 *    tokens and must not change the database.
 *
 * `reserve` and `decide` return JSON without secrets. They must use only `trx` and await only SQL, because they may run
 * again. Without an ask they share one transaction.
 *
 * This file runs the steps of one call; `replay/replay.ts` runs them under a request id.
 */
import { randomUUID } from 'node:crypto'
import { type ErrorCode, LatchkeyError } from '@latchkey/protocol'
import type { ServerContext } from '../context.ts'
import type { Trx } from '../ports.ts'

export type Steps<Reserved, Answer, Outcome> = {
  before?: PreCheck | undefined
  reserve?: ((trx: Trx, earlier: Reserved | undefined) => Promise<Reserved>) | undefined
  ask?: Ask<Reserved, Answer> | undefined
  decide?: ((trx: Trx, asked: AskResult<Reserved, Answer>) => Promise<Outcome>) | undefined
  perform?: ((outcome: Outcome) => Promise<void>) | undefined
  render: (outcome: Outcome) => unknown
}

/** The check may be repeated, so it has an id that the third party can recognise. */
export type PreCheck = {
  deadlineMs: number
  /** Returns undefined if the call may begin. */
  run: (checkId: string, signal: AbortSignal) => Promise<Refusal | undefined>
}
/** The error of the call, as stored in its row. */
export type Refusal = { code: ErrorCode; message: string }

/** Fields are undefined if their step was omitted. */
export type AskResult<Reserved, Answer> = { reserved: Reserved; answer: Answer }

/**
 * A call to a third party. Every response is an answer, including a refusal. It throws only if it is unknown whether
 * the request arrived.
 *
 * `repeatable`: the request is idempotent. A non-repeatable ask that was interrupted ends in `outcome_unknown` and is
 * never repeated.
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

/** Runs a call without a request id. It cannot be repeated, so nothing is stored. */
export async function runSteps<Reserved, Answer, Outcome>(
  context: ServerContext,
  steps: Steps<Reserved, Answer, Outcome>,
): Promise<unknown> {
  const { before, ask } = steps
  if (before) return runSteps(context, withPreCheck(context, before, steps))
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
  const answer = await askWithDeadline(ask, reserved)
  return context.transaction((trx) => decide(steps, trx, { reserved, answer }))
}

export async function reserveAndDecide<Reserved, Answer, Outcome>(
  steps: Steps<Reserved, Answer, Outcome>,
  trx: Trx,
): Promise<Outcome> {
  const reserved = await reserve(steps, trx, undefined)
  return decide(steps, trx, { reserved, answer: omitted })
}

export async function reserve<Reserved, Answer, Outcome>(
  { reserve }: Steps<Reserved, Answer, Outcome>,
  trx: Trx,
  earlier: Reserved | undefined,
): Promise<Reserved> {
  return reserve ? reserve(trx, earlier) : omitted
}

export async function decide<Reserved, Answer, Outcome>(
  { decide }: Steps<Reserved, Answer, Outcome>,
  trx: Trx,
  asked: AskResult<Reserved, Answer>,
): Promise<Outcome> {
  return decide ? decide(trx, asked) : omitted
}

/** `asked` is undefined if the call has no ask of its own. Then `decide` reserves as well. */
type PreCheckAnswer<Reserved, Answer> =
  | { type: 'refused'; refusal: Refusal }
  | { type: 'passed'; asked: AskResult<Reserved, Answer> | undefined }
type PreCheckOutcome<Outcome> = { type: 'refused'; refusal: Refusal } | { type: 'passed'; outcome: Outcome }

/** Returns the same steps with the `before` check as the first part of their ask. */
export function withPreCheck<Reserved, Answer, Outcome>(
  context: ServerContext,
  { deadlineMs, run }: PreCheck,
  steps: Steps<Reserved, Answer, Outcome>,
): Steps<{ checkId: string }, PreCheckAnswer<Reserved, Answer>, PreCheckOutcome<Outcome>> {
  const { ask, perform } = steps
  return {
    reserve: async (_trx, earlier) => earlier ?? { checkId: randomUUID() },
    ask: {
      repeatable: ask?.repeatable ?? true,
      deadlineMs: deadlineMs + (ask?.deadlineMs ?? 0),
      async run({ checkId }) {
        const refusal = await askWithDeadline({ repeatable: true, deadlineMs, run }, checkId)
        if (refusal) return { type: 'refused', refusal }
        if (!ask) return { type: 'passed', asked: undefined }
        const reserved = await context.transaction((trx) => reserve(steps, trx, undefined))
        return { type: 'passed', asked: { reserved, answer: await askWithDeadline(ask, reserved) } }
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

/** The result of an omitted step. Its type parameter is `undefined`, which the compiler cannot see here. */
export const omitted = undefined as never

/** Runs the ask with a deadline. A thrown error or a timeout means that it was interrupted. */
export async function askWithDeadline<Reserved, Answer>(
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
