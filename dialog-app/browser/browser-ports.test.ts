import { LatchkeyError } from '@latchkey/protocol'
import { describe, expect, test } from 'vitest'
import { appId } from '../testing/fixtures.ts'
import { browserNotices, createLocks } from './browser-ports.ts'

const noTabEvents = { addEventListener: () => {} }
const refuse = (): never => {
  throw new DOMException('The operation is insecure', 'SecurityError')
}

// Firefox with blocked third-party storage throws on property access.
describe('browser with blocked storage', () => {
  test('rejects locks at once with a code and runs nothing', async () => {
    const locks = createLocks({
      get locks(): LockManager {
        return refuse()
      },
    })
    const run = async () => expect.unreachable('it has no lock')
    await expect(locks.hold('refresh', 60_000, run)).rejects.toMatchObject({
      code: 'session_storage_unavailable',
      docsUrl: expect.stringContaining('session_storage_unavailable'),
    })
  })

  test('rejects with the same code if the lock manager refuses a request', async () => {
    const locks = createLocks({ locks: { request: async () => refuse(), query: async () => ({}) } })
    await expect(locks.hold('refresh', 60_000, async () => {})).rejects.toMatchObject({
      code: 'session_storage_unavailable',
    })
  })

  test('sends no notices', () => {
    const notices = browserNotices(appId, refuse, noTabEvents)
    expect(() => notices.tell()).not.toThrow()
    expect(() => notices.listen(() => {})).not.toThrow()
  })
})

test('notifies of a session change by channel, and again once storage is readable', () => {
  const heard: string[] = []
  const channel = new EventTarget() as unknown as BroadcastChannel
  const stored: ((event: { key: string | null }) => void)[] = []
  const events = {
    addEventListener: (type: string, run: (typeof stored)[number]) =>
      void (type === 'storage' && stored.push(run)),
  }
  const notices = browserNotices(
    appId,
    (name) => {
      heard.push(name)
      return channel
    },
    events,
  )
  notices.listen(() => heard.push('look'))
  channel.dispatchEvent(new Event('message'))
  for (const key of [
    'latchkey:lkdemo0000000000000000001:session',
    'latchkey:lkdemo0000000000000000001:clock-offset',
    null,
  ]) {
    for (const run of stored) run({ key })
  }
  expect(heard).toEqual(['latchkey:lkdemo0000000000000000001:session', 'look', 'look'])
})

test.each(['pageshow', 'visibilitychange'])('notifies a tab that becomes visible again on %s', (type) => {
  const heard: string[] = []
  const events = new EventTarget()
  const channel = () => new EventTarget() as unknown as BroadcastChannel
  browserNotices(appId, channel, events as unknown as Window).listen(() => heard.push('look'))
  events.dispatchEvent(new Event(type))
  expect(heard).toEqual(['look'])
})

describe('locks', () => {
  const { hold } = createLocks(navigator)
  /** Holds the lock until it is released. */
  async function occupy(name: string) {
    const held = Promise.withResolvers<void>()
    const { promise, resolve: letGo } = Promise.withResolvers<void>()
    const holding = hold(name, 60_000, () => {
      held.resolve()
      return promise
    })
    await held.promise
    return { letGo, holding }
  }

  test('have one holder at a time', async () => {
    const log: string[] = []
    const { letGo, holding } = await occupy('one at a time')
    const second = hold('one at a time', 60_000, async () => void log.push('second'))
    log.push('first done')
    letGo()
    await Promise.all([holding, second])
    expect(log).toEqual(['first done', 'second'])
  })

  test('reject if other holders keep them past the deadline', async () => {
    const { letGo, holding } = await occupy('late')
    await expect(hold('late', 1, async () => {})).rejects.toMatchObject({ code: 'client_request_timeout' })
    letGo()
    await holding
  })

  test('stop waiting if the caller aborts', async () => {
    const { letGo, holding } = await occupy('gone')
    const caller = new AbortController()
    const run = async () => expect.unreachable('its caller is gone')
    const waiting = hold('gone', 60_000, run, caller.signal)
    const gone = new LatchkeyError('call_cancelled', 'Gone')
    caller.abort(gone)
    await expect(waiting).rejects.toBe(gone)
    letGo()
    await holding
  })

  test('pass on an error of their holder unchanged', async () => {
    const failure = new LatchkeyError('server_unreachable', 'Down')
    await expect(hold('failing', 60_000, () => Promise.reject(failure))).rejects.toBe(failure)
  })
})

test('notifies the other tabs of the app, and not its own', async () => {
  const [one, other] = [
    browserNotices(appId, undefined, noTabEvents),
    browserNotices(appId, undefined, noTabEvents),
  ]
  const heard = new Promise<string>((resolve) => {
    one.listen(() => resolve('the one that told'))
    other.listen(() => resolve('the other one'))
  })
  one.tell()
  expect(await heard).toBe('the other one')
})
