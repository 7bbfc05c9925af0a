/**
 * Serves the calls of one side. It never throws: every failure is an answer with a code.
 *
 * It parses the envelope, looks the name up in the contract, checks the data against the row's limits (plain data,
 * size, depth) and parses it with the received schema. Ids are used once, and calls are rate limited. Handlers get a
 * signal that aborts when their caller is gone. Calls that wait for the user end here, since their caller sets no
 * deadline.
 */
import { LatchkeyError } from '../errors/errors.ts'
import { channelLimits } from '../limits/limits.ts'
import type {
  CallContext,
  CallQueue,
  CallRows,
  CallRule,
  ReceivedMessages,
  RuleResolver,
} from './contract.ts'
import {
  type Answer,
  cancelEvent,
  cancelSchema,
  createErrorAnswer,
  parse,
  parseRequest,
  pulseEvent,
  toCallName,
} from './envelope.ts'
import { assertPlainMessage } from './message-limits.ts'

type AnyHandler = (data: never, context: CallContext) => unknown
export type AnyHandlers = Readonly<Record<string, AnyHandler>>

export type Receiver = {
  receive: (message: unknown) => Promise<Answer>
  /** Aborts all running calls, because the caller is gone. */
  abortAll: (error: LatchkeyError) => void
}

export function createReceiver(
  rows: CallRows,
  receives: ReceivedMessages['calls'],
  handlers: AnyHandlers,
  resolveRule: RuleResolver,
): Receiver {
  // A map has no inherited names such as `constructor`.
  const rowsByName = new Map(Object.entries(rows))
  const schemasByName = new Map(Object.entries(receives))
  const handlersByName = new Map(Object.entries(handlers))
  const running = new Map<string, AbortController>()
  const rejectReplay = createReplayGuard()
  const now = () => performance.now()
  const limiters = { calls: createRateLimiter(now), reads: createRateLimiter(now, 'reads') }

  /** The current document of the other side. Answers to a previous document are dropped. */
  let caller = {}

  async function receive(message: unknown): Promise<Answer> {
    const callerAtStart = caller
    const dispatch = await handleMessage(message)
    // The port to a closed document is closed, and a message to it would raise an error in the page.
    return callerAtStart === caller ? dispatch : new Promise(() => {})
  }

  async function handleMessage(message: unknown): Promise<Answer> {
    let id = ''
    let event = ''
    try {
      const request = parseRequest(message)
      ;({ id, event } = request)
      rejectReplay(id)
      return { id, event, data: await answer(id, event, request.data) }
    } catch (error) {
      return createErrorAnswer(id, event, error)
    }
  }

  async function answer(id: string, event: string, data: unknown): Promise<unknown> {
    if (event === pulseEvent) return {}
    if (event === cancelEvent) {
      running.get(parse(cancelSchema, data, 'invalid_data').id)?.abort(createCancelledError())
      return {}
    }
    const name = toCallName(event)
    const row = rowsByName.get(name)
    const schema = schemasByName.get(name)
    const handler = handlersByName.get(name)
    if (!row || !schema || !handler) throw new LatchkeyError('method_not_found', `Unknown call ${event}`)
    const rule = resolveRule(row, data)
    if (!rule) throw new LatchkeyError('not_supported', `Unsupported method of ${event}`)
    assertPlainMessage(data, rule.maxBytes)
    return run(id, rule, async (context) => {
      await limiters[rule.queue ?? 'calls']()
      // Skips a call that was aborted while it waited for its turn.
      context.signal.throwIfAborted()
      return handler(parse(schema, data, 'invalid_data') as never, context)
    })
  }

  async function run(id: string, { policy }: CallRule, handle: (context: CallContext) => unknown) {
    const controller = new AbortController()
    const { signal } = controller
    running.set(id, controller)
    const timer =
      policy === 'needs-user'
        ? setTimeout(() => controller.abort(createUserTimeoutError()), channelLimits.userCallDeadlineMs)
        : undefined
    try {
      return await Promise.race([rejectOnAbort(signal), handle({ signal })])
    } finally {
      clearTimeout(timer)
      running.delete(id)
    }
  }

  return {
    receive,
    abortAll(error) {
      caller = {}
      for (const controller of running.values()) controller.abort(error)
    },
  }
}

/** Rejects one task after the abort, so that a handler's own outcome wins: its work may already be done. */
const rejectOnAbort = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => setTimeout(() => reject(signal.reason)))
  })

/** Throws for an id that was used before. Forgets the oldest ids above the limit. */
function createReplayGuard() {
  const seen = new Set<string>()
  return (id: string) => {
    if (seen.has(id)) throw new LatchkeyError('message_replayed', 'This message id was used before')
    seen.add(id)
    if (seen.size <= channelLimits.rememberedIds) return
    const [oldest] = seen
    if (oldest !== undefined) seen.delete(oldest)
  }
}

const createCancelledError = () => new LatchkeyError('call_cancelled', 'The call was cancelled')
const createUserTimeoutError = () => new LatchkeyError('call_timeout', 'The user did not answer in time')

const queueLimits: { [pace in CallQueue]: { perSecond: number; maxQueued: number } } = {
  calls: { perSecond: channelLimits.callsPerSecond, maxQueued: channelLimits.maxQueuedCalls },
  reads: { perSecond: channelLimits.readsPerSecond, maxQueued: channelLimits.maxQueuedReads },
}

/**
 * Rate limits a queue (generic cell rate algorithm, one number of state). A burst of one second's calls passes
 * immediately. Further calls wait, and calls above the maximum queue length are rejected.
 */
export function createRateLimiter(now: () => number, pace: CallQueue = 'calls') {
  const { perSecond, maxQueued } = queueLimits[pace]
  const intervalMs = 1_000 / perSecond
  const burstMs = intervalMs * (perSecond - 1)
  let nextTurn = 0
  return function turn(): Promise<void> | undefined {
    const time = now()
    const mine = Math.max(nextTurn, time)
    const waitMs = mine - time - burstMs
    if (waitMs > maxQueued * intervalMs) {
      throw new LatchkeyError('too_many_requests', 'Too many calls at once', {
        retryAfterSeconds: Math.ceil(waitMs / 1_000),
      })
    }
    nextTurn = mine + intervalMs
    return waitMs <= 0 ? undefined : new Promise((resolve) => setTimeout(resolve, waitMs))
  }
}
