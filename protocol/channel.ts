/**
 * A contract in, a typed peer out.
 *
 * Penpal carries the bytes between two windows: it checks the source window and the exact origin, and moves to
 * a private MessagePort after its handshake. On top of it, one method with one argument each way, the envelope
 *
 *     request  { v: 1, id, event, data }
 *     answer   { id, event, data }  or  { id, event, error: { type, message, details? } }
 *
 * 1. What arrives is measured (plain data, size, depth), then its envelope is read, then the event is looked up
 *    in the contract's own table, then the data is parsed by that row's schema. Whatever fails is answered with
 *    a code and changes nothing.
 * 2. An id is used once. Calls are paced.
 * 3. Every call of ours has a deadline. While a long one waits for a person, a pulse finds out whether the
 *    other window is still there.
 * 4. When the other window reloads, penpal shakes hands again by itself, but calls in flight would hang: here
 *    they are rejected with `frame_reloaded`, and later calls wait for the new handshake.
 * 5. `destroy` settles everything.
 */
import { type Connection, connect, type Messenger, type Methods, WindowMessenger } from 'penpal'
import * as v from 'valibot'
import type { CallInput, CallOutput, CallRow, CallRows, Contract, Handlers, Other, Side } from './contract.ts'
import { type ErrorCode, isErrorCode, LatchkeyError, toLatchkeyError } from './errors.ts'
import { channelLimits } from './limits.ts'
import { assertPlainMessage } from './message-limits.ts'
import { createPacer } from './pace.ts'
import { product } from './product.ts'

const requestSchema = v.strictObject({
  v: v.number(),
  id: v.pipe(v.string(), v.minLength(1), v.maxLength(channelLimits.maxIdLength)),
  event: v.pipe(v.string(), v.startsWith(product.eventPrefix)),
  data: v.unknown(),
})
const answerSchema = v.object({
  id: v.string(),
  event: v.string(),
  data: v.exactOptional(v.unknown()),
  error: v.exactOptional(
    v.object({ type: v.string(), message: v.string(), details: v.exactOptional(v.unknown()) }),
  ),
})
type Answer = v.InferOutput<typeof answerSchema>

/** Answered by every channel for itself; not in any contract. */
const PULSE = `${product.eventPrefix}pulse`

export type ChannelTarget =
  | { readonly window: Window; readonly origin: string }
  /** For tests, and for boundaries that are no windows. */
  | { readonly messenger: Messenger }

export type ChannelOptions<C extends Contract, S extends Side> = {
  readonly contract: C
  /** Which side of the contract this window is. */
  readonly side: S
  readonly target: ChannelTarget
  readonly handlers: Handlers<C[S]>
  readonly handshakeDeadlineMs?: number
  /** Runs at the first handshake and again after the other window reloaded. */
  readonly onConnect?: () => void
  /** The other window went away for good, or never came. */
  readonly onClose?: (error: LatchkeyError) => void
}

export type Channel<Remote extends CallRows> = {
  readonly ready: Promise<void>
  call<Name extends keyof Remote & string>(
    name: Name,
    data: CallInput<Remote[Name]>,
    options?: { readonly deadlineMs?: number },
  ): Promise<CallOutput<Remote[Name]>>
  destroy(): void
}

type Pending = { readonly reject: (error: LatchkeyError) => void; readonly needsPulse: boolean }

export function openChannel<C extends Contract, S extends Side>(
  options: ChannelOptions<C, S>,
): Channel<C[Other<S>]> {
  const { contract, side, handlers } = options
  const ownRows: CallRows = contract[side]
  const remoteRows: CallRows = contract[side === 'parent' ? 'child' : 'parent']
  const handshakeDeadlineMs = options.handshakeDeadlineMs ?? channelLimits.handshakeDeadlineMs
  const pending = new Map<string, Pending>()
  const instance = randomId()
  let sent = 0
  let closed: LatchkeyError | undefined
  let sendToRemote: ((message: unknown) => Promise<unknown>) | undefined
  let link = createLink()
  let pulseTimer: ReturnType<typeof setInterval> | undefined
  let unansweredPulses = 0

  const receive = createReceiver(ownRows, handlers)
  // Penpal resolves method paths by property access, so neither the table nor the function has a prototype.
  const call = Object.freeze(Object.setPrototypeOf((message: unknown) => receive(message), null))
  const methods: Methods = Object.freeze(Object.assign(Object.create(null), { call }))

  const messenger = createMessenger(options.target)
  watchHandshakes(messenger, { onReload, onReconnect: connected, onDestroy: () => close('channel_closed') })
  const connection: Connection<{ call: (message: unknown) => unknown }> = connect({
    messenger,
    methods,
    timeout: handshakeDeadlineMs,
    channel: `${product.key}:${contract.name}`,
  })
  connection.promise.then(
    (remote) => {
      sendToRemote = async (message) => remote.call(message)
      connected()
    },
    () => close('frame_unresponsive'),
  )

  function connected() {
    if (closed || !sendToRemote || !link.resolve()) return
    options.onConnect?.()
  }

  function onReload() {
    if (closed || !sendToRemote) return
    rejectAll(new LatchkeyError('frame_reloaded', 'The other window was reloaded before it answered'))
    link.fail(new LatchkeyError('frame_reloaded', 'The other window was reloaded'))
    link = createLink()
    link.expire(handshakeDeadlineMs, () => close('frame_unresponsive'))
  }

  function rejectAll(error: LatchkeyError) {
    for (const waiting of [...pending.values()]) waiting.reject(error)
  }

  function close(code: ErrorCode) {
    if (closed) return
    closed = new LatchkeyError(code, closeMessages[code] ?? 'The other window is gone')
    clearInterval(pulseTimer)
    rejectAll(closed)
    link.fail(closed)
    connection.destroy()
    options.onClose?.(closed)
  }

  function keepPulse() {
    const wanted = [...pending.values()].some((waiting) => waiting.needsPulse)
    if (wanted === (pulseTimer !== undefined)) return
    if (!wanted) {
      clearInterval(pulseTimer)
      pulseTimer = undefined
      return
    }
    unansweredPulses = 0
    pulseTimer = setInterval(() => {
      if (unansweredPulses * channelLimits.pulseIntervalMs >= channelLimits.pulseDeadlineMs) {
        rejectAll(new LatchkeyError('frame_unresponsive', 'The other window stopped answering'))
        return
      }
      unansweredPulses += 1
      sendToRemote?.({ v: channelLimits.protocolVersion, id: nextId(), event: PULSE, data: {} }).then(
        () => {
          unansweredPulses = 0
        },
        () => {},
      )
    }, channelLimits.pulseIntervalMs)
  }

  const nextId = () => `${instance}.${++sent}`

  async function send(name: string, data: unknown, deadlineMs?: number): Promise<unknown> {
    const row = Object.hasOwn(remoteRows, name) ? remoteRows[name] : undefined
    if (!row) throw new LatchkeyError('method_not_found', `${contract.name} has no call ${name}`)
    const input = v.safeParse(row.input, data)
    if (!input.success) throw invalid('invalid_data', input.issues)
    assertPlainMessage(input.output, row.maxBytes)
    if (closed) throw closed
    const event = product.eventPrefix + name
    const id = nextId()
    const waitMs = deadlineMs ?? row.deadlineMs
    return new Promise<unknown>((resolve, reject) => {
      const settle = (finish: () => void) => {
        if (!pending.delete(id)) return
        clearTimeout(timer)
        keepPulse()
        finish()
      }
      const fail = (error: LatchkeyError) => settle(() => reject(error))
      const timer = setTimeout(
        () => fail(new LatchkeyError('call_timeout', `${event} was not answered within ${waitMs} ms`)),
        waitMs,
      )
      pending.set(id, { reject: fail, needsPulse: waitMs > channelLimits.callDeadlineMs })
      link.promise
        .then(() => {
          if (!pending.has(id) || !sendToRemote) return undefined
          keepPulse()
          return sendToRemote({ v: channelLimits.protocolVersion, id, event, data: input.output })
        })
        .then((answer) => {
          if (!pending.has(id)) return
          try {
            const value = readAnswer(answer, { id, event, row })
            settle(() => resolve(value))
          } catch (error) {
            fail(toLatchkeyError(error, 'invalid_answer', 'The answer could not be read'))
          }
        })
        .catch((error) =>
          fail(toLatchkeyError(error, closed?.code ?? 'frame_reloaded', 'The call could not be sent')),
        )
    })
  }

  return {
    get ready() {
      return link.promise
    },
    call: (name, data, callOptions) => send(name, data, callOptions?.deadlineMs) as Promise<never>,
    destroy: () => close('channel_closed'),
  }
}

const closeMessages: { readonly [code in ErrorCode]?: string } = {
  channel_closed: 'The channel was closed',
  frame_unresponsive: 'The other window did not answer the handshake',
}

/** Serves the rows of one side. Never throws: whatever goes wrong is an answer. */
export function createReceiver<Rows extends CallRows>(rows: Rows, handlers: Handlers<Rows>) {
  const seen = new Set<string>()
  const turn = createPacer(() => performance.now())
  const largest = Math.max(
    channelLimits.maxMessageBytes,
    ...Object.values(rows).map((row) => row.maxBytes ?? 0),
  )

  return async function receive(message: unknown): Promise<Answer> {
    let id = ''
    let event = ''
    try {
      assertPlainMessage(message, largest)
      const envelope = v.safeParse(requestSchema, message)
      if (!envelope.success) throw invalid('invalid_message_envelope', envelope.issues)
      ;({ id, event } = envelope.output)
      const { v: version, data } = envelope.output
      if (version < channelLimits.oldestProtocolVersion || version > channelLimits.protocolVersion) {
        throw new LatchkeyError('unsupported_protocol', `Protocol version ${version} is not supported`, {
          details: { supported: [channelLimits.oldestProtocolVersion, channelLimits.protocolVersion] },
        })
      }
      rememberOnce(seen, id)
      if (event === PULSE) return { id, event, data: {} }
      const name = event.slice(product.eventPrefix.length)
      const row = Object.hasOwn(rows, name) ? rows[name] : undefined
      const handler = Object.hasOwn(handlers, name) ? handlers[name] : undefined
      if (!row || !handler) throw new LatchkeyError('method_not_found', `There is no call ${event}`)
      if (row.maxBytes === undefined) assertPlainMessage(data)
      const wait = turn()
      if (wait) await wait
      const input = v.safeParse(row.input, data)
      if (!input.success) throw invalid('invalid_data', input.issues)
      const output = v.safeParse(row.output, await handler(input.output))
      if (!output.success) throw invalid('invalid_answer', output.issues)
      return { id, event, data: output.output }
    } catch (error) {
      const {
        code,
        message: text,
        details,
      } = toLatchkeyError(error, 'internal_error', 'Something went wrong')
      return { id, event, error: { type: code, message: text, ...(details !== undefined && { details }) } }
    }
  }
}

function rememberOnce(seen: Set<string>, id: string) {
  if (seen.has(id)) throw new LatchkeyError('message_replayed', 'This message id was used before')
  seen.add(id)
  if (seen.size > channelLimits.rememberedIds) {
    const [oldest] = seen
    if (oldest !== undefined) seen.delete(oldest)
  }
}

function readAnswer(answer: unknown, asked: { id: string; event: string; row: CallRow }): unknown {
  assertPlainMessage(answer, Math.max(asked.row.maxBytes ?? 0, channelLimits.maxMessageBytes))
  const parsed = v.safeParse(answerSchema, answer)
  if (!parsed.success) throw invalid('invalid_answer', parsed.issues)
  const { error, id, event, data } = parsed.output
  if (error) {
    const { type, message, details } = error
    if (isErrorCode(type)) throw new LatchkeyError(type, message, { details })
    throw new LatchkeyError('error', message, { details: { type, details } })
  }
  if (id !== asked.id || event !== asked.event) {
    throw new LatchkeyError('invalid_answer', 'The answer belongs to another call')
  }
  const output = v.safeParse(asked.row.output, data)
  if (!output.success) throw invalid('invalid_answer', output.issues)
  return output.output
}

function invalid(code: ErrorCode, issues: readonly v.BaseIssue<unknown>[]) {
  const [issue] = issues
  const path = (issue && v.getDotPath(issue)) ?? ''
  return new LatchkeyError(code, issue?.message ?? 'Invalid data', { details: { path } })
}

function createMessenger(target: ChannelTarget): Messenger {
  if ('messenger' in target) return target.messenger
  const { window: remoteWindow, origin } = target
  if (!URL.canParse(origin) || new URL(origin).origin !== origin) {
    throw new LatchkeyError('invalid_origin', `Not an exact origin: ${origin}`)
  }
  return new WindowMessenger({ remoteWindow, allowedOrigins: [origin] })
}

type HandshakeWatch = { onReload: () => void; onReconnect: () => void; onDestroy: () => void }

/** Penpal repeats its handshake silently; its messages tell when. A new participant id is a new document. */
function watchHandshakes(messenger: Messenger, { onReload, onReconnect, onDestroy }: HandshakeWatch) {
  let participant: string | undefined
  messenger.addMessageHandler((message) => {
    switch (message.type) {
      case 'SYN':
        if (participant !== undefined && participant !== message.participantId) onReload()
        participant = message.participantId
        return
      case 'ACK1':
      case 'ACK2':
        // Penpal's own handler, which makes the port usable, runs after this one.
        queueMicrotask(onReconnect)
        return
      case 'DESTROY':
        queueMicrotask(onDestroy)
        return
      default:
        return
    }
  })
}

/** A promise for the present handshake. Rejections that nobody waits for are no news. */
function createLink() {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  promise.catch(() => {})
  let resolved = false
  let timer: ReturnType<typeof setTimeout> | undefined
  return {
    promise,
    expire(afterMs: number, then: () => void) {
      timer = setTimeout(then, afterMs)
    },
    /** Tells whether this was the first time. */
    resolve() {
      clearTimeout(timer)
      const first = !resolved
      resolved = true
      resolve()
      return first
    },
    fail(error: LatchkeyError) {
      clearTimeout(timer)
      reject(error)
    },
  }
}

/** `crypto.randomUUID` is missing on pages that are no secure context; a host under development may be one. */
const randomId = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(36)).join('')
