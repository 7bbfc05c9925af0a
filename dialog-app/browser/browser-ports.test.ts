import { LatchkeyError } from '@latchkey/protocol'
import { describe, expect, test } from 'vitest'
import { appId } from '../testing/fixtures.ts'
import { browserNotices, locksOf } from './browser-ports.ts'

const noTabEvents = { addEventListener: () => {} }
const refuse = (): never => {
  throw new DOMException('The operation is insecure', 'SecurityError')
}

// Firefox with third-party storage blocked throws at the access itself.
describe('in a browser that blocks storage', () => {
  test('locks are refused with a code at once, and nothing runs', async () => {
    const locks = locksOf({
      get locks(): LockManager {
        return refuse()
      },
    })
    const run = async () => expect.unreachable('it has no lock')
    await expect(locks.hold('refresh', 60_000, run)).rejects.toMatchObject({
      code: 'session_storage_unavailable',
      message: expect.stringContaining('Playwright'),
    })
  })

  test('a lock manager that refuses each request leads to the same code', async () => {
    const locks = locksOf({ locks: { request: async () => refuse(), query: async () => ({}) } })
    await expect(locks.hold('refresh', 60_000, async () => {})).rejects.toMatchObject({
      code: 'session_storage_unavailable',
    })
  })

  test('notices are silent', () => {
    const notices = browserNotices(appId, refuse, noTabEvents)
    expect(() => notices.tell()).not.toThrow()
    expect(() => notices.listen(() => {})).not.toThrow()
  })
})

test('a change of the session is heard by its notice, and again when it can be read', () => {
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

test.each(['pageshow', 'visibilitychange'])('a tab that is seen again looks again: %s', (type) => {
  const heard: string[] = []
  const events = new EventTarget()
  const channel = () => new EventTarget() as unknown as BroadcastChannel
  browserNotices(appId, channel, events as unknown as Window).listen(() => heard.push('look'))
  events.dispatchEvent(new Event(type))
  expect(heard).toEqual(['look'])
})

describe('locks', () => {
  const { hold } = locksOf(navigator)
  /** Holds the lock until it is let go. */
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

  test('are held by one at a time', async () => {
    const log: string[] = []
    const { letGo, holding } = await occupy('one at a time')
    const second = hold('one at a time', 60_000, async () => void log.push('second'))
    log.push('first done')
    letGo()
    await Promise.all([holding, second])
    expect(log).toEqual(['first done', 'second'])
  })

  test('that others do not give back in time are given up', async () => {
    const { letGo, holding } = await occupy('late')
    await expect(hold('late', 1, async () => {})).rejects.toMatchObject({ code: 'client_request_timeout' })
    letGo()
    await holding
  })

  test('are not waited for by a caller that is gone', async () => {
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

  test('give a failure of what ran under them as it is', async () => {
    const failure = new LatchkeyError('server_unreachable', 'Down')
    await expect(hold('failing', 60_000, () => Promise.reject(failure))).rejects.toBe(failure)
  })
})

test('a notice reaches the other tabs of the app, and not the one that gives it', async () => {
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
