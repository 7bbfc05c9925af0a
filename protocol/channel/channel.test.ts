import * as fc from 'fast-check'
import * as v from 'valibot'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { type Channel, createReceiver, openChannel } from './channel.ts'
import type { Contract } from './contract.ts'
import { LatchkeyError } from './errors.ts'
import { channelLimits } from './limits.ts'
import { inWindow, makeWindowPair } from './testing/windows.ts'

const parentOrigin = 'https://app.example'
const childOrigin = 'https://dialog.example'

const row = {
  says: 'A call of this test.',
  policy: 'headless',
  deadlineMs: 500,
  errors: [],
  output: v.object({ text: v.string() }),
} as const
const contract = {
  name: 'test',
  parties: { parent: 'host', child: 'dialog' },
  originRule: { parent: 'exact', child: 'exact' },
  parent: { notice: { ...row, input: v.object({}), output: v.object({}) } },
  child: {
    echo: { ...row, input: v.object({ text: v.string() }) },
    refuse: { ...row, input: v.object({}) },
    lie: { ...row, input: v.object({}) },
    never: { ...row, input: v.object({}) },
    forAPerson: { ...row, deadlineMs: 60_000, input: v.object({}) },
    large: { ...row, maxBytes: channelLimits.maxTypedDataBytes, input: v.object({ text: v.string() }) },
  },
} as const satisfies Contract

const handlers = {
  echo: ({ text }: { text: string }) => ({ text }),
  refuse: () => {
    throw new LatchkeyError('too_many_requests', 'Not so fast', { details: { retryAfterMs: 5 } })
  },
  lie: () => ({ text: 7 }) as never,
  never: () => new Promise<never>(() => {}),
  forAPerson: () => new Promise<never>(() => {}),
  large: ({ text }: { text: string }) => ({ text: String(text.length) }),
}

type Open = Channel<(typeof contract)['child']>
const opened: { destroy(): void }[] = []
afterEach(() => {
  vi.useRealTimers()
  for (const channel of opened.splice(0)) channel.destroy()
})

function openPair(childHandlers: Partial<typeof handlers> = {}) {
  const { parent, child } = makeWindowPair(parentOrigin, childOrigin)
  const onConnect = vi.fn()
  const onClose = vi.fn()
  const host: Open = inWindow(parent, () =>
    openChannel({
      contract,
      side: 'parent',
      target: { window: child.asWindow, origin: childOrigin },
      handlers: { notice: () => ({}) },
      handshakeDeadlineMs: 300,
      onConnect,
      onClose,
    }),
  )
  const openChild = () =>
    inWindow(child, () =>
      openChannel({
        contract,
        side: 'child',
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
  it('arrives parsed and is answered', async () => {
    const { host, openChild } = openPair()
    openChild()
    await expect(host.call('echo', { text: 'hello' })).resolves.toEqual({ text: 'hello' })
  })

  it('works in both directions', async () => {
    const { openChild } = openPair()
    const child = openChild()
    await expect(child.call('notice', {})).resolves.toEqual({})
  })

  it('keeps the code, message and details of an error', async () => {
    const { host, openChild } = openPair()
    openChild()
    const error = await host.call('refuse', {}).catch((reason: unknown) => reason)
    expect(error).toMatchObject({
      code: 'too_many_requests',
      message: 'Not so fast',
      details: { retryAfterMs: 5 },
    })
  })

  it('is refused before it is sent when its own data is wrong', async () => {
    const { host, openChild } = openPair()
    openChild()
    expect(await code(host.call('echo', { text: 5 as never }))).toBe('invalid_data')
  })

  it('gets invalid_answer when the other side does not keep the contract', async () => {
    const { host, openChild } = openPair()
    openChild()
    expect(await code(host.call('lie', {}))).toBe('invalid_answer')
  })

  it('is rejected at its deadline when nobody answers', async () => {
    const { host, openChild } = openPair()
    openChild()
    expect(await code(host.call('never', {}, { deadlineMs: 30 }))).toBe('call_timeout')
  })

  it('made before the handshake waits for it', async () => {
    const { host, openChild } = openPair()
    const answer = host.call('echo', { text: 'early' })
    openChild()
    await expect(answer).resolves.toEqual({ text: 'early' })
  })
})

describe('a window that is not the one', () => {
  it('is not heard when it has the right origin but is another window', async () => {
    const { parent, host } = openPair()
    parent.receive(syn(), { source: {}, origin: childOrigin })
    expect(await code(host.call('echo', { text: 'x' }))).toBe('frame_unresponsive')
  })

  it('is not heard when it is the right window at another origin', async () => {
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
        inWindow(parent, () =>
          openChannel({
            contract,
            side: 'parent',
            target: { window: child.asWindow, origin },
            handlers: { notice: () => ({}) },
          }),
        ),
      ).toThrow(expect.objectContaining({ code: 'invalid_origin' }))
    },
  )
})

describe('a window that goes away', () => {
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

  it('and does not come back after a reload is given up at the handshake deadline', async () => {
    const { parent, child, host, openChild, onClose } = openPair()
    openChild()
    await host.call('echo', { text: 'connected' })
    child.clear()
    parent.receive(syn(), { source: child.asWindow, origin: childOrigin })
    expect(await code(host.call('echo', { text: 'x' }))).toBe('frame_unresponsive')
    expect(onClose).toHaveBeenCalledOnce()
  })

  it('never answers the handshake: every waiting call is rejected', async () => {
    const { host } = openPair()
    expect(await code(host.call('echo', { text: 'x' }))).toBe('frame_unresponsive')
    expect(await code(host.ready)).toBe('frame_unresponsive')
  })

  it('closes its side: the other settles', async () => {
    const { host, openChild } = openPair()
    const child = openChild()
    const waiting = code(host.call('forAPerson', {}))
    await host.call('echo', { text: 'connected' })
    child.destroy()
    expect(await waiting).toBe('channel_closed')
  })

  it('stops answering during a long call: the pulse finds out', async () => {
    const { host, openChild } = openPair()
    openChild()
    await host.call('echo', { text: 'connected' })
    vi.useFakeTimers({ toFake: ['setInterval', 'setTimeout', 'clearInterval', 'clearTimeout'] })
    const waiting = code(host.call('forAPerson', {}))
    await vi.advanceTimersByTimeAsync(0)
    // With timers frozen no message moves, as if the other window were stuck.
    vi.advanceTimersByTime(channelLimits.pulseDeadlineMs + channelLimits.pulseIntervalMs)
    expect(await waiting).toBe('frame_unresponsive')
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

describe('what a receiver does with a message', () => {
  let counter = 0
  const request = (part: Record<string, unknown> = {}) => ({
    v: 1,
    id: `id-${++counter}`,
    event: 'latchkey:echo',
    data: { text: 'x' },
    ...part,
  })
  const errorType = async (message: unknown, receive = createReceiver(contract.child, handlers)) =>
    (await receive(message)).error?.type

  it('answers a good one', async () => {
    const receive = createReceiver(contract.child, handlers)
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
    ['a field too many', { v: 1, id: 'a', event: 'latchkey:echo', data: {}, extra: 1 }],
    ['a Map', new Map()],
    ['a Date inside', { v: 1, id: 'a', event: 'latchkey:echo', data: new Date(0) }],
    ['bytes inside', { v: 1, id: 'a', event: 'latchkey:echo', data: new Uint8Array(4) }],
    ['a function inside', { v: 1, id: 'a', event: 'latchkey:echo', data: () => 1 }],
  ])('refuses %s as no envelope', async (_name, message) => {
    expect(await errorType(message)).toBe('invalid_message_envelope')
  })

  it.each([0, 2, -1, 1.5])('refuses protocol version %d by name', async (version) => {
    expect(await errorType(request({ v: version }))).toBe('unsupported_protocol')
  })

  it('takes an id once', async () => {
    const receive = createReceiver(contract.child, handlers)
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
  ])('has no call %j', async (name) => {
    expect(await errorType(request({ event: `latchkey:${name}` }))).toBe('method_not_found')
  })

  it('refuses more than 64 KB, but for rows that allow more', async () => {
    const text = 'x'.repeat(channelLimits.maxMessageBytes)
    expect(await errorType(request({ data: { text } }))).toBe('message_too_large')
    expect(await errorType(request({ event: 'latchkey:large', data: { text } }))).toBeUndefined()
    const larger = 'x'.repeat(channelLimits.maxTypedDataBytes)
    expect(await errorType(request({ event: 'latchkey:large', data: { text: larger } }))).toBe(
      'message_too_large',
    )
  })

  it('counts bytes, not characters', async () => {
    expect(
      await errorType(request({ data: { text: '\u{1F511}'.repeat(channelLimits.maxMessageBytes / 4) } })),
    ).toBe('message_too_large')
  })

  it('refuses what is deep, cyclic, or small but repeats itself without end', async () => {
    let deep: unknown = 'x'
    for (let level = 0; level < channelLimits.maxDepth; level++) deep = { deep }
    expect(await errorType(request({ data: deep }))).toBe('message_too_large')
    const cyclic: Record<string, unknown> = {}
    cyclic.self = cyclic
    expect(await errorType(request({ data: cyclic }))).toBe('message_too_large')
    let lattice: unknown = 'x'
    for (let level = 0; level < 12; level++) lattice = Array.from({ length: 50 }, () => lattice)
    expect(await errorType(request({ data: lattice }))).toBe('message_too_large')
  })

  it('answers internal_error without a stack when a handler breaks', async () => {
    const receive = createReceiver(contract.child, {
      ...handlers,
      echo: () => {
        throw new TypeError('secret path /etc/keys')
      },
    })
    const answer = await receive(request())
    expect(answer.error).toEqual({ type: 'internal_error', message: 'Something went wrong' })
  })

  it('paces calls: what would wait behind fifty others is refused', async () => {
    vi.useFakeTimers()
    const receive = createReceiver(contract.child, handlers)
    const answers = Array.from({ length: 80 }, () => receive(request()))
    await vi.runAllTimersAsync()
    const types = (await Promise.all(answers)).map((answer) => answer.error?.type)
    expect(types.slice(0, 70)).toEqual(Array.from({ length: 70 }, () => undefined))
    expect(types.at(-1)).toBe('too_many_requests')
  })

  it('never throws and never runs a handler for anything but a whole request', async () => {
    const ran = vi.fn(() => ({ text: 'ran' }))
    const receive = createReceiver(contract.child, { ...handlers, echo: ran })
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
    expect(ran).not.toHaveBeenCalled()
  })
})

const syn = () => ({
  namespace: 'penpal',
  channel: 'latchkey:test',
  type: 'SYN',
  participantId: crypto.randomUUID(),
})
