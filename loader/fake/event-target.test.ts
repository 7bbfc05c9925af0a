import { describe, expect, it, vi } from 'vitest'
import { createEventTarget } from './event-target.ts'

describe.each([
  ['of the platform', () => new EventTarget()],
  ['of a fake', createEventTarget],
])('an event target %s', (_, create) => {
  const names = (received: unknown[], name: string) => () => void received.push(name)

  it('calls each listener once, in the order in which they were added', () => {
    const target = create()
    const received: unknown[] = []
    const first = names(received, 'first')
    target.addEventListener('x', first)
    target.addEventListener('x', names(received, 'second'))
    target.addEventListener('x', first)
    target.dispatchEvent(new CustomEvent('x'))
    target.dispatchEvent(new CustomEvent('y'))
    expect(received).toEqual(['first', 'second'])
  })

  it('does not call listeners that were removed, aborted or added with once', () => {
    const target = create()
    const received: unknown[] = []
    const leaving = new AbortController()
    const gone = names(received, 'gone')
    target.addEventListener('x', gone)
    target.removeEventListener('x', gone)
    target.addEventListener('x', names(received, 'signal'), leaving)
    target.addEventListener('x', names(received, 'once'), { once: true })
    target.addEventListener('x', names(received, 'too late'), { signal: AbortSignal.abort() })
    leaving.abort()
    target.dispatchEvent(new CustomEvent('x'))
    target.dispatchEvent(new CustomEvent('x'))
    expect(received).toEqual(['once'])
  })

  it('does not call a listener that an earlier one removed', () => {
    const target = create()
    const received: unknown[] = []
    const second = names(received, 'second')
    target.addEventListener('x', () => target.removeEventListener('x', second))
    target.addEventListener('x', second)
    target.dispatchEvent(new CustomEvent('x'))
    expect(received).toEqual([])
  })
})

it('an event target calls later listeners if one throws, and reports the error', async () => {
  const reported = vi.fn()
  vi.stubGlobal('queueMicrotask', (run: () => void) => {
    try {
      run()
    } catch (error) {
      reported(error)
    }
  })
  const target = createEventTarget()
  const received = vi.fn()
  const failure = new Error('no')
  target.addEventListener('x', () => {
    throw failure
  })
  target.addEventListener('x', { handleEvent: received })
  target.dispatchEvent(new CustomEvent('x'))
  expect(received).toHaveBeenCalledOnce()
  expect(reported).toHaveBeenCalledExactlyOnceWith(failure)
})
