/** A channel from its handshake to its end, message by message. */
import type { Message } from 'penpal'
import * as v from 'valibot'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { LatchkeyError } from '../errors/errors.ts'
import { type End, makeBoundary, settle } from '../testing/boundary.ts'
import type { CallContext, Contract, ReceivedMessages, ServedBy } from './contract.ts'
import { type Channel, openChannel } from './open.ts'

const contract = {
  name: 'test',
  parent: {},
  child: {
    echo: { policy: 'headless', deadlineMs: 5_000 },
    never: { policy: 'headless', deadlineMs: 5_000 },
    person: { policy: 'needs-user' },
    unheard: { policy: 'headless', deadlineMs: 5_000 },
  },
} as const satisfies Contract
const text = v.object({ text: v.string() })
const empty = v.object({})
const parentMessages = {
  calls: {},
  answers: { echo: text, never: text, person: text },
} as const satisfies ReceivedMessages
const childMessages = {
  calls: { echo: text, never: empty, person: empty, unheard: empty },
  answers: {},
} as const satisfies ReceivedMessages

const endless = (_data: unknown, _context: CallContext) => new Promise<never>(() => {})
const handlers = {
  echo: ({ text }: { text: string }) => ({ text }),
  never: endless,
  person: (_data: unknown, _context: CallContext): Promise<{ text: string }> => endless(_data, _context),
  unheard: () => ({}),
}

type Host = Channel<ServedBy<typeof childMessages, typeof parentMessages>>
const opened: { destroy(): void }[] = []
beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  for (const channel of opened.splice(0)) channel.destroy()
  vi.useRealTimers()
})

function setUp(childHandlers: Partial<typeof handlers> = {}) {
  const boundary = makeBoundary()
  const onConnect = vi.fn()
  const onClose = vi.fn()
  const openHost = (): Host =>
    openChannel({
      contract,
      side: 'parent',
      receives: parentMessages,
      target: { messenger: boundary.open('parent') },
      handlers: {},
      onConnect,
      onClose,
    })
  const openChild = () => {
    const channel = openChannel<typeof childMessages, typeof parentMessages>({
      contract,
      side: 'child',
      receives: childMessages,
      target: { messenger: boundary.open('child') },
      handlers: { ...handlers, ...childHandlers },
    })
    opened.push(channel)
    return channel
  }
  const host = openHost()
  opened.push(host)
  return { ...boundary, host, onConnect, onClose, openChild }
}

async function connected(childHandlers: Partial<typeof handlers> = {}) {
  const scene = setUp(childHandlers)
  const child = scene.openChild()
  await scene.flow()
  expect(scene.onConnect).toHaveBeenCalledTimes(1)
  return { ...scene, child }
}

/** Returns the current state of a promise. */
function outcomeOf(promise: Promise<unknown>) {
  const outcome = { now: 'waiting' }
  promise.then(
    () => {
      outcome.now = 'resolved'
    },
    (error: unknown) => {
      outcome.now = error instanceof LatchkeyError ? error.code : String(error)
    },
  )
  return outcome
}

const message = (part: Record<string, unknown>) =>
  ({ namespace: 'penpal', channel: 'latchkey:test', ...part }) as unknown as Message

describe('a handshake', () => {
  it('times out after 10 seconds', async () => {
    const { host, onClose } = setUp()
    const ready = outcomeOf(host.ready)
    await vi.advanceTimersByTimeAsync(9_999)
    expect([ready.now, onClose.mock.calls.length]).toEqual(['waiting', 0])
    await vi.advanceTimersByTimeAsync(1)
    expect([ready.now, onClose.mock.calls.length]).toEqual(['frame_unresponsive', 1])
  })

  it('succeeds although the document is replaced during it', async () => {
    const { host, openChild, flow } = setUp()
    const early = outcomeOf(host.call('echo', { text: 'early' }))
    openChild()
    openChild()
    await flow()
    expect(early.now).toBe('resolved')
  })

  it('that completes after the channel was closed has no effect', async () => {
    for (let steps = 0; steps < 8; steps += 1) {
      const { host, openChild, deliver, flow, onConnect, onClose } = setUp()
      openChild()
      for (let step = 0; step < steps; step += 1) deliver()
      const before = onConnect.mock.calls.length
      host.destroy()
      await flow()
      expect([before, onConnect.mock.calls.length, onClose.mock.calls.length]).toEqual([0, 0, 1])
    }
  })

  it('is reported once although it is acknowledged twice', async () => {
    const { open, flow, onConnect } = await connected()
    const other = open('child')
    other.sendMessage(message({ type: 'ACK1', methodPaths: [['call']] }))
    other.sendMessage(message({ type: 'ACK2' }))
    await flow()
    expect(onConnect).toHaveBeenCalledTimes(1)
  })

  // The greater id leads: the follower receives ACK1, the leader ACK2.
  it.each([
    ['leads', 'z', { type: 'ACK1', methodPaths: [['call']] }],
    ['is led', '0', { type: 'ACK2' }],
  ])('is repeated by a document that %s', async (_name, participantId, acknowledgement) => {
    const { open, flow, host, onConnect } = await connected()
    const other = open('child')
    other.sendMessage(message({ type: 'SYN', participantId }))
    await flow()
    const ready = outcomeOf(host.ready)
    await settle()
    expect(ready.now).toBe('waiting')
    other.sendMessage(message(acknowledgement))
    await flow()
    expect(ready.now).toBe('resolved')
    expect(onConnect).toHaveBeenCalledTimes(2)
  })
})

describe('a reload', () => {
  const reload = ({ open }: ReturnType<typeof makeBoundary>, participantId: string) =>
    open('child').sendMessage(message({ type: 'SYN', participantId }))

  it('times out after 10 seconds, and restarts the timeout on another reload', async () => {
    const scene = await connected()
    for (const participantId of ['0', '1']) {
      reload(scene, participantId)
      await scene.flow()
      await vi.advanceTimersByTimeAsync(9_999)
      expect(scene.onClose).not.toHaveBeenCalled()
    }
    await vi.advanceTimersByTimeAsync(1)
    expect(scene.onClose).toHaveBeenCalledTimes(1)
  })

  it('does not time out after it completed', async () => {
    const { host, openChild, flow, onClose } = await connected()
    openChild()
    await flow()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(onClose).not.toHaveBeenCalled()
    const answer = outcomeOf(host.call('echo', { text: 'x' }))
    await flow()
    expect(answer.now).toBe('resolved')
  })

  it('rejects callers that wait for the previous document', async () => {
    const scene = await connected()
    reload(scene, '0')
    await scene.flow()
    const ready = outcomeOf(scene.host.ready)
    reload(scene, '1')
    await scene.flow()
    expect(ready.now).toBe('frame_reloaded')
  })
})

describe('a call', () => {
  it('leaves no timer, listener or message behind once answered', async () => {
    const done = Promise.withResolvers<{ text: string }>()
    const { host, flow, sent } = await connected({ person: () => done.promise })
    const cancel = new AbortController()
    const short = outcomeOf(host.call('echo', { text: 'x' }, { signal: cancel.signal }))
    const long = outcomeOf(host.call('person', {}, { signal: cancel.signal }))
    await flow()
    done.resolve({ text: 'done' })
    await flow()
    expect([short.now, long.now]).toEqual(['resolved', 'resolved'])
    const before = sent.length
    expect(vi.getTimerCount()).toBe(0)
    cancel.abort()
    await vi.advanceTimersByTimeAsync(60_000)
    await flow()
    expect(sent).toHaveLength(before)
  })

  it.each([
    ['done', 'done'],
    ['undone', 'the page leaves'],
    ['unheeded', 'the page leaves'],
  ] as const)(
    'that waits for the user settles with the actual outcome when cancelled: %s',
    async (what, ending) => {
      const person = (_data: unknown, { signal }: CallContext) =>
        new Promise<{ text: string }>((resolve, reject) => {
          signal.addEventListener('abort', () => {
            if (what === 'done') resolve({ text: 'done' })
            if (what === 'undone') reject(signal.reason)
          })
        })
      const { host, flow } = await connected({ person })
      const cancel = new AbortController()
      const told = vi.fn()
      const call = host.call('person', {}, { signal: cancel.signal })
      call.then(
        ({ text }) => told(text),
        ({ message }) => told(message),
      )
      await flow()
      cancel.abort(new LatchkeyError('user_rejected_request', 'the page leaves'))
      await flow()
      await vi.advanceTimersByTimeAsync(1)
      await flow()
      expect(told.mock.calls).toEqual([[ending]])
      expect(vi.getTimerCount()).toBe(0)
    },
  )

  it('that waits for the user settles 2 seconds after its cancellation without an answer', async () => {
    const { host, flow } = await connected()
    const cancel = new AbortController()
    const call = outcomeOf(host.call('person', {}, { signal: cancel.signal }))
    await flow()
    cancel.abort(new LatchkeyError('user_rejected_request', 'the page leaves'))
    // Nothing is delivered from here on, like in a window whose script hangs.
    await vi.advanceTimersByTimeAsync(1_999)
    expect(call.now).toBe('waiting')
    await vi.advanceTimersByTimeAsync(1)
    expect(call.now).toBe('user_rejected_request')
  })

  it('is never sent if it was cancelled before the handshake', async () => {
    const ran = vi.fn(() => ({ text: 'ran' }))
    const { host, openChild, flow } = setUp({ echo: ran })
    const cancel = new AbortController()
    const taken = outcomeOf(host.call('echo', { text: 'taken back' }, { signal: cancel.signal }))
    const meant = outcomeOf(host.call('echo', { text: 'meant' }))
    cancel.abort()
    openChild()
    await flow()
    expect([taken.now, meant.now]).toEqual(['call_cancelled', 'resolved'])
    expect(ran.mock.calls).toEqual([[{ text: 'meant' }, expect.anything()]])
  })

  it('is not sent if this side has no schema for its answer', async () => {
    const { host, sent } = await connected()
    const before = sent.length
    await expect(host.call('unheard' as never, {} as never)).rejects.toMatchObject({
      code: 'method_not_found',
    })
    expect(sent).toHaveLength(before)
  })

  it('is rejected with a clear error if its data cannot be cloned, like reactive proxies', async () => {
    const { host, flow } = await connected()
    const failed = outcomeOf(host.call('echo', new Proxy({ text: 'x' }, {})))
    const sent = outcomeOf(host.call('echo', { ...new Proxy({ text: 'x' }, {}) }))
    await flow()
    expect([failed.now, sent.now]).toEqual(['call_not_sent', 'resolved'])
  })
})

describe('an unresponsive window', () => {
  it.each([
    ['a person is waited for', {}],
    ['more than 20 seconds are allowed', { deadlineMs: 20_001 }],
  ])('is detected after 15 seconds if %s', async (_name, options) => {
    const { host, flow, cut } = await connected()
    const waiting = outcomeOf(host.call('person', {}, options))
    await flow()
    cut()
    await vi.advanceTimersByTimeAsync(14_999)
    expect(waiting.now).toBe('waiting')
    await vi.advanceTimersByTimeAsync(1)
    expect(waiting.now).toBe('frame_unresponsive')
  })

  it('is not checked for during calls of up to 20 seconds', async () => {
    const { host, flow, cut } = await connected()
    const waiting = outcomeOf(host.call('person', {}, { deadlineMs: 20_000 }))
    await flow()
    cut()
    await vi.advanceTimersByTimeAsync(19_999)
    expect(waiting.now).toBe('waiting')
    await vi.advanceTimersByTimeAsync(1)
    expect(waiting.now).toBe('call_timeout')
  })

  it('is detected if the last call had a deadline', async () => {
    const { host, flow, cut } = await connected()
    const forPerson = outcomeOf(host.call('person', {}))
    await flow()
    const short = outcomeOf(host.call('never', {}, { deadlineMs: 20_000 }))
    await flow()
    cut()
    await vi.advanceTimersByTimeAsync(15_000)
    expect([forPerson.now, short.now]).toEqual(['frame_unresponsive', 'frame_unresponsive'])
  })

  it('is detected while calls with deadlines wait and other user calls have ended', async () => {
    const answers = [Promise.withResolvers<{ text: string }>(), Promise.withResolvers<{ text: string }>()]
    let asked = 0
    const { host, flow, cut } = await connected({
      person: () => answers[asked++]?.promise ?? Promise.reject(new Error('Asked too often')),
    })
    const [first, second] = [outcomeOf(host.call('person', {})), outcomeOf(host.call('person', {}))]
    const short = outcomeOf(host.call('never', {}, { deadlineMs: 20_000 }))
    await flow()
    answers[0]?.resolve({ text: 'done' })
    await flow()
    cut()
    await vi.advanceTimersByTimeAsync(15_000)
    expect([first.now, second.now, short.now]).toEqual([
      'resolved',
      'frame_unresponsive',
      'frame_unresponsive',
    ])
  })
})

describe('a closed channel', () => {
  it('rejects pending and new calls and notifies its owner once', async () => {
    const { host, flow, onClose } = await connected()
    const waiting = outcomeOf(host.call('never', {}))
    await flow()
    host.destroy()
    host.destroy()
    const later = outcomeOf(host.call('echo', { text: 'x' }))
    await settle()
    expect([waiting.now, later.now]).toEqual(['channel_closed', 'channel_closed'])
    expect(onClose.mock.calls).toEqual([[expect.objectContaining({ code: 'channel_closed' })]])
  })

  it.each<[string, End]>([
    ['itself', 'child'],
    ['by the other window', 'parent'],
  ])('%s aborts its running calls', async (_name, end) => {
    const reasons: unknown[] = []
    const { host, child, flow } = await connected({
      person: (_data, { signal }) => {
        signal.addEventListener('abort', () => reasons.push(signal.reason))
        return new Promise(() => {})
      },
    })
    host.call('person', {}).catch(() => {})
    await flow()
    const ends = { parent: host, child }
    ends[end].destroy()
    await flow()
    expect(reasons).toEqual([expect.objectContaining({ code: 'channel_closed' })])
  })
})
