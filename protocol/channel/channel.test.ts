import * as fc from 'fast-check'
import * as v from 'valibot'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { LatchkeyError } from '../errors/errors.ts'
import { makeWindowPair, runInWindow } from '../testing/windows.ts'
import {
  type CallContext,
  type Contract,
  getMethodRule,
  type ReceivedMessages,
  type ServedBy,
} from './contract.ts'
import { type Channel, openChannel } from './open.ts'
import { createReceiver } from './receiver.ts'

const parentOrigin = 'https://app.example'
const childOrigin = 'https://dialog.example'

const row = { policy: 'headless', deadlineMs: 5_000 } as const
const contract = {
  name: 'test',
  resolveRule: getMethodRule,
  parent: { notice: row },
  child: {
    echo: row,
    refuse: row,
    lie: row,
    never: row,
    forAPerson: { policy: 'needs-user' },
    large: { ...row, maxBytes: 256 * 1024 },
    rpc: { ...row, methods: { ping: { deadlineMs: 40 }, note: { maxBytes: 128 * 1024 } } },
  },
} as const satisfies Contract

const empty = v.object({})
const text = v.object({ text: v.string() })
const parentMessages = {
  calls: { notice: empty },
  answers: { echo: text, refuse: text, lie: text, never: text, forAPerson: text, large: text, rpc: text },
} as const satisfies ReceivedMessages
const childMessages = {
  calls: {
    echo: text,
    refuse: empty,
    lie: empty,
    never: empty,
    forAPerson: empty,
    large: text,
    rpc: v.object({
      request: v.variant('method', [
        v.object({ method: v.literal('ping'), params: v.tuple([v.number()]) }),
        v.object({ method: v.literal('note'), params: v.tuple([v.string()]) }),
      ]),
    }),
  },
  answers: { notice: empty },
} as const satisfies ReceivedMessages

const handlers = {
  echo: ({ text }: { text: string }) => ({ text }),
  refuse: () => {
    throw new LatchkeyError('too_many_requests', 'Not so fast', {
      retryAfterSeconds: 5,
      details: { left: 0 },
    })
  },
  lie: () => ({ text: 7 }) as never,
  never: (_data: unknown, _context: CallContext): Promise<never> => new Promise(() => {}),
  forAPerson: (_data: unknown, _context: CallContext): Promise<never> => new Promise(() => {}),
  large: ({ text }: { text: string }) => ({ text: String(text.length) }),
  rpc: ({ request }: { request: { method: string } }): Promise<{ text: string }> | { text: string } => ({
    text: request.method,
  }),
}

type Open = Channel<ServedBy<typeof childMessages, typeof parentMessages>>
const opened: { destroy(): void }[] = []
afterEach(() => {
  vi.useRealTimers()
  for (const channel of opened.splice(0)) channel.destroy()
})

function openPair(childHandlers: Partial<typeof handlers> = {}) {
  const { parent, child } = makeWindowPair(parentOrigin, childOrigin)
  const onConnect = vi.fn()
  const onClose = vi.fn()
  const host: Open = runInWindow(parent, () =>
    openChannel({
      contract,
      side: 'parent',
      receives: parentMessages,
      target: { window: child.asWindow, origin: childOrigin },
      handlers: { notice: () => ({}) },
      handshakeDeadlineMs: 300,
      onConnect,
      onClose,
    }),
  )
  const openChild = () =>
    runInWindow(child, () =>
      openChannel({
        contract,
        side: 'child',
        receives: childMessages,
        target: { window: parent.asWindow, origin: parentOrigin },
        handlers: { ...handlers, ...childHandlers },
        handshakeDeadlineMs: 300,
      }),
    )
  opened.push(host)
  return {
    parent,
    child,
    host,
    onConnect,
    onClose,
    openChild: () => {
      const channel = openChild()
      opened.push(channel)
      return channel
    },
  }
}

const code = (promise: Promise<unknown>) =>
  promise.then(
    () => 'resolved',
    (error: unknown) => (error instanceof LatchkeyError ? error.code : String(error)),
  )

describe('a call between two windows', () => {
  it('is parsed and answered', async () => {
    const { host, openChild } = openPair()
    openChild()
    await expect(host.call('echo', { text: 'hello' })).resolves.toEqual({ text: 'hello' })
  })

  it('works in both directions', async () => {
    const { openChild } = openPair()
    const child = openChild()
    await expect(child.call('notice', {})).resolves.toEqual({})
  })

  it('keeps the code, message, retry time and details of an error', async () => {
    const { host, openChild } = openPair()
    openChild()
    const error = await host.call('refuse', {}).catch((reason: unknown) => reason)
    expect(error).toMatchObject({
      code: 'too_many_requests',
      message: 'Not so fast',
      retryAfterSeconds: 5,
      details: { left: 0 },
    })
  })

  it('is rejected by its receiver with the path of invalid data', async () => {
    const { host, openChild } = openPair()
    openChild()
    const error = await host.call('echo', { text: 5 as never }).catch((reason: unknown) => reason)
    expect(error).toMatchObject({ code: 'invalid_data', details: { path: 'text' } })
  })

  it('gets invalid_answer if the other side violates the contract', async () => {
    const { host, openChild } = openPair()
    openChild()
    expect(await code(host.call('lie', {}))).toBe('invalid_answer')
  })

  it('is rejected at its deadline without an answer', async () => {
    const { host, openChild } = openPair()
    openChild()
    expect(await code(host.call('never', {}, { deadlineMs: 30 }))).toBe('call_timeout')
  })

  it('is rejected and stopped on the other side when cancelled', async () => {
    const stopped = Promise.withResolvers<unknown>()
    const { host, openChild } = openPair({
      never: (_data, { signal }) => {
        signal.addEventListener('abort', () => stopped.resolve(signal.reason))
        return new Promise<never>(() => {})
      },
    })
    openChild()
    const cancel = new AbortController()
    const waiting = code(host.call('never', {}, { signal: cancel.signal }))
    await host.call('echo', { text: 'connected' })
    cancel.abort()
    expect(await waiting).toBe('call_cancelled')
    expect(await stopped.promise).toMatchObject({ code: 'call_cancelled' })
    expect(await code(host.call('echo', { text: 'x' }, { signal: cancel.signal }))).not.toBe('resolved')
  })

  it('is stopped on the other side at its deadline', async () => {
    const stopped = Promise.withResolvers<unknown>()
    const { host, openChild } = openPair({
      never: (_data, { signal }) => {
        signal.addEventListener('abort', () => stopped.resolve(signal.reason))
        return new Promise<never>(() => {})
      },
    })
    openChild()
    expect(await code(host.call('never', {}, { deadlineMs: 30 }))).toBe('call_timeout')
    expect(await stopped.promise).toMatchObject({ code: 'call_cancelled' })
  })

  it('is stopped when its caller closes or reloads', async () => {
    const reasons: string[] = []
    const { host, parent, child, openChild } = openPair({
      forAPerson: (_data, { signal }) => {
        signal.addEventListener('abort', () => reasons.push(signal.reason.code))
        return new Promise<never>(() => {})
      },
    })
    openChild()
    host.call('forAPerson', {}).catch(() => {})
    await host.call('echo', { text: 'connected' })
    child.receive(syn(), { source: parent.asWindow, origin: parentOrigin })
    expect(reasons).toEqual(['frame_reloaded'])
  })

  it('that waits for the user is ended by the serving side after 30 minutes', async () => {
    const { host, openChild } = openPair()
    openChild()
    await host.call('echo', { text: 'connected' })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const receiver = createReceiver(contract.child, childMessages.calls, handlers, getMethodRule)
    const answer = receiver.receive({ v: 1, id: 'long', event: 'latchkey:forAPerson', data: {} })
    await vi.advanceTimersByTimeAsync(30 * 60_000 - 1)
    const early = await Promise.race([answer, Promise.resolve('waiting')])
    expect(early).toBe('waiting')
    await vi.advanceTimersByTimeAsync(1)
    await vi.advanceTimersByTimeAsync(1)
    expect((await answer).error?.type).toBe('call_timeout')
  })

  it('uses the deadline and size limit of its method', async () => {
    const { host, openChild } = openPair({ rpc: () => new Promise<never>(() => {}) })
    openChild()
    await host.call('echo', { text: 'connected' })
    expect(await code(host.call('rpc', { request: { method: 'ping', params: [1] } }))).toBe('call_timeout')
    const large = { request: { method: 'ping' as const, params: ['x'.repeat(100_000)] as never } }
    expect(await code(host.call('rpc', large))).toBe('message_too_large')
  })

  it('that exceeds the limits is rejected before it is sent', async () => {
    const { host } = openPair()
    const large = host.call('echo', { text: 'x'.repeat(70_000) })
    expect(await code(large)).toBe('message_too_large')
    expect(await code(host.call('echo', { text: (() => 'x') as never }))).toBe('invalid_message_envelope')
    for (const name of ['nothing', 'constructor'])
      expect(await code(host.call(name as never, {} as never))).toBe('method_not_found')
  })

  it('of a previous document is not served after a reload', async () => {
    const { child, openChild } = openPair()
    await expect(openChild().call('notice', {})).resolves.toEqual({})
    child.clear()
    await expect(openChild().call('notice', {})).resolves.toEqual({})
  })

  it('made before the handshake waits for it', async () => {
    const { host, openChild } = openPair()
    const answer = host.call('echo', { text: 'early' })
    openChild()
    await expect(answer).resolves.toEqual({ text: 'early' })
  })
})

describe('a peer with valid messages', () => {
  it('is ignored with the wrong origin, as parent or child', async () => {
    for (const evil of [
      'https://dialog.example.evil.test',
      'http://dialog.example',
      'https://dialog.example:8443',
    ]) {
      const { parent, child } = makeWindowPair(parentOrigin, evil)
      const host: Open = runInWindow(parent, () =>
        openChannel({
          contract,
          side: 'parent',
          receives: parentMessages,
          target: { window: child.asWindow, origin: childOrigin },
          handlers: { notice: () => ({}) },
          handshakeDeadlineMs: 100,
        }),
      )
      const ran = vi.fn(() => ({ text: 'ran' }))
      const other = runInWindow(child, () =>
        openChannel({
          contract,
          side: 'child',
          receives: childMessages,
          target: { window: parent.asWindow, origin: parentOrigin },
          handlers: { ...handlers, echo: ran },
          handshakeDeadlineMs: 100,
        }),
      )
      opened.push(host, other)
      expect(await code(host.call('echo', { text: 'x' }))).toBe('frame_unresponsive')
      expect(await code(other.call('notice', {}))).toBe('frame_unresponsive')
      expect(ran).not.toHaveBeenCalled()
    }
  })

  it('is ignored and receives nothing with the wrong origin, as the embedding window', async () => {
    const { parent, child } = makeWindowPair('https://app.example.evil.test', childOrigin)
    const ran = vi.fn(() => ({ text: 'ran' }))
    const frame = runInWindow(child, () =>
      openChannel({
        contract,
        side: 'child',
        receives: childMessages,
        target: { window: parent.asWindow, origin: parentOrigin },
        handlers: { ...handlers, echo: ran },
        handshakeDeadlineMs: 100,
      }),
    )
    const stranger: Open = runInWindow(parent, () =>
      openChannel({
        contract,
        side: 'parent',
        receives: parentMessages,
        target: { window: child.asWindow, origin: childOrigin },
        handlers: { notice: () => ({}) },
        handshakeDeadlineMs: 100,
      }),
    )
    opened.push(frame, stranger)
    expect(await code(stranger.call('echo', { text: 'x' }))).toBe('frame_unresponsive')
    expect(await code(frame.call('notice', {}))).toBe('frame_unresponsive')
    expect(ran).not.toHaveBeenCalled()
  })

  it('is accepted with the right origin', async () => {
    const { host, openChild } = openPair()
    const child = openChild()
    await expect(host.call('echo', { text: 'x' })).resolves.toEqual({ text: 'x' })
    await expect(child.call('notice', {})).resolves.toEqual({})
  })
})

describe('a foreign window', () => {
  it('is ignored if it has the right origin but is another window', async () => {
    const { parent, host } = openPair()
    parent.receive(syn(), { source: {}, origin: childOrigin })
    expect(await code(host.call('echo', { text: 'x' }))).toBe('frame_unresponsive')
  })

  it('is ignored if it is the right window at another origin', async () => {
    const { parent, child, host } = openPair()
    parent.receive(syn(), { source: child.asWindow, origin: 'https://dialog.example.evil.test' })
    expect(await code(host.call('echo', { text: 'x' }))).toBe('frame_unresponsive')
  })

  it('cannot stop a handshake with null or rubbish', async () => {
    const { parent, child, host, openChild } = openPair()
    for (const data of [
      null,
      undefined,
      0,
      '',
      [],
      {},
      { namespace: 'penpal' },
      { namespace: 'penpal', type: 'SYN' },
    ]) {
      parent.receive(data, { source: child.asWindow, origin: childOrigin })
      parent.receive(data, { source: null, origin: childOrigin })
    }
    openChild()
    await expect(host.call('echo', { text: 'still here' })).resolves.toEqual({ text: 'still here' })
  })

  it.each(['*', 'https://dialog.example/path', 'https://dialog.example/', 'null', ''])(
    'is no target as %j',
    (origin) => {
      const { parent, child } = makeWindowPair(parentOrigin, childOrigin)
      expect(() =>
        runInWindow(parent, () =>
          openChannel({
            contract,
            side: 'parent',
            receives: parentMessages,
            target: { window: child.asWindow, origin },
            handlers: { notice: () => ({}) },
          }),
        ),
      ).toThrow(expect.objectContaining({ code: 'invalid_origin' }))
    },
  )
})

describe('a window that closes or reloads', () => {
  it('rejects calls in flight when it reloads, and serves the next ones after it is back', async () => {
    const { child, host, openChild, onConnect } = openPair()
    openChild()
    const inFlight = code(host.call('forAPerson', {}))
    await host.call('echo', { text: 'connected' })
    child.clear()
    openChild()
    expect(await inFlight).toBe('frame_reloaded')
    await expect(host.call('echo', { text: 'again' })).resolves.toEqual({ text: 'again' })
    expect(onConnect).toHaveBeenCalledTimes(2)
  })

  it('closes the channel at the handshake deadline if it does not return after a reload', async () => {
    const { parent, child, host, openChild, onClose } = openPair()
    openChild()
    await host.call('echo', { text: 'connected' })
    child.clear()
    parent.receive(syn(), { source: child.asWindow, origin: childOrigin })
    expect(await code(host.call('echo', { text: 'x' }))).toBe('frame_unresponsive')
    expect(onClose).toHaveBeenCalledOnce()
  })

  it('that never answers the handshake rejects every pending call', async () => {
    const { host } = openPair()
    expect(await code(host.call('echo', { text: 'x' }))).toBe('frame_unresponsive')
    expect(await code(host.ready)).toBe('frame_unresponsive')
  })

  it('that closes its side settles the other side', async () => {
    const { host, openChild } = openPair()
    const child = openChild()
    const waiting = code(host.call('forAPerson', {}))
    await host.call('echo', { text: 'connected' })
    child.destroy()
    expect(await waiting).toBe('channel_closed')
  })

  it('that stops answering during a long call is detected by the pulse', async () => {
    const { host, openChild } = openPair()
    openChild()
    await host.call('echo', { text: 'connected' })
    vi.useFakeTimers({ toFake: ['setInterval', 'setTimeout', 'clearInterval', 'clearTimeout'] })
    const waiting = code(host.call('forAPerson', {}))
    await vi.advanceTimersByTimeAsync(0)
    // Frozen timers deliver no message, like a hanging window.
    vi.advanceTimersByTime(10_000 + 5_000)
    expect(await waiting).toBe('frame_unresponsive')
  })

  it('that keeps answering pulses keeps a long call running', async () => {
    const done = Promise.withResolvers<{ text: string }>()
    const { host, openChild } = openPair({ forAPerson: () => done.promise as Promise<never> })
    openChild()
    await host.call('echo', { text: 'connected' })
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] })
    const waiting = host.call('forAPerson', {})
    await new Promise((resolve) => setImmediate(resolve))
    for (let beat = 0; beat < 12; beat += 1) {
      vi.advanceTimersByTime(5_000)
      // Messages use real immediates: the other window answers each pulse.
      for (let turn = 0; turn < 8; turn += 1) await new Promise((resolve) => setImmediate(resolve))
    }
    done.resolve({ text: 'after a minute' })
    await expect(waiting).resolves.toEqual({ text: 'after a minute' })
  })
})

describe('destroy', () => {
  it('settles calls before and after the handshake, and later calls at once', async () => {
    const { host } = openPair()
    const waiting = code(host.call('echo', { text: 'x' }))
    host.destroy()
    expect(await waiting).toBe('channel_closed')
    expect(await code(host.call('echo', { text: 'x' }))).toBe('channel_closed')
    expect(await code(host.ready)).toBe('channel_closed')
  })
})

describe('a receiver', () => {
  let counter = 0
  const request = (part: Record<string, unknown> = {}) => ({
    v: 1,
    id: `id-${++counter}`,
    event: 'latchkey:echo',
    data: { text: 'x' },
    ...part,
  })
  const receiverOf = (own: Partial<typeof handlers> = {}) =>
    createReceiver(contract.child, childMessages.calls, { ...handlers, ...own }, getMethodRule).receive
  const errorType = async (message: unknown, receive = receiverOf()) => (await receive(message)).error?.type

  it('answers a valid message', async () => {
    const receive = receiverOf()
    const message = request()
    expect(await receive(message)).toEqual({ id: message.id, event: message.event, data: { text: 'x' } })
  })

  it.each([
    ['null', null],
    ['undefined', undefined],
    ['a string', 'latchkey:echo'],
    ['a number', 1],
    ['an array', []],
    ['no id', { v: 1, event: 'latchkey:echo', data: {} }],
    ['an empty id', { v: 1, id: '', event: 'latchkey:echo', data: {} }],
    ['an endless id', { v: 1, id: 'x'.repeat(65), event: 'latchkey:echo', data: {} }],
    ['a foreign event', { v: 1, id: 'a', event: 'other:echo', data: {} }],
    ['a Map', new Map()],
    ['a Date inside', { v: 1, id: 'a', event: 'latchkey:echo', data: new Date(0) }],
    ['bytes inside', { v: 1, id: 'a', event: 'latchkey:echo', data: new Uint8Array(4) }],
    ['a function inside', { v: 1, id: 'a', event: 'latchkey:echo', data: () => 1 }],
  ])('rejects %s as an invalid envelope', async (_name, message) => {
    expect(await errorType(message)).toBe('invalid_message_envelope')
  })

  it.each([0, 2, -1, 1.5])('rejects protocol version %d with unsupported_protocol', async (version) => {
    expect(await errorType(request({ v: version }))).toBe('unsupported_protocol')
  })

  it('ignores unknown fields', async () => {
    expect(await errorType(request({ since: 'a later release' }))).toBeUndefined()
  })

  it('rejects unlisted methods and parses each method with its own schema', async () => {
    const rpc = (method: string, params: unknown) =>
      errorType(request({ event: 'latchkey:rpc', data: { request: { method, params } } }))
    expect(await rpc('ping', [1])).toBeUndefined()
    expect(await rpc('ping', ['x'])).toBe('invalid_data')
    expect(await rpc('note', ['x'])).toBeUndefined()
    for (const method of ['pong', 'constructor', '__proto__', 'toString', '']) {
      expect(await rpc(method, [1])).toBe('not_supported')
    }
    expect(await errorType(request({ event: 'latchkey:rpc', data: null }))).toBe('not_supported')
  })

  it('accepts an id once', async () => {
    const receive = receiverOf()
    const message = request()
    expect((await receive(message)).error).toBeUndefined()
    expect(await errorType(message, receive)).toBe('message_replayed')
  })

  it.each([
    'constructor',
    '__proto__',
    'toString',
    'hasOwnProperty',
    'call',
    'echo.constructor',
    'echo:__proto__',
    '',
  ])('rejects the unknown call %j', async (name) => {
    expect(await errorType(request({ event: `latchkey:${name}` }))).toBe('method_not_found')
  })

  it('rejects more than 64 KB unless the row allows it', async () => {
    const text = 'x'.repeat(64 * 1024)
    expect(await errorType(request({ data: { text } }))).toBe('message_too_large')
    expect(await errorType(request({ event: 'latchkey:large', data: { text } }))).toBeUndefined()
    const larger = 'x'.repeat(256 * 1024)
    expect(await errorType(request({ event: 'latchkey:large', data: { text: larger } }))).toBe(
      'message_too_large',
    )
  })

  it("applies a row's size limit to the data alone", async () => {
    const left = (bytes: number, text: string) => bytes - 2 * 8 - 'text'.length - text.length
    const padded = (bytes: number) => ({ text: 'x'.repeat(left(bytes, '')) })
    expect(await errorType(request({ event: 'latchkey:large', data: padded(256 * 1024) }))).toBeUndefined()
    expect(await errorType(request({ event: 'latchkey:large', data: padded(256 * 1024 + 1) }))).toBe(
      'message_too_large',
    )
    expect(await errorType(request({ data: padded(64 * 1024) }))).toBeUndefined()
    expect(await errorType(request({ data: padded(64 * 1024 + 1) }))).toBe('message_too_large')
  })

  it('counts the bytes of a bigint', async () => {
    const ofBytes = (bytes: number) => ({ text: 'x', more: 1n << BigInt(8 * bytes - 1) })
    expect(await errorType(request({ data: ofBytes(60 * 1024) }))).toBeUndefined()
    expect(await errorType(request({ data: ofBytes(70 * 1024) }))).toBe('message_too_large')
  })

  it('counts bytes, not characters', async () => {
    expect(await errorType(request({ data: { text: '\u{1F511}'.repeat((64 * 1024) / 4) } }))).toBe(
      'message_too_large',
    )
  })

  it('rejects deep, cyclic and exponentially shared data', async () => {
    let deep: unknown = 'x'
    for (let level = 0; level < 16; level++) deep = { deep }
    expect(await errorType(request({ data: deep }))).toBe('invalid_data')
    expect(await errorType(request({ data: { deep } }))).toBe('message_too_large')
    const cyclic: Record<string, unknown> = {}
    cyclic.self = cyclic
    expect(await errorType(request({ data: cyclic }))).toBe('message_too_large')
    let lattice: unknown = 'x'
    for (let level = 0; level < 12; level++) lattice = Array.from({ length: 50 }, () => lattice)
    expect(await errorType(request({ data: lattice }))).toBe('message_too_large')
  })

  it('answers internal_error without a stack when a handler throws', async () => {
    const receive = receiverOf({
      echo: () => {
        throw new TypeError('secret path /etc/keys')
      },
    })
    const answer = await receive(request())
    expect(answer.error).toEqual({ type: 'internal_error', message: 'Something went wrong' })
  })

  it('rate limits calls and rejects those behind fifty waiting ones', async () => {
    vi.useFakeTimers()
    const receive = receiverOf()
    const answers = Array.from({ length: 80 }, () => receive(request()))
    await vi.runAllTimersAsync()
    const types = (await Promise.all(answers)).map((answer) => answer.error?.type)
    expect(types.slice(0, 70)).toEqual(Array.from({ length: 70 }, () => undefined))
    expect(types.at(-1)).toBe('too_many_requests')
  })

  it('answers any input with an error and never throws', async () => {
    const receive = receiverOf()
    await fc.assert(
      fc.asyncProperty(
        fc.anything({ withNullPrototype: true, withMap: true, withDate: true }),
        async (message) => {
          const answer = await receive(message)
          expect(answer.error?.type).toBeTypeOf('string')
        },
      ),
      { numRuns: 500 },
    )
  })
})

const syn = () => ({
  namespace: 'penpal',
  channel: 'latchkey:test',
  type: 'SYN',
  participantId: crypto.randomUUID(),
})
