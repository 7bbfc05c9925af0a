/**
 * Opens a typed channel for a contract.
 *
 * Penpal transports the messages between two windows: it checks the source window and the exact origin, and switches to
 * a private MessagePort after its handshake. Both sides expose one method with one argument, in the format of
 * `envelope.ts`. `receiver.ts` serves incoming calls. For outgoing calls:
 *
 * 1. A call has a deadline or waits for the user. In the latter case, a pulse checks that the other window is alive.
 * 2. An aborted or expired call is cancelled on the other side too. A call that waits for the user settles with the
 *    other side's answer to the cancellation, because it may already be done.
 * 3. When the other window reloads, penpal repeats its handshake, but calls in flight would hang. They are rejected
 *    with `frame_reloaded`, and later calls wait for the new handshake.
 * 4. `destroy` settles everything.
 */
import { type Connection, connect, type Methods } from 'penpal'
import type { ErrorCode } from '../errors/error-codes.ts'
import { LatchkeyError, toLatchkeyError } from '../errors/errors.ts'
import { channelLimits } from '../limits/limits.ts'
import { productKey } from '../names/product.ts'
import {
  type CallInput,
  type CallOutput,
  type Calls,
  type Contract,
  getRowRule,
  type Handlers,
  type ReceivedMessages,
  type ServedBy,
  type Side,
} from './contract.ts'
import { cancelEvent, createRequest, parse, pulseEvent, readAnswer, toEvent } from './envelope.ts'
import { type ChannelTarget, createLink, createMessenger, watchHandshakes } from './link.ts'
import { assertPlainMessage } from './message-limits.ts'
import { type AnyHandlers, createReceiver } from './receiver.ts'

export type ChannelOptions<Own extends ReceivedMessages, Remote extends ReceivedMessages> = {
  contract: Contract
  /** The side of the contract that this window is. */
  side: Side
  receives: Own
  target: ChannelTarget
  handlers: Handlers<ServedBy<Own, Remote>>
  handshakeDeadlineMs?: number
  /** Runs after the first handshake and after each reload of the other window. */
  onConnect?: () => void
  /** Runs when the other window is closed or does not respond. */
  onClose?: (error: LatchkeyError) => void
}

export type CallOptions = { deadlineMs?: number; signal?: AbortSignal | undefined }

export type Channel<Remote extends Calls> = {
  ready: Promise<void>
  call<Name extends keyof Remote & string>(
    name: Name,
    data: CallInput<Remote[Name]>,
    options?: CallOptions,
  ): Promise<CallOutput<Remote[Name]>>
  destroy(): void
}

type PendingCall = { fail: (error: LatchkeyError) => void; forUser: boolean }

export function openChannel<Own extends ReceivedMessages, Remote extends ReceivedMessages>(
  options: ChannelOptions<Own, Remote>,
): Channel<ServedBy<Remote, Own>> {
  const { contract, side, receives } = options
  const remoteRows = contract[side === 'parent' ? 'child' : 'parent']
  const { resolveRule = getRowRule } = contract
  const handshakeDeadlineMs = options.handshakeDeadlineMs ?? channelLimits.handshakeDeadlineMs
  const pendingCalls = new Map<string, PendingCall>()
  const instance = createRandomId()
  let sent = 0
  let closed: LatchkeyError | undefined
  let sendToRemote: ((message: unknown) => Promise<unknown>) | undefined
  let link = createLink()

  const receiver = createReceiver(
    contract[side],
    receives.calls,
    options.handlers as AnyHandlers,
    resolveRule,
  )
  const pulse = createPulse(
    async () => sendToRemote?.(createRequest(nextId(), pulseEvent, {})),
    () => rejectAll(new LatchkeyError('frame_unresponsive', 'The other window did not answer')),
  )

  const messenger = createMessenger(options.target)
  watchHandshakes(messenger, {
    onNewDocument,
    onHandshake: onConnected,
    onDestroyed: () => close('channel_closed', 'The other window is gone'),
  })
  const connection: Connection<{ call: (message: unknown) => unknown }> = connect({
    messenger,
    methods: createMethods(receiver.receive),
    timeout: handshakeDeadlineMs,
    channel: `${productKey}:${contract.name}`,
  })
  connection.promise.then(
    (remote) => {
      sendToRemote = async (message) => remote.call(message)
      onConnected()
    },
    () => closeUnresponsive(),
  )

  function onConnected() {
    if (closed || !sendToRemote || !link.resolve()) return
    options.onConnect?.()
  }

  function onNewDocument() {
    if (!sendToRemote) return
    const error = new LatchkeyError('frame_reloaded', 'The other window was reloaded')
    receiver.abortAll(error)
    rejectAll(error)
    link.fail(error)
    link = createLink()
    link.expire(handshakeDeadlineMs, closeUnresponsive)
  }

  function rejectAll(error: LatchkeyError) {
    for (const { fail } of [...pendingCalls.values()]) fail(error)
  }

  const closeUnresponsive = () => close('frame_unresponsive', 'The other window did not answer')

  function close(code: ErrorCode, message: string) {
    if (closed) return
    closed = new LatchkeyError(code, message)
    receiver.abortAll(closed)
    rejectAll(closed)
    link.fail(closed)
    connection.destroy()
    options.onClose?.(closed)
  }

  const nextId = () => `${instance}.${++sent}`

  /** Registers a call until it settles. */
  function wait<T>(id: string, waitMs: number | undefined, signal: AbortSignal | undefined) {
    let settle: { resolve: (value: T) => void; reject: (error: LatchkeyError) => void }
    let isSent = false
    let cancellation: LatchkeyError | undefined
    const promise = new Promise<T>((resolve, reject) => {
      settle = { resolve, reject }
    })
    const finish = (run: () => void) => {
      pendingCalls.delete(id)
      clearTimeout(timer)
      clearTimeout(answerTimer)
      signal?.removeEventListener('abort', onAbort)
      pulse.keep([...pendingCalls.values()].some(({ forUser }) => forUser))
      run()
    }
    const fail = (error: LatchkeyError) => finish(() => settle.reject(error))
    // Best effort: the other side may be closed or already done.
    const cancel = () => void sendToRemote?.(createRequest(nextId(), cancelEvent, { id })).catch(() => {})
    const failAndCancel = (error: LatchkeyError) => {
      fail(error)
      cancel()
    }
    let answerTimer: ReturnType<typeof setTimeout> | undefined
    function onAbort() {
      const error = toLatchkeyError(signal?.reason, 'call_cancelled', 'The call was cancelled')
      if (!isSent || waitMs !== undefined) return failAndCancel(error)
      // A finished call cannot be cancelled: the other side answers with its result or the cancellation.
      cancellation = error
      answerTimer = setTimeout(() => fail(error), channelLimits.cancelDeadlineMs)
      cancel()
    }
    const timer =
      waitMs === undefined
        ? undefined
        : setTimeout(
            () => failAndCancel(new LatchkeyError('call_timeout', `Not answered within ${waitMs} ms`)),
            waitMs,
          )
    pendingCalls.set(id, { fail, forUser: waitMs === undefined || waitMs > channelLimits.callDeadlineMs })
    signal?.addEventListener('abort', onAbort)
    return {
      promise,
      markSent() {
        isSent = true
      },
      fail: (error: LatchkeyError) => fail((isCancellation(error) && cancellation) || error),
      resolve: (value: T) => finish(() => settle.resolve(value)),
    }
  }

  async function send(name: string, data: unknown, { deadlineMs, signal }: CallOptions): Promise<unknown> {
    const row = Object.hasOwn(remoteRows, name) ? remoteRows[name] : undefined
    const rule = row && resolveRule(row, data)
    const schema = receives.answers[name]
    if (!rule || !schema) throw new LatchkeyError('method_not_found', `${contract.name} has no call ${name}`)
    assertPlainMessage(data, rule.maxBytes)
    if (closed) throw closed
    signal?.throwIfAborted()
    const event = toEvent(name)
    const id = nextId()
    const call = wait<unknown>(id, deadlineMs ?? rule.deadlineMs, signal)
    const exchange = async () => {
      await link.promise
      if (!pendingCalls.has(id)) return
      pulse.keep([...pendingCalls.values()].some(({ forUser }) => forUser))
      call.markSent()
      const answer = await sendToRemote?.(createRequest(id, event, data))
      assertPlainMessage(
        answer,
        rule.maxAnswerBytes ?? Math.max(rule.maxBytes ?? 0, channelLimits.maxMessageBytes),
      )
      call.resolve(parse(schema, readAnswer(answer, { id, event }), 'invalid_answer'))
    }
    exchange().catch((error: unknown) =>
      call.fail(toLatchkeyError(error, 'call_not_sent', 'The call could not be sent')),
    )
    return call.promise
  }

  return {
    get ready() {
      return link.promise
    },
    call: (name, data, callOptions = {}) => send(name, data, callOptions) as Promise<never>,
    destroy: () => close('channel_closed', 'The channel was closed'),
  }
}

/** Penpal resolves method paths by property access, so neither the table nor the function may have a prototype. */
function createMethods(receive: (message: unknown) => Promise<unknown>): Methods {
  const call = Object.freeze(Object.setPrototypeOf((message: unknown) => receive(message), null))
  return Object.freeze(Object.assign(Object.create(null), { call }))
}

/** `crypto.randomUUID` is missing in insecure contexts, such as hosts under development. */
const createRandomId = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(36)).join('')

/** The wallet contract maps error types and keeps our code in the details. */
const isCancellation = ({ code, details }: LatchkeyError) =>
  code === 'call_cancelled' || Object(details).code === 'call_cancelled'

/** Checks that the other window is alive while a call waits for the user. */
type Pulse = {
  /** Starts or stops the pulse. */
  keep: (wanted: boolean) => void
}

/**
 * Creates a pulse. `beat` resolves when the other window answers; `onSilent` runs if it does not within the deadline.
 */
export function createPulse(beat: () => Promise<unknown>, onSilent: () => void): Pulse {
  let timer: ReturnType<typeof setInterval> | undefined
  let unanswered = 0

  function next() {
    if (unanswered * channelLimits.pulseIntervalMs >= channelLimits.pulseDeadlineMs) {
      onSilent()
      return
    }
    unanswered += 1
    beat().then(
      () => {
        unanswered = 0
      },
      () => {},
    )
  }

  return {
    keep(wanted) {
      if (wanted === (timer !== undefined)) return
      clearInterval(timer)
      unanswered = 0
      timer = wanted ? setInterval(next, channelLimits.pulseIntervalMs) : undefined
    },
  }
}
