/**
 * A contract in, a typed peer out.
 *
 * Penpal carries the bytes between two windows: it checks the source window and the exact origin, and moves to
 * a private MessagePort after its handshake. On top of it there is one method with one argument each way, in the
 * form of `envelope.ts`. What comes in is served by `receiver.ts`. What goes out:
 *
 * 1. A call has a deadline, or waits for a person; then a pulse finds out whether the other window still answers.
 * 2. A call that nobody waits for any more (its signal, its deadline) is taken back at the other side too. One that
 *    waits for a person settles with what the other side answers to that, since it may be done already.
 * 3. When the other window reloads, penpal shakes hands again by itself, but calls in flight would hang: here
 *    they are rejected with `frame_reloaded`, and later calls wait for the new handshake.
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
  /** Which side of the contract this window is. */
  side: Side
  receives: Own
  target: ChannelTarget
  handlers: Handlers<ServedBy<Own, Remote>>
  handshakeDeadlineMs?: number
  /** Runs at the first handshake and again after the other window reloaded. */
  onConnect?: () => void
  /** The other window went away for good, or never came. */
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

type Waiting = { fail: (error: LatchkeyError) => void; forPerson: boolean }

export function openChannel<Own extends ReceivedMessages, Remote extends ReceivedMessages>(
  options: ChannelOptions<Own, Remote>,
): Channel<ServedBy<Remote, Own>> {
  const { contract, side, receives } = options
  const remoteRows = contract[side === 'parent' ? 'child' : 'parent']
  const { resolveRule = getRowRule } = contract
  const handshakeDeadlineMs = options.handshakeDeadlineMs ?? channelLimits.handshakeDeadlineMs
  const waiting = new Map<string, Waiting>()
  const instance = randomId()
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
    onShaken: connected,
    onDestroyed: () => close('channel_closed', 'The other window is gone'),
  })
  const connection: Connection<{ call: (message: unknown) => unknown }> = connect({
    messenger,
    methods: methodsOf(receiver.receive),
    timeout: handshakeDeadlineMs,
    channel: `${productKey}:${contract.name}`,
  })
  connection.promise.then(
    (remote) => {
      sendToRemote = async (message) => remote.call(message)
      connected()
    },
    () => silent(),
  )

  function connected() {
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
    link.expire(handshakeDeadlineMs, silent)
  }

  function rejectAll(error: LatchkeyError) {
    for (const { fail } of [...waiting.values()]) fail(error)
  }

  const silent = () => close('frame_unresponsive', 'The other window did not answer')

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

  /** Registers a caller until it is settled, by whatever comes first. */
  function wait<T>(id: string, waitMs: number | undefined, signal: AbortSignal | undefined) {
    let settle: { resolve: (value: T) => void; reject: (error: LatchkeyError) => void }
    let isSent = false
    let cancellation: LatchkeyError | undefined
    const promise = new Promise<T>((resolve, reject) => {
      settle = { resolve, reject }
    })
    const finish = (run: () => void) => {
      waiting.delete(id)
      clearTimeout(timer)
      clearTimeout(answerTimer)
      signal?.removeEventListener('abort', onAbort)
      pulse.keep([...waiting.values()].some(({ forPerson }) => forPerson))
      run()
    }
    const fail = (error: LatchkeyError) => finish(() => settle.reject(error))
    // The other side may be gone, or done: either is as good.
    const cancel = () => void sendToRemote?.(createRequest(nextId(), cancelEvent, { id })).catch(() => {})
    const leave = (error: LatchkeyError) => {
      fail(error)
      cancel()
    }
    let answerTimer: ReturnType<typeof setTimeout> | undefined
    function onAbort() {
      const error = toLatchkeyError(signal?.reason, 'call_cancelled', 'The call was taken back')
      if (!isSent || waitMs !== undefined) return leave(error)
      // What was done already cannot be taken back: the other side says which of the two it is.
      cancellation = error
      answerTimer = setTimeout(() => fail(error), channelLimits.cancelDeadlineMs)
      cancel()
    }
    const timer =
      waitMs === undefined
        ? undefined
        : setTimeout(
            () => leave(new LatchkeyError('call_timeout', `Not answered within ${waitMs} ms`)),
            waitMs,
          )
    waiting.set(id, { fail, forPerson: waitMs === undefined || waitMs > channelLimits.callDeadlineMs })
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
      if (!waiting.has(id)) return
      pulse.keep([...waiting.values()].some(({ forPerson }) => forPerson))
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

/** Penpal resolves method paths by property access, so neither the table nor the function has a prototype. */
function methodsOf(receive: (message: unknown) => Promise<unknown>): Methods {
  const call = Object.freeze(Object.setPrototypeOf((message: unknown) => receive(message), null))
  return Object.freeze(Object.assign(Object.create(null), { call }))
}

/** `crypto.randomUUID` is missing on pages that are no secure context; a host under development may be one. */
const randomId = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(36)).join('')

/** A contract with error types of its own tells our code in the details. */
const isCancellation = ({ code, details }: LatchkeyError) =>
  code === 'call_cancelled' || Object(details).code === 'call_cancelled'

/** Finds out, while somebody waits long, whether the other window still answers. */
type Pulse = {
  /** Beats from now on, or no more. */
  keep: (wanted: boolean) => void
}

/** `beat` resolves when the other window answered; `onSilent` runs when it did not for the whole deadline. */
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
