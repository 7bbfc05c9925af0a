import { describe, expect, it, vi } from 'vitest'
import { createEventTarget } from './event-target.ts'

describe.each([
  ['of the platform', () => new EventTarget()],
  ['of a fake', createEventTarget],
])('an event target %s', (_, create) => {
  const names = (heard: unknown[], name: string) => () => void heard.push(name)

  it('tells each listener once, in the order in which they came', () => {
    const target = create()
    const heard: unknown[] = []
    const first = names(heard, 'first')
    target.addEventListener('x', first)
    target.addEventListener('x', names(heard, 'second'))
    target.addEventListener('x', first)
    target.dispatchEvent(new CustomEvent('x'))
    target.dispatchEvent(new CustomEvent('y'))
    expect(heard).toEqual(['first', 'second'])
  })

  it('tells nobody who has left, by themselves, by their signal or after once', () => {
    const target = create()
    const heard: unknown[] = []
    const leaving = new AbortController()
    const gone = names(heard, 'gone')
    target.addEventListener('x', gone)
    target.removeEventListener('x', gone)
    target.addEventListener('x', names(heard, 'signal'), leaving)
    target.addEventListener('x', names(heard, 'once'), { once: true })
    target.addEventListener('x', names(heard, 'too late'), { signal: AbortSignal.abort() })
    leaving.abort()
    target.dispatchEvent(new CustomEvent('x'))
    target.dispatchEvent(new CustomEvent('x'))
    expect(heard).toEqual(['once'])
  })

  it('tells nobody who was taken away by one before them', () => {
    const target = create()
    const heard: unknown[] = []
    const second = names(heard, 'second')
    target.addEventListener('x', () => target.removeEventListener('x', second))
    target.addEventListener('x', second)
    target.dispatchEvent(new CustomEvent('x'))
    expect(heard).toEqual([])
  })
})

it('a listener that fails keeps no other from hearing, and its failure is reported', async () => {
  const reported = vi.fn()
  vi.stubGlobal('queueMicrotask', (run: () => void) => {
    try {
      run()
    } catch (error) {
      reported(error)
    }
  })
  const target = createEventTarget()
  const heard = vi.fn()
  const failure = new Error('no')
  target.addEventListener('x', () => {
    throw failure
  })
  target.addEventListener('x', { handleEvent: heard })
  target.dispatchEvent(new CustomEvent('x'))
  expect(heard).toHaveBeenCalledOnce()
  expect(reported).toHaveBeenCalledExactlyOnceWith(failure)
})
